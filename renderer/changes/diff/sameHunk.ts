// Finds a hunk again in a newer difference of the same file. Pure.

import type { FileDiff } from "../../../preload/contract/changes";
import type { DiffHunk } from "./rows";

/**
 * The number that the hunk has in `now`; null when it is not there to the letter: the same lines, those around it included, in
 * the same place of one of the two versions. In the other one it may have moved, because parts before it came or went there.
 */
export function sameHunk(seen: FileDiff, number: number, now: FileDiff): number | null {
  const hunk = hunksOf(seen)[number];
  if (!hunk) return null;
  const found = [...hunksOf(now).entries()].filter(([, other]) => isSame(hunk, other));
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

function hunksOf({ content }: FileDiff): readonly DiffHunk[] {
  return content.kind === "text" ? content.hunks : [];
}

function isSame(one: DiffHunk, other: DiffHunk): boolean {
  return (
    (one.oldStart === other.oldStart || one.newStart === other.newStart) &&
    one.oldLines === other.oldLines &&
    one.newLines === other.newLines &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, at) => {
      const { kind, text, end } = other.lines[at] as DiffHunk["lines"][number];
      return line.kind === kind && line.text === text && line.end === end;
    })
  );
}
