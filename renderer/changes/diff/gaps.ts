// What is between the hunks of a difference, above the first and below the last: lines that are the same in both versions. Some
// of them are shown on demand, from either end. Pure.

import type { DiffHunk, DiffLine } from "../../../preload/contract/changes";

export type Direction = "down" | "up" | "all";

/** Lines of the new version, both included. */
export interface LineSpan {
  firstLine: number;
  lastLine: number;
}

export interface Gap {
  /** What of it is shown: after the hunk above it, and before the one below. */
  top: readonly DiffLine[];
  bottom: readonly DiffLine[];
  /** What is not shown of it; null: nothing. */
  hidden: LineSpan | null;
  /** Whether there is a hunk above and below it, from which it can be shown bit by bit. */
  above: boolean;
  below: boolean;
}

/** Lines of the new version that have been asked for, by their number. What number they have in the old one may change. */
export type ShownLines = ReadonlyMap<number, DiffLine>;

export const step = 20;
/** As many as are shown at once, however many there are. */
export const mostAtOnce = 2_000;

/** One before each hunk, and one after the last. `after`: how many lines follow that; null: it is not known. */
export function gapsOf(hunks: readonly DiffHunk[], after: number | null, shown: ShownLines): Gap[] {
  const gaps: Gap[] = [];
  let [nextOld, nextNew] = [1, 1];
  const add = (lastLine: number) => {
    const numbered = (newLine: number) => {
      const line = shown.get(newLine);
      return line && { ...line, newLine, oldLine: newLine + nextOld - nextNew };
    };
    const at = gaps.length;
    gaps.push(gapOf({ firstLine: nextNew, lastLine }, numbered, at > 0, at < hunks.length));
  };
  for (const { oldStart, oldLines, newStart, newLines } of hunks) {
    // Of no lines, git names the one before them.
    const first = newLines === 0 ? newStart + 1 : newStart;
    add(first - 1);
    nextNew = first + newLines;
    nextOld = (oldLines === 0 ? oldStart + 1 : oldStart) + oldLines;
  }
  add(nextNew + (after ?? 0) - 1);
  return gaps;
}

function gapOf(
  { firstLine, lastLine }: LineSpan,
  shown: (line: number) => DiffLine | undefined,
  above: boolean,
  below: boolean,
): Gap {
  const top: DiffLine[] = [];
  const bottom: DiffLine[] = [];
  let [first, last] = [firstLine, lastLine];
  for (let line = shown(first); line && first <= last; line = shown(first)) {
    top.push(line);
    first += 1;
  }
  for (let line = shown(last); line && last >= first; line = shown(last)) {
    bottom.unshift(line);
    last -= 1;
  }
  const hidden = first > last ? null : { firstLine: first, lastLine: last };
  return { top, bottom, hidden, above, below };
}

export function sizeOf({ firstLine, lastLine }: LineSpan): number {
  return lastLine - firstLine + 1;
}

/** What is shown next of it: on from the hunk above, back from the one below, or all of it. */
export function nextOf({ firstLine, lastLine }: LineSpan, direction: Direction): LineSpan {
  const most = direction === "all" ? mostAtOnce : step;
  if (direction === "up") return { firstLine: Math.max(firstLine, lastLine - most + 1), lastLine };
  return { firstLine, lastLine: Math.min(lastLine, firstLine + most - 1) };
}

/** What can be asked for: where little is left, all of it. */
export function waysOf(gap: Gap): Direction[] {
  if (gap.hidden === null) return [];
  if (sizeOf(gap.hidden) <= step) return ["all"];
  return [...(gap.above ? (["down"] as const) : []), ...(gap.below ? (["up"] as const) : []), "all"];
}

export function gapWords({ firstLine, lastLine }: LineSpan): string {
  const many = lastLine - firstLine + 1;
  return `${many.toLocaleString("en")} ${many === 1 ? "line" : "lines"}`;
}

/** Of a row, to whoever hears it. */
export function hiddenWords(span: LineSpan): string {
  return `${gapWords(span)} that ${sizeOf(span) === 1 ? "is" : "are"} the same, not shown`;
}

export function showAllWords(span: LineSpan): string {
  if (sizeOf(span) === 1) return `Show line ${span.firstLine}`;
  return `Show all ${gapWords(span)} from line ${span.firstLine}`;
}
