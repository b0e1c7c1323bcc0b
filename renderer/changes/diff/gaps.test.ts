import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DiffHunk, DiffLine } from "../../../preload/contract/changes";
import { gapsOf, hiddenWords, nextOf, type ShownLines, showAllWords, waysOf } from "./gaps";
import { chosenRange, gridKey, hunkAt } from "./gridKeys";
import { diffRows, gridOf, linesOf, rawOfMain } from "./rows";

const line = (kind: DiffLine["kind"], oldLine: number | null, newLine: number | null): DiffLine => ({
  kind,
  text: `${newLine ?? oldLine}`,
  end: "lf",
  oldLine,
  newLine,
});

/** At line 10 of a file, one line became two; at line 40 (41 by then) one went. */
const hunks: DiffHunk[] = [
  {
    oldStart: 10,
    oldLines: 1,
    newStart: 10,
    newLines: 2,
    heading: "",
    lines: [line("removed", 10, null), line("added", null, 10), line("added", null, 11)],
  },
  { oldStart: 40, oldLines: 1, newStart: 40, newLines: 0, heading: "", lines: [line("removed", 40, null)] },
];
const shown = (...numbers: number[]): ShownLines =>
  new Map(numbers.map((number) => [number, line("context", 0, number)]));
const none = new Map<string, readonly string[]>();

describe("what is around hunks", () => {
  it("is between them, above the first and below the last", () => {
    expect(gapsOf(hunks, 5, shown()).map(({ hidden }) => hidden)).toEqual([
      { firstLine: 1, lastLine: 9 },
      { firstLine: 12, lastLine: 40 },
      { firstLine: 41, lastLine: 45 },
    ]);
    expect(gapsOf(hunks, 0, shown())[2]?.hidden).toBeNull();
    expect(gapsOf(hunks, null, shown())[2]?.hidden).toBeNull();
  });

  it("is shown from either end, with its number in the old version, also when a hunk before it was staged meanwhile", () => {
    const [, between] = gapsOf(hunks, 5, shown(12, 13, 39, 40, 20));
    expect(between?.top.map(({ oldLine, newLine }) => [oldLine, newLine])).toEqual([
      [11, 12],
      [12, 13],
    ]);
    expect(between?.bottom.map(({ oldLine, newLine }) => [oldLine, newLine])).toEqual([
      [38, 39],
      [39, 40],
    ]);
    expect(between?.hidden).toEqual({ firstLine: 14, lastLine: 38 });
    const [before] = gapsOf(hunks.slice(1), 5, shown(1, 39, 40));
    expect(before).toMatchObject({ top: [{ oldLine: 1 }], bottom: [{ oldLine: 39 }, { oldLine: 40 }] });
  });

  it("is asked for bit by bit, or all at once; a little is not divided", () => {
    const [first, between, last] = gapsOf(hunks, 100, shown());
    expect([first, between, last].map((gap) => gap && waysOf(gap))).toEqual([
      ["all"],
      ["down", "up", "all"],
      ["down", "all"],
    ]);
    const span = { firstLine: 12, lastLine: 40 };
    expect(nextOf(span, "down")).toEqual({ firstLine: 12, lastLine: 31 });
    expect(nextOf(span, "up")).toEqual({ firstLine: 21, lastLine: 40 });
    expect(nextOf(span, "all")).toEqual(span);
    expect(nextOf({ firstLine: 1, lastLine: 9_000 }, "all")).toEqual({ firstLine: 1, lastLine: 2_000 });
  });

  it("stands in the order of the file, whatever of it is shown, and hunks stay what they are", () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(numbers, fc.boolean(), (asked, split) => {
        const gaps = gapsOf(hunks, 20, shown(...asked));
        const grid = gridOf([{ title: null, hunks: rawOfMain(hunks), gaps }]);
        const rows = diffRows(grid, { split, commentsAt: none });
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
        const news = rows.flatMap(linesOf).flatMap(({ newLine }) => newLine ?? []);
        expect(news).toEqual([...news].sort((a, b) => a - b));
        expect(grid.lines.flatMap(({ newLine }) => newLine ?? [])).toEqual(news);
        const hidden = gaps.flatMap((gap) =>
          gap.hidden ? [gap.hidden.lastLine - gap.hidden.firstLine + 1] : [],
        );
        expect(news.length + hidden.reduce((sum, each) => sum + each, 0)).toBe(60);
        for (const each of grid.lines) {
          const text = each.side === "old" ? grid.oldText : grid.newText;
          expect(text.split("\n")[each.index]).toBe(each.text);
        }
        expect(grid.hunks.map(({ number, lines }) => [number, lines.length])).toEqual([
          [0, 3],
          [1, 1],
        ]);
      }),
    );
  });

  it("belongs to no hunk: a choice of lines does not go over what is not shown", () => {
    const gaps = gapsOf(hunks, 0, shown(12, 13, 40));
    const rows = diffRows(gridOf([{ title: null, hunks: rawOfMain(hunks), gaps }]), {
      split: false,
      commentsAt: none,
    });
    // 0 gap, 1 hunk, 2-4 its lines, 5-6 shown, 7 gap, 8 shown, 9 hunk, 10 its line
    expect(rows.map((_, at) => hunkAt(rows, at))).toEqual([null, 0, 0, 0, 0, null, null, null, null, 1, 1]);
    expect(chosenRange(rows, 5, 8)).toEqual({ from: 5, to: 6 });
    expect(chosenRange(rows, 4, 6)).toEqual({ from: 4, to: 4 });
    const press = { key: "e", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    const more = (at: number) => gridKey(rows, at, press);
    const [up, down] = [
      { at: 0, direction: "up" },
      { at: 1, direction: "down" },
    ];
    expect(more(3)).toEqual({ do: "more", gaps: [up, down] });
    expect(more(6)).toEqual({ do: "more", gaps: [down] });
    expect(more(7)).toEqual({ do: "more", gaps: [{ at: 1, direction: "all" }] });
    for (const at of [8, 9, 10]) {
      expect(more(at)).toEqual({ do: "more", gaps: [{ at: 1, direction: "up" }] });
    }
    expect(gridKey(rows.slice(9), 0, press)).toBeNull();
  });
});

it("one line is one line, in its words too", () => {
  expect(hiddenWords({ firstLine: 5, lastLine: 5 })).toBe("1 line that is the same, not shown");
  expect(showAllWords({ firstLine: 5, lastLine: 5 })).toBe("Show line 5");
  expect(hiddenWords({ firstLine: 5, lastLine: 7 })).toBe("3 lines that are the same, not shown");
  expect(showAllWords({ firstLine: 5, lastLine: 7 })).toBe("Show all 3 lines from line 5");
});
