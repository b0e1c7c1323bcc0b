import { describe, expect, it } from "vitest";
import type { FileDiff } from "../../preload/contract/changes";
import { discardQuestion } from "./discardQuestion";

const diff = (oldMode: string | null): FileDiff => ({
  fingerprint: "f",
  path: "notes.txt",
  oldPath: null,
  oldMode,
  newMode: "100644",
  content: { kind: "text", hunks: [], left: null, added: 3, removed: 0, after: 0, newContent: null },
  wholeOnly: null,
});
const hunk = { title: "lines 1–3" };

describe("what is asked before a part is thrown away", () => {
  it("says of a file that git does not know that it is deleted, by its hunk or by all of its lines", () => {
    for (const lines of [0, 3]) {
      expect(discardQuestion(diff(null), hunk, lines)).toMatchObject({
        title: "Delete “notes.txt”?",
        text: expect.stringContaining("it is deleted"),
        confirmLabel: "Delete",
      });
    }
  });

  it("says what becomes of the rest otherwise", () => {
    expect(discardQuestion(diff(null), hunk, 2)).toMatchObject({
      title: "Discard 2 changed lines?",
      text: expect.stringContaining("these lines go, the others stay"),
    });
    expect(discardQuestion(diff("100644"), hunk, 0)).toMatchObject({
      title: "Discard the change at lines 1–3?",
      text: expect.stringContaining("goes back to what is staged"),
      confirmLabel: "Discard",
    });
  });
});
