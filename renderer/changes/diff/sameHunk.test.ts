import { describe, expect, it } from "vitest";
import type { FileDiff } from "../../../preload/contract/changes";
import type { DiffHunk } from "./rows";
import { sameHunk } from "./sameHunk";

function hunk(oldStart: number, newStart: number, ...texts: string[]): DiffHunk {
  const kinds = { "+": "added", "-": "removed", " ": "context" } as const;
  const lines = texts.map((each): DiffHunk["lines"][number] => ({
    kind: kinds[each[0] as "+" | "-" | " "],
    text: each.slice(1),
    end: "lf",
    oldLine: null,
    newLine: null,
  }));
  const without = (kind: string) => lines.filter((line) => line.kind !== kind).length;
  return { oldStart, newStart, oldLines: without("added"), newLines: without("removed"), heading: "", lines };
}

function diff(...hunks: DiffHunk[]): FileDiff {
  const content = {
    kind: "text" as const,
    hunks,
    left: null,
    added: 1,
    removed: 1,
    after: 0,
    newContent: null,
  };
  const modes = { oldMode: "100644", newMode: "100644" };
  return { fingerprint: "f", path: "a.txt", oldPath: null, ...modes, content, wholeOnly: null };
}

const seen = diff(hunk(20, 20, " a", "-b", "+c", " d"));

describe("a hunk in a newer difference", () => {
  it("is found behind one that has come, in the same place of the file", () => {
    const now = diff(hunk(1, 1, "+new", " x"), hunk(19, 20, " a", "-b", "+c", " d"));
    expect(sameHunk(seen, 0, now)).toBe(1);
  });

  it("is found when only the file has grown before it", () => {
    expect(sameHunk(seen, 0, diff(hunk(20, 26, " a", "-b", "+c", " d")))).toBe(0);
  });

  it.each([
    ["another line was added", hunk(20, 20, " a", "-b", "+other", " d")],
    ["a line around it differs", hunk(20, 20, " A", "-b", "+c", " d")],
    ["it has grown", hunk(20, 20, " a", "-b", "+c", "+e", " d")],
    ["both versions have moved", hunk(22, 23, " a", "-b", "+c", " d")],
  ])("is another one when %s", (_, other) => {
    expect(sameHunk(seen, 0, diff(other))).toBeNull();
  });

  it("is not guessed between two that could be it", () => {
    const same = [" a", "-b", "+c", " d"] as const;
    expect(sameHunk(seen, 0, diff(hunk(19, 20, ...same), hunk(20, 40, ...same)))).toBeNull();
  });
});
