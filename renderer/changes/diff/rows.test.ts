import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeStarts, type DiffHunk, diffRows, gridOf, linesOf, lineWords, rawOfMain } from "./rows";

/** " a" context, "-a" removed, "+a" added. */
function hunk(start: number, ...texts: string[]): DiffHunk {
  let [oldLine, newLine] = [start, start];
  const lines = texts.map((each): DiffHunk["lines"][number] => {
    const kind = each.startsWith("+") ? "added" : each.startsWith("-") ? "removed" : "context";
    return {
      kind,
      text: each.slice(1),
      end: "lf",
      oldLine: kind === "added" ? null : oldLine++,
      newLine: kind === "removed" ? null : newLine++,
    };
  });
  return {
    oldStart: start,
    oldLines: oldLine - start,
    newStart: start,
    newLines: newLine - start,
    heading: "",
    lines,
  };
}

const none = new Map<string, readonly string[]>();
const grid = gridOf([
  {
    title: null,
    hunks: rawOfMain([hunk(1, " one", "-let b = 1", "+let b = 2", "+let c", " end"), hunk(9, "-gone", " x")]),
  },
]);

describe("the rows of a difference", () => {
  it("are a line each, with a head before each hunk", () => {
    const rows = diffRows(grid, { split: false, commentsAt: none });
    expect(rows.map(({ kind }) => kind)).toEqual("hunk line line line line line hunk line line".split(" "));
    expect(rows.flatMap(linesOf).map(lineWords)).toEqual([
      "line 1: one",
      "removed, line 2: let b = 1",
      "added, line 2: let b = 2",
      "added, line 3: let c",
      "line 4: end",
      "removed, line 9: gone",
      "line 9: x",
    ]);
    expect(grid.hunks.map(({ title }) => title)).toEqual(["lines 1–4", "line 9"]);
  });

  it("are the same rows when a hunk before them comes or goes", () => {
    const first = hunk(1, " one", "-a", "+b");
    const second = hunk(9, "-gone", " x");
    for (const split of [false, true]) {
      const keys = (...hunks: DiffHunk[]) =>
        diffRows(gridOf([{ title: null, hunks: rawOfMain(hunks) }]), { split, commentsAt: none }).map(
          ({ key }) => key,
        );
      const both = keys(first, second);
      expect(new Set(both).size).toBe(both.length);
      expect(both).toEqual([...keys(first), ...keys(second)]);
      // Another change in the same place is another one; two that are alike are told apart.
      expect(keys(hunk(9, "-went", " x"))[0]).not.toBe(keys(second)[0]);
      const alike = keys(second, second);
      expect(new Set(alike).size).toBe(alike.length);
    }
  });

  it("mark the words that changed", () => {
    const marked = grid.hunks[0]?.lines.map(({ text, marks }) =>
      marks.map(({ start, end }) => text.slice(start, end)),
    );
    expect(marked).toEqual([[], ["1"], ["2"], [], []]);
  });

  it("put what was removed beside what came in its place", () => {
    const rows = diffRows(grid, { split: true, commentsAt: none });
    const texts = rows.map((row) => (row.kind === "pair" ? [row.left?.text, row.right?.text] : row.kind));
    expect(texts).toEqual([
      "hunk",
      ["one", "one"],
      ["let b = 1", "let b = 2"],
      [undefined, "let c"],
      ["end", "end"],
      "hunk",
      ["gone", undefined],
      ["x", "x"],
    ]);
  });

  it("have comments below their lines, and steps from change to change over them", () => {
    const commentsAt = new Map([["0.1", ["a"]]]);
    const rows = diffRows(grid, { split: false, commentsAt });
    expect(rows[3]).toMatchObject({ kind: "comment", commentId: "a" });
    expect(changeStarts(rows)).toEqual([2, 8]);
    expect(changeStarts(diffRows(grid, { split: true, commentsAt }))).toEqual([2, 7]);
  });

  it("say how a line ends where that is the change", () => {
    const crlf = hunk(1, "-same", "+same", "+more");
    (crlf.lines[1] as DiffHunk["lines"][number]).end = "crlf";
    (crlf.lines[2] as DiffHunk["lines"][number]).end = "none";
    const lines = gridOf([{ title: null, hunks: rawOfMain([crlf]) }]).hunks[0]?.lines;
    expect(lines?.map(({ endNote }) => endNote)).toEqual(["ends with LF", "ends with CR LF", "no line end"]);
  });

  it("have every line once, in both forms", () => {
    const line = fc.tuple(fc.constantFrom(" ", "-", "+"), fc.string({ maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(fc.array(line, { minLength: 1, maxLength: 12 }), { maxLength: 4 }), (hunks) => {
        const raw = rawOfMain(
          hunks.map((lines, at) => hunk(at * 100 + 1, ...lines.map((each) => each.join("")))),
        );
        const made = gridOf([{ title: "t", hunks: raw }]);
        const all = made.hunks.flatMap(({ lines }) => lines);
        for (const split of [false, true]) {
          const drawn = diffRows(made, { split, commentsAt: none }).flatMap(linesOf);
          expect(new Set(drawn)).toEqual(new Set(all));
          expect(drawn).toHaveLength(all.length);
        }
        for (const { side, index, text } of all) {
          expect((side === "old" ? made.oldText : made.newText).split("\n")[index]).toBe(
            text.split("\n")[0] === text ? text : expect.anything(),
          );
        }
      }),
    );
  });
});
