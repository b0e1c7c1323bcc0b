// What stands on a terminal, as lines of text: a line that goes on in the next row is one line. Each character knows its cell,
// since some are two cells wide and some have several units.

/** What of the emulator's buffer is used here. */
export interface BufferRows {
  readonly length: number;
  getLine(y: number):
    | {
        readonly isWrapped: boolean;
        readonly length: number;
        translateToString(trimRight?: boolean): string;
        getCell(x: number): { getChars(): string; getWidth(): number } | undefined;
      }
    | undefined;
}

export interface Cell {
  x: number;
  y: number;
}

export interface BufferLine {
  /** Its rows, the last one not included. */
  from: number;
  to: number;
  text: string;
}

/** No line is followed for longer. */
const mostRows = 200;

/** The line that row `y` belongs to. */
export function lineAt(buffer: BufferRows, y: number): BufferLine {
  let from = y;
  while (from > 0 && y - from < mostRows && buffer.getLine(from)?.isWrapped) from -= 1;
  let to = y + 1;
  while (to < buffer.length && to - y < mostRows && buffer.getLine(to)?.isWrapped) to += 1;
  let text = "";
  for (let row = from; row < to; row += 1) {
    text += buffer.getLine(row)?.translateToString(row === to - 1) ?? "";
  }
  return { from, to, text };
}

/** Where the characters of a part of a line stand. `start` and `end` count units of its text. */
export function cellsOf(
  buffer: BufferRows,
  { from, to }: BufferLine,
  start: number,
  end: number,
): { first: Cell; last: Cell; cells: number } | null {
  let at = 0;
  let first: Cell | null = null;
  let last: Cell | null = null;
  let cells = 0;
  for (let y = from; y < to; y += 1) {
    const line = buffer.getLine(y);
    for (let x = 0; line !== undefined && x < line.length; x += 1) {
      const cell = line.getCell(x);
      const width = cell?.getWidth() ?? 1;
      // The second half of a wide character has none.
      if (width === 0) continue;
      const units = Math.max(1, cell?.getChars().length ?? 0);
      if (at >= end) break;
      if (at + units > start) {
        first ??= { x, y };
        last = { x: x + width - 1, y };
        cells += width;
      }
      at += units;
    }
    if (at >= end) break;
  }
  return first === null || last === null ? null : { first, last, cells };
}
