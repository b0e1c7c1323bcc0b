// Finds words in what a terminal has printed. Case counts only if there is a capital in what is looked for. Pure.

import { type BufferRows, type Cell, cellsOf, lineAt } from "./bufferLines";

export interface Match {
  first: Cell;
  cells: number;
}

/** Of more than these, the newest. */
const mostMatches = 2_000;

/** From the top to the bottom. */
export function findMatches(buffer: BufferRows, words: string): Match[] {
  if (words === "") return [];
  const isExact = words !== words.toLowerCase();
  const wanted = isExact ? words : words.toLowerCase();
  const found: Match[] = [];
  for (let y = buffer.length - 1; y >= 0 && found.length < mostMatches; ) {
    const line = lineAt(buffer, y);
    const lower = isExact ? line.text : line.text.toLowerCase();
    // Lowering a letter may make it longer; places are only told of a text of the same length.
    const text = lower.length === line.text.length ? lower : line.text;
    const here: Match[] = [];
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      const cells = cellsOf(buffer, line, at, at + wanted.length);
      if (cells !== null) here.push({ first: cells.first, cells: cells.cells });
    }
    found.push(...here.reverse());
    y = line.from - 1;
  }
  return found.slice(0, mostMatches).reverse();
}

/** Which match is gone to from one place. `from` null: the newest. Null: there is none. */
export function nextMatch(matches: readonly Match[], from: Cell | null, by: 1 | -1): number | null {
  if (matches.length === 0) return null;
  if (from === null) return matches.length - 1;
  const order = ({ first }: Match) => first.y - from.y || first.x - from.x;
  if (by === 1) {
    const after = matches.findIndex((match) => order(match) > 0);
    return after === -1 ? 0 : after;
  }
  const before = matches.findLastIndex((match) => order(match) < 0);
  return before === -1 ? matches.length - 1 : before;
}
