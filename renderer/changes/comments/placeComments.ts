// Where comments stand in a difference that may be another one than they were made in. Pure.
//
// A comment belongs to words, not to numbers: where its lines stand exactly once it is shown there, wherever that is now.
// Where they stand no more it is outdated, and kept.

import type { LineRange } from "../../../preload/contract/comments";
import { type Grid, type GridLine, lineKey, type Side } from "../diff/rows";

export type Standing = "here" | "moved" | "outdated" | "elsewhere";

export interface Placed {
  /**
   * `here`: at its lines. `moved`: the same lines, further up or down. `outdated`: its lines are others now. `elsewhere`: what
   * is shown of the file does not reach to its lines.
   */
  standing: Standing;
  /** The line that it stands below; null: none that is shown. */
  below: string | null;
  /** The lines that it is about now. */
  firstLine: number;
  lastLine: number;
}

interface SideLine {
  number: number;
  text: string;
  key: string;
  /** Follows on from the one before it. */
  follows: boolean;
}

function sideLines(grid: Grid, side: Side): SideLine[] {
  const lines: SideLine[] = [];
  for (const line of grid.lines) {
    const number = side === "new" ? line.newLine : line.oldLine;
    if (number === null) continue;
    const before = lines.at(-1);
    lines.push({ number, text: line.text, key: lineKey(line), follows: before?.number === number - 1 });
  }
  return lines;
}

/** In the order in which they were given. */
export function placeComments(grid: Grid, comments: readonly LineRange[]): Placed[] {
  const sides = { new: sideLines(grid, "new"), old: sideLines(grid, "old") };
  return comments.map((comment) => place(sides[comment.side], comment));
}

function place(lines: readonly SideLine[], { firstLine, lastLine, quote }: LineRange): Placed {
  const quoted = quote.split("\n");
  const last = lines.find(({ number }) => number === lastLine);
  const first = lines.findIndex(({ number }) => number === firstLine);
  if (first >= 0 && standsAt(lines, first, quoted) && lines[first + quoted.length - 1] === last) {
    return { standing: "here", below: last?.key ?? null, firstLine, lastLine };
  }
  const starts = lines.flatMap((_, at) => (standsAt(lines, at, quoted) ? [at] : []));
  const [start] = starts;
  if (start !== undefined && starts.length === 1 && quote.trim() !== "") {
    const [from, to] = [lines[start], lines[start + quoted.length - 1]];
    if (from && to) return { standing: "moved", below: to.key, firstLine: from.number, lastLine: to.number };
  }
  const near = lines.findLast(({ number }) => number >= firstLine && number <= lastLine);
  if (!near) return { standing: "elsewhere", below: null, firstLine, lastLine };
  return { standing: "outdated", below: near.key, firstLine, lastLine };
}

function standsAt(lines: readonly SideLine[], at: number, quoted: readonly string[]): boolean {
  return quoted.every((text, offset) => {
    const line = lines[at + offset];
    return line !== undefined && line.text === text && (offset === 0 || line.follows);
  });
}

/**
 * What a comment on these lines is about: a stretch of one side. Of lines of both, the new ones, which the agent can see;
 * only of removed ones the old.
 */
export function rangeOf(path: string, lines: readonly GridLine[]): LineRange | null {
  const side: Side = lines.some(({ newLine }) => newLine !== null) ? "new" : "old";
  const numbered = lines.flatMap((line) => {
    const number = side === "new" ? line.newLine : line.oldLine;
    return number === null ? [] : [{ number, text: line.text }];
  });
  // Only a stretch without a gap can be quoted as one.
  const isGap = (at: number) => at > 0 && numbered[at]?.number !== (numbered[at - 1]?.number ?? 0) + 1;
  const gap = numbered.findIndex((_, at) => isGap(at));
  const stretch = gap < 0 ? numbered : numbered.slice(0, gap);
  const [first] = stretch;
  const last = stretch.at(-1);
  if (!first || !last) return null;
  return {
    path,
    side,
    firstLine: first.number,
    lastLine: last.number,
    quote: stretch.map(({ text }) => text).join("\n"),
  };
}

export function rangeWords({ side, firstLine, lastLine }: Omit<LineRange, "path" | "quote">): string {
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine}–${lastLine}`;
  return side === "old" ? `${lines} before the change` : lines;
}
