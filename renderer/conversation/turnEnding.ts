// How a turn has ended, as far as that is known. codex lists a turn that is at work in another program like one that was cut
// off: it has begun, and its end is on no record. Pure.

import type { ThreadHead, TurnView } from "../../preload/contract/thread";

export type Ending = Exclude<TurnView["status"], "running"> | "unknown";

/** Null: it has not ended. */
export function endingOf(
  turn: Pick<TurnView, "status" | "completedAtMs">,
  isLast: boolean,
  fault: Pick<NonNullable<ThreadHead["fault"]>, "code"> | null,
): Ending | null {
  const { status, completedAtMs } = turn;
  if (status === "running") return null;
  const hasNoEnd = status === "interrupted" && completedAtMs === null;
  return hasNoEnd && isLast && fault?.code === "open_elsewhere" ? "unknown" : status;
}

export const endingWords: Record<Ending, string> = {
  completed: "Done",
  failed: "Failed",
  interrupted: "Interrupted",
  unknown: "No end on record",
};
