import { describe, expect, it } from "vitest";
import type { LineRange } from "../../../preload/contract/comments";
import { gridOf, type RawHunk } from "../diff/rows";
import { placeComments, rangeOf } from "./placeComments";

function grid(...hunks: { start: number; lines: string[] }[]) {
  const raw = hunks.map(({ start, lines }): RawHunk => {
    let [oldLine, newLine] = [start, start];
    return {
      heading: "",
      oldStart: start,
      newStart: start,
      lines: lines.map((each) => {
        const kind = each.startsWith("+") ? "added" : each.startsWith("-") ? "removed" : "context";
        return {
          kind,
          text: each.slice(1),
          oldLine: kind === "added" ? null : oldLine++,
          newLine: kind === "removed" ? null : newLine++,
          endNote: null,
        };
      }),
    };
  });
  return gridOf([{ title: null, hunks: raw }]);
}

const shown = grid({ start: 1, lines: [" a", "-b", "+B", "+c", " d"] }, { start: 20, lines: [" t", "+u"] });

function range(part: Partial<LineRange>): LineRange {
  return { path: "f", side: "new", firstLine: 2, lastLine: 3, quote: "B\nc", ...part };
}

const standing = (part: Partial<LineRange>) => placeComments(shown, [range(part)])[0];

describe("where a comment stands", () => {
  it("is below its last line as long as the lines are the same", () => {
    expect(standing({})).toEqual({ standing: "here", below: "0.3", firstLine: 2, lastLine: 3 });
    expect(standing({ side: "old", firstLine: 2, lastLine: 2, quote: "b" })).toMatchObject({
      standing: "here",
      below: "0.1",
    });
  });

  it("goes with its lines when they have moved", () => {
    expect(standing({ firstLine: 12, lastLine: 13 })).toEqual({
      standing: "moved",
      below: "0.3",
      firstLine: 2,
      lastLine: 3,
    });
  });

  it("is outdated where its lines are others now, and elsewhere where they are not shown", () => {
    expect(standing({ quote: "b\nc" })).toMatchObject({ standing: "outdated", below: "0.3" });
    expect(standing({ firstLine: 8, lastLine: 9, quote: "x" })).toMatchObject({
      standing: "elsewhere",
      below: null,
    });
  });

  it("is not guessed where its lines stand twice, or say nothing", () => {
    const twice = grid({ start: 1, lines: ["+x", " y", "+x"] });
    const lost = range({ firstLine: 9, lastLine: 9, quote: "x" });
    expect(placeComments(twice, [lost])[0]?.standing).toBe("elsewhere");
    const blank = grid({ start: 1, lines: ["+", " y"] });
    expect(placeComments(blank, [{ ...lost, quote: "" }])[0]?.standing).toBe("elsewhere");
  });
});

describe("what a comment on chosen lines is about", () => {
  const lines = shown.hunks.flatMap((hunk) => hunk.lines);

  it("is the new side where there is one", () => {
    expect(rangeOf("f", lines.slice(1, 4))).toEqual(range({}));
    expect(rangeOf("f", lines.slice(1, 2))).toEqual(
      range({ side: "old", firstLine: 2, lastLine: 2, quote: "b" }),
    );
  });

  it("is one stretch", () => {
    expect(rangeOf("f", lines)).toMatchObject({ firstLine: 1, lastLine: 4, quote: "a\nB\nc\nd" });
    expect(rangeOf("f", [])).toBeNull();
  });
});
