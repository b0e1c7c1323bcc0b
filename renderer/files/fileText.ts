// The text of a file that comes in pieces, as lines and as blocks that are coloured together. Pure.

import type { FileContent } from "../../preload/contract/finding";

export interface FileText {
  path: string;
  fullPath: string;
  bytes: number;
  modifiedAtMs: number;
  /** null: it is no text. */
  lines: readonly string[] | null;
  /** Where the next piece begins; null: all of it is here. */
  nextByte: number | null;
}

export function fileTextOf(first: FileContent): FileText {
  const { path, fullPath, bytes, modifiedAtMs, text, nextByte } = first;
  const lines = text === null ? null : linesOf(text);
  return { path, fullPath, bytes, modifiedAtMs, lines, nextByte };
}

/** null: the file has changed since the piece before, so that this one does not go on from it. */
export function withPiece(held: FileText, piece: FileContent): FileText | null {
  const isSame = piece.modifiedAtMs === held.modifiedAtMs && piece.bytes === held.bytes;
  if (!isSame || piece.fromByte !== held.nextByte || held.lines === null) return null;
  if (piece.text === null)
    return { ...held, nextByte: null, lines: [...held.lines, "[no text from here on]"] };
  const added = linesOf(piece.text);
  // A piece ends with a line where it can; the rest of a longer line belongs to what came before.
  const last = held.lines.at(-1) ?? "";
  const lines = [...held.lines.slice(0, -1), last + (added[0] ?? ""), ...added.slice(1)];
  return { ...held, lines, nextByte: piece.nextByte };
}

/** The empty text after the last line end is kept: it is where the next piece goes on. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** As they are shown: what comes after the last line end is no line. */
export function shownLineCount(lines: readonly string[]): number {
  return lines.length > 1 && lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

export interface Block {
  /** Of its first line, from 0. */
  from: number;
  code: string;
}

const mostBlockUnits = 50_000;

/** Together they have every line, in order. */
export function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  let units = 0;
  const close = (to: number) => {
    if (to > from) blocks.push({ from, code: lines.slice(from, to).join("\n") });
    from = to;
    units = 0;
  };
  lines.forEach((line, index) => {
    if (units > 0 && units + line.length > mostBlockUnits) close(index);
    units += line.length + 1;
  });
  close(lines.length);
  return blocks;
}

/** The block that has this line. */
export function blockAt(blocks: readonly Block[], line: number): Block | undefined {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((blocks[middle]?.from ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  return blocks[low];
}

/** The line that was asked for, as far as there is one; from 0. */
export function lineIndex(line: number, count: number): number {
  return Math.max(0, Math.min(count - 1, line - 1));
}
