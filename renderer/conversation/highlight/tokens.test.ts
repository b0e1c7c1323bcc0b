import fc from "fast-check";
import { expect, test } from "vitest";
import { markPieces, piecesOf } from "./tokens";

test("lengths and classes cut a line into pieces", () => {
  expect(piecesOf("const a;", [5, 1, 1, 0, 1, 0, 1, 9])).toEqual([
    { text: "const", token: "keyword" },
    { text: " a", token: "plain" },
    { text: ";", token: "punctuation" },
  ]);
});

test("without tokens, and beyond them, a line is plain", () => {
  expect(piecesOf("abc", undefined)).toEqual([{ text: "abc", token: "plain" }]);
  expect(piecesOf("abc", [1, 1])).toEqual([
    { text: "a", token: "keyword" },
    { text: "bc", token: "plain" },
  ]);
  expect(piecesOf("", [3, 1])).toEqual([]);
});

test("marks cut across pieces", () => {
  const pieces = piecesOf("abcdef", [3, 1, 3, 2]);
  expect(markPieces(pieces, [{ start: 2, end: 4 }])).toEqual([
    { text: "ab", token: "keyword", marked: false },
    { text: "c", token: "keyword", marked: true },
    { text: "d", token: "string", marked: true },
    { text: "ef", token: "string", marked: false },
  ]);
});

test("no character is lost, whatever the tokens and marks say", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.array(fc.nat(20), { maxLength: 12 }),
      fc.uniqueArray(fc.nat(30), { maxLength: 6 }),
      (line, tokens, edges) => {
        const sorted = edges.sort((a, b) => a - b);
        const ranges: { start: number; end: number }[] = [];
        for (let at = 0; at + 1 < sorted.length; at += 2)
          ranges.push({ start: sorted[at] ?? 0, end: sorted[at + 1] ?? 0 });
        const marked = markPieces(piecesOf(line, tokens), ranges);
        expect(marked.map((piece) => piece.text).join("")).toBe(line);
        const inRanges = [...Array(line.length).keys()].filter((at) =>
          ranges.some((range) => at >= range.start && at < range.end),
        ).length;
        expect(
          marked.filter((piece) => piece.marked).reduce((sum, piece) => sum + piece.text.length, 0),
        ).toBe(inRanges);
      },
    ),
  );
});
