// What a key does in a difference. Pure.

import type { Direction } from "./gaps";
import { changeStarts, type DiffRow, linesOf } from "./rows";

export interface GridPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

export type GridAction =
  | { do: "move"; to: number; extend: boolean }
  /** No further change in this direction: the next file's. */
  | { do: "file"; by: 1 | -1 }
  /** To the person's editor. */
  | { do: "editor" }
  /** More of what is around. */
  | { do: "more"; gaps: readonly { at: number; direction: Direction }[] }
  | { do: "comment" | "stage" | "unstage" | "discard" | "enter" | "clear" };

const rowsPerPage = 24;

export function gridKey(rows: readonly DiffRow[], active: number, press: GridPress): GridAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const last = rows.length - 1;
  const move = (to: number): GridAction => ({
    do: "move",
    to: Math.max(0, Math.min(last, to)),
    extend: press.shiftKey,
  });
  switch (press.key) {
    case "ArrowDown":
      return move(active + 1);
    case "ArrowUp":
      return move(active - 1);
    case "PageDown":
      return move(active + rowsPerPage);
    case "PageUp":
      return move(active - rowsPerPage);
    case "Home":
      return move(0);
    case "End":
      return move(last);
    case "Enter":
      return { do: "enter" };
    case "Escape":
      return { do: "clear" };
    default:
  }
  switch (press.key.toLowerCase()) {
    case "j":
    case "n":
      return toChange(rows, active, 1);
    case "k":
    case "p":
      return toChange(rows, active, -1);
    case "[":
      return { do: "file", by: -1 };
    case "]":
      return { do: "file", by: 1 };
    case "c":
      return { do: "comment" };
    case "e":
      return more(rows, active);
    case "o":
      return { do: "editor" };
    case "s":
      return { do: "stage" };
    case "u":
      return { do: "unstage" };
    case "x":
    case "delete":
      return { do: "discard" };
    default:
      return null;
  }
}

function toChange(rows: readonly DiffRow[], active: number, by: 1 | -1): GridAction {
  const starts = changeStarts(rows);
  const to = by === 1 ? starts.find((start) => start > active) : starts.findLast((start) => start < active);
  return to === undefined ? { do: "file", by } : { do: "move", to, extend: false };
}

/** Of a gap, all of it; in a hunk, some of what is above and below it. */
function more(rows: readonly DiffRow[], active: number): GridAction | null {
  const row = rows[active];
  if (row?.kind === "gap") return { do: "more", gaps: [{ at: row.at, direction: "all" }] };
  const own = hunkAt(rows, active);
  const ends = (each: DiffRow) =>
    each.kind === "gap" || ("hunk" in each && each.hunk !== null && each.hunk !== own);
  const above = rows.slice(0, active).findLast(ends);
  const below = rows.slice(active + 1).find(ends);
  const gaps = [
    ...(above?.kind === "gap" ? [{ at: above.at, direction: "up" as const }] : []),
    ...(below?.kind === "gap" ? [{ at: below.at, direction: "down" as const }] : []),
  ];
  return gaps.length === 0 ? null : { do: "more", gaps };
}

/** The rows from one to another, of which only those of the hunk that the first is in: a choice does not go beyond it. */
export function chosenRange(
  rows: readonly DiffRow[],
  anchor: number,
  active: number,
): { from: number; to: number } {
  const hunk = hunkAt(rows, anchor);
  const step = active < anchor ? -1 : 1;
  let end = anchor;
  for (let at = anchor; at !== active + step; at += step) {
    const row = rows[at];
    if (row === undefined || row.kind === "gap") break;
    if (row.kind !== "comment" && hunkAt(rows, at) !== hunk) break;
    if (linesOf(row).length > 0) end = at;
  }
  return { from: Math.min(anchor, end), to: Math.max(anchor, end) };
}

/** The hunk that a row belongs to; null: none. */
export function hunkAt(rows: readonly DiffRow[], at: number): number | null {
  for (let index = at; index >= 0; index -= 1) {
    const row = rows[index];
    if (row === undefined || row.kind === "section" || row.kind === "gap") return null;
    if (row.kind !== "comment") return row.hunk;
  }
  return null;
}

/** The row of the lines that the comment in this row is on; null: it is none of a comment. */
export function commentedRow(rows: readonly DiffRow[], at: number): number | null {
  if (rows[at]?.kind !== "comment") return null;
  const above = rows.slice(0, at).findLastIndex((row) => linesOf(row).length > 0);
  return above < 0 ? null : above;
}
