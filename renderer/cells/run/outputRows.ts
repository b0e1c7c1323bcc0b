// The output of a run as rows of a list of which only the part in view is drawn. One item may have very many lines, or one
// very long one: it is cut into pieces that are drawn by themselves. Objects that the script has written, which come as
// indented JSON, can be folded. Pure.

import type { RunOutputItem } from "../../../preload/contract/cells";

export type OutputRow = { key: string; item: number } & (
  | { kind: "text"; text: string; lines: number }
  /** The head of an object: what it is in short, and whether its lines follow. */
  | { kind: "fold"; brief: string; lines: number; open: boolean }
  | { kind: "image"; dataUrl: string }
  | { kind: "notice"; text: string }
);

/** Of an item as it is, whatever its number: one of these for each row. */
type Piece =
  | { kind: "text"; text: string; lines: number }
  | { kind: "object"; brief: string; lines: number; texts: readonly Piece[] }
  | { kind: "image"; dataUrl: string }
  | { kind: "notice"; text: string };

const mostLines = 40;
const mostUnits = 4_000;
/** An object of fewer lines is as easily read as folded. */
const leastFoldedLines = 4;
/** One of more lines is folded until somebody opens it. */
const mostOpenLines = 24;
/** What is longer is shown as the text that it is. */
const longestObjectUnits = 400_000;
const briefUnits = 140;

const pieces = new WeakMap<RunOutputItem, readonly Piece[]>();

function piecesOf(item: RunOutputItem): readonly Piece[] {
  const known = pieces.get(item);
  if (known) return known;
  const made = cut(item);
  pieces.set(item, made);
  return made;
}

function cut(item: RunOutputItem): readonly Piece[] {
  switch (item.type) {
    case "text": {
      const object = objectIn(item.text);
      return object === null ? textPieces(item.text) : [object];
    }
    case "image":
      return [{ kind: "image", dataUrl: item.dataUrl }];
    case "notice":
      return [{ kind: "notice", text: item.text }];
    default: {
      const unknown: never = item;
      return unknown;
    }
  }
}

/** At line ends where there are some, else wherever it has become too long; never within a character. */
function textPieces(text: string): Piece[] {
  const made: Piece[] = [];
  let start = 0;
  while (start < text.length) {
    let end = start;
    let lines = 0;
    while (lines < mostLines && end < text.length) {
      const next = text.indexOf("\n", end);
      const lineEnd = next === -1 ? text.length : next + 1;
      if (lineEnd - start > mostUnits) break;
      end = lineEnd;
      lines += 1;
    }
    if (end === start) {
      end = Math.min(text.length, start + mostUnits);
      // Not between the two halves of a character.
      if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end -= 1;
      lines = 1;
    }
    // The row ends the line; the last line end of an item was written to end it, too.
    made.push({ kind: "text", text: text.slice(start, end).replace(/\n$/, ""), lines });
    start = end;
  }
  return made.length === 0 ? [{ kind: "text", text: "", lines: 1 }] : made;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function objectIn(text: string): Piece | null {
  if (text.length > longestObjectUnits || !/^[[{]\s*\n/.test(text) || !/\n[\]}]$/.test(text)) return null;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  if (lines < leastFoldedLines) return null;
  try {
    return { kind: "object", brief: briefOf(JSON.parse(text)), lines, texts: textPieces(text) };
  } catch {
    // Text that only looks like an object.
    return null;
  }
}

/** "{ title: "Race", files: […] }": what is in it one level deep. */
function briefOf(value: unknown): string {
  const parts: string[] = [];
  let units = 0;
  const add = (part: string) => {
    parts.push(part);
    units += part.length + 2;
    return units < briefUnits;
  };
  const isList = Array.isArray(value);
  const entries = Object.entries(value as object);
  let isWhole = true;
  for (const [name, inner] of entries) {
    if (add(isList ? shortOf(inner) : `${name}: ${shortOf(inner)}`)) continue;
    isWhole = parts.length === entries.length;
    break;
  }
  const within = isWhole ? parts.join(", ") : `${parts.join(", ")}, …`;
  return isList ? `[${within}]` : `{ ${within} }`;
}

const longestShownString = 40;

function shortOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]";
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0 ? "{}" : "{…}";
  if (typeof value === "string" && value.length > longestShownString) {
    return JSON.stringify(`${value.slice(0, longestShownString)}…`);
  }
  return JSON.stringify(value);
}

/** `folded`: what somebody has folded or opened, by the number of the item. */
export type Folded = ReadonlyMap<number, boolean>;

function rowsOfItem(item: RunOutputItem, number: number, folded: Folded): OutputRow[] {
  return piecesOf(item).flatMap((piece, index): OutputRow | OutputRow[] => {
    const key = `${number}.${index}`;
    if (piece.kind !== "object") return { ...piece, key, item: number };
    const open = !(folded.get(number) ?? piece.lines > mostOpenLines);
    const head: OutputRow = {
      kind: "fold",
      key: `${number}.f`,
      item: number,
      brief: piece.brief,
      lines: piece.lines,
      open,
    };
    if (!open) return head;
    return [
      head,
      ...piece.texts.flatMap((text, at): OutputRow | [] =>
        text.kind === "text" ? { ...text, key: `${number}.${at}`, item: number } : [],
      ),
    ];
  });
}

export type RowsOf = (
  output: readonly RunOutputItem[],
  earlierOutput: number,
  folded: Folded,
) => readonly OutputRow[];

/** Makes rows, and when output has been added to what it was given last, only those of what is new. */
export function outputRowKeeper(): RowsOf {
  let last: {
    output: readonly RunOutputItem[];
    earlier: number;
    folded: Folded;
    rows: readonly OutputRow[];
  } | null = null;
  return (output, earlier, folded) => {
    let rows: readonly OutputRow[] = [];
    let from = 0;
    if (last && last.folded === folded && last.earlier === earlier && continues(last.output, output)) {
      if (last.output.length === output.length) return last.rows;
      ({ rows } = last);
      from = last.output.length;
    }
    const added = output
      .slice(from)
      .flatMap((item, index) => rowsOfItem(item, earlier + from + index, folded));
    rows = rows.length === 0 ? added : rows.concat(added);
    last = { output, earlier, folded, rows };
    return rows;
  };
}

function continues(before: readonly RunOutputItem[], now: readonly RunOutputItem[]): boolean {
  const end = before.length - 1;
  return now.length >= before.length && now[0] === before[0] && now[end] === before[end];
}

const lineHeightPx = 18;
/** Of the type that the output is set in, and what stands beside it. */
const unitPx = 7.2;
const besidePx = 32;
const leastRoomPx = 100;

/** How high a row is taken to be until it has been drawn. */
export function guessedHeightPx(row: OutputRow | undefined, widthPx: number): number {
  // A pane that is just being opened has none yet.
  const roomPx = Math.max(leastRoomPx, widthPx - besidePx);
  switch (row?.kind) {
    case undefined:
      return 0;
    case "text":
      return Math.max(row.lines, Math.ceil((row.text.length * unitPx) / roomPx)) * lineHeightPx;
    case "fold":
      return 24;
    case "image":
      return 240;
    case "notice":
      return 36;
    default:
      return row satisfies never;
  }
}
