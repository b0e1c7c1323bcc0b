import { limitMarks } from "./limitMark";
import type { Marks } from "./processTable";

/** The pids of those that have the marker of this value: in their environment, or as a limit. */
export function markedWith(value: string, marks: ReadonlyMap<number, Marks>): Set<number> {
  const limits = new Set<string | null>(limitMarks(value));
  const found = [...marks].filter(([, one]) => one.value === value || limits.has(one.limit));
  return new Set(found.map(([pid]) => pid));
}
