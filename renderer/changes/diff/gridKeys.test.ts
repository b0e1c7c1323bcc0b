import { describe, expect, it } from "vitest";
import { chosenRange, commentedRow, gridKey, hunkAt } from "./gridKeys";
import { diffRows, gridOf, type RawHunk } from "./rows";

function raw(...kinds: ("context" | "added" | "removed")[]): RawHunk {
  return {
    heading: "",
    oldStart: 1,
    newStart: 1,
    lines: kinds.map((kind, at) => ({
      kind,
      text: `${at}`,
      oldLine: at + 1,
      newLine: at + 1,
      endNote: null,
    })),
  };
}

const grid = gridOf([
  { title: null, hunks: [raw("context", "removed", "added", "context", "added"), raw("added", "context")] },
]);
// 0 hunk, 1 context, 2 removed, 3 added, 4 comment, 5 context, 6 added, 7 hunk, 8 added, 9 context
const rows = diffRows(grid, { split: false, commentsAt: new Map([["0.2", ["a"]]]) });
const press = (key: string, shiftKey = false) => ({
  key,
  shiftKey,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
});

describe("keys in a difference", () => {
  it("go from change to change, and beyond the last one to the next file", () => {
    expect(gridKey(rows, 0, press("j"))).toEqual({ do: "move", to: 2, extend: false });
    expect(gridKey(rows, 2, press("n"))).toEqual({ do: "move", to: 6, extend: false });
    expect(gridKey(rows, 6, press("j"))).toEqual({ do: "move", to: 8, extend: false });
    expect(gridKey(rows, 8, press("n"))).toEqual({ do: "file", by: 1 });
    expect(gridKey(rows, 7, press("k"))).toEqual({ do: "move", to: 6, extend: false });
    expect(gridKey(rows, 2, press("p"))).toEqual({ do: "file", by: -1 });
  });

  it("go from row to row and choose lines with Shift", () => {
    expect(gridKey(rows, 9, press("ArrowDown"))).toEqual({ do: "move", to: 9, extend: false });
    expect(gridKey(rows, 3, press("ArrowUp", true))).toEqual({ do: "move", to: 2, extend: true });
    expect(gridKey(rows, 3, press("Home"))).toEqual({ do: "move", to: 0, extend: false });
  });

  it("leave shortcuts of the window and other letters alone", () => {
    expect(gridKey(rows, 0, { ...press("c"), ctrlKey: true })).toBeNull();
    expect(gridKey(rows, 0, press("q"))).toBeNull();
    expect(gridKey(rows, 0, press("X"))).toEqual({ do: "discard" });
  });

  it("keep a choice of lines within its hunk", () => {
    expect(chosenRange(rows, 5, 9)).toEqual({ from: 5, to: 6 });
    expect(chosenRange(rows, 8, 2)).toEqual({ from: 8, to: 8 });
    expect(chosenRange(rows, 2, 5)).toEqual({ from: 2, to: 5 });
    expect([hunkAt(rows, 4), hunkAt(rows, 7)]).toEqual([0, 1]);
  });

  it("go on after a comment from the line that it is on", () => {
    expect(rows.map((_, at) => commentedRow(rows, at))).toEqual(rows.map((_, at) => (at === 4 ? 3 : null)));
    const two = diffRows(grid, { split: true, commentsAt: new Map([["0.2", ["a", "b"]]]) });
    const [first, second] = two.flatMap((row, at) => (row.kind === "comment" ? [at] : []));
    expect([commentedRow(two, first ?? -1), commentedRow(two, second ?? -1)]).toEqual([2, 2]);
  });
});
