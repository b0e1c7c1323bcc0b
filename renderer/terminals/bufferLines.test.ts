import { describe, expect, it } from "vitest";
import { type BufferRows, cellsOf, lineAt } from "./bufferLines";
import { findMatches, nextMatch } from "./findText";
import { webLinks } from "./webLinks";

const isWide = (character: string) => /[\u3000-\u9fff]/.test(character);

/** Rows of `columns` cells; a line that is longer goes on in the next row. */
function bufferOf(columns: number, ...lines: string[]): BufferRows {
  const rows: { isWrapped: boolean; cells: { chars: string; width: number }[] }[] = [];
  for (const line of lines) {
    let cells: { chars: string; width: number }[] = [];
    rows.push({ isWrapped: false, cells });
    for (const chars of line) {
      const width = isWide(chars) ? 2 : 1;
      if (cells.length + width > columns) {
        cells = [];
        rows.push({ isWrapped: true, cells });
      }
      cells.push({ chars, width });
      if (width === 2) cells.push({ chars: "", width: 0 });
    }
  }
  return {
    length: rows.length,
    getLine(y) {
      const row = rows[y];
      if (row === undefined) return undefined;
      const text = row.cells.filter(({ width }) => width > 0).map(({ chars }) => chars);
      const pad = " ".repeat(Math.max(0, columns - row.cells.length));
      return {
        isWrapped: row.isWrapped,
        length: columns,
        translateToString: (trim) => (trim ? text.join("").trimEnd() : text.join("") + pad),
        getCell(x) {
          const cell = row.cells[x] ?? { chars: "", width: 1 };
          return { getChars: () => cell.chars, getWidth: () => cell.width };
        },
      };
    },
  };
}

describe("a line", () => {
  it("goes on over rows, and its characters know their cells", () => {
    const buffer = bufferOf(4, "one", "abcdefghij", "two");
    for (const y of [1, 2, 3]) expect(lineAt(buffer, y)).toEqual({ from: 1, to: 4, text: "abcdefghij" });
    const line = lineAt(buffer, 2);
    expect(cellsOf(buffer, line, 3, 6)).toEqual({ first: { x: 3, y: 1 }, last: { x: 1, y: 2 }, cells: 3 });
    expect(cellsOf(buffer, line, 30, 31)).toBeNull();
  });

  it("has characters of two cells", () => {
    const buffer = bufferOf(10, "日本go");
    const line = lineAt(buffer, 0);
    expect(line.text).toBe("日本go");
    expect(cellsOf(buffer, line, 1, 3)).toEqual({ first: { x: 2, y: 0 }, last: { x: 4, y: 0 }, cells: 3 });
  });
});

describe("finding", () => {
  const buffer = bufferOf(6, "Error here", "no error", "none");

  it("is from the top to the bottom, over the ends of rows, and minds capitals only if there are some", () => {
    expect(findMatches(buffer, "error").map(({ first }) => first)).toEqual([
      { x: 0, y: 0 },
      { x: 3, y: 2 },
    ]);
    expect(findMatches(buffer, "Error")).toEqual([{ first: { x: 0, y: 0 }, cells: 5 }]);
    expect(findMatches(buffer, "r h")).toEqual([{ first: { x: 4, y: 0 }, cells: 3 }]);
    expect(findMatches(buffer, "")).toEqual([]);
  });

  it("begins with the newest and goes round", () => {
    const matches = findMatches(buffer, "error");
    expect(nextMatch(matches, null, -1)).toBe(1);
    expect(nextMatch(matches, { x: 3, y: 2 }, -1)).toBe(0);
    expect(nextMatch(matches, { x: 0, y: 0 }, -1)).toBe(1);
    expect(nextMatch(matches, { x: 3, y: 2 }, 1)).toBe(0);
    expect(nextMatch([], null, 1)).toBeNull();
  });
});

it("an address of a page ends before what ends a sentence or closes a bracket", () => {
  const urls = (text: string) => webLinks(text).map(({ url }) => url);
  expect(urls("see http://127.0.0.1:5173/, or (https://example.org/a_(b)).")).toEqual([
    "http://127.0.0.1:5173/",
    "https://example.org/a_(b)",
  ]);
  expect(urls("file:///etc/passwd javascript:alert(1) https:// http://")).toEqual([]);
  expect(webLinks("a https://x.org b")).toEqual([{ url: "https://x.org", start: 2, end: 15 }]);
});
