// How a turn ended, for those who tell the person of it.

import type { ThreadState } from "./threadState";

export interface TurnEnd {
  threadId: string;
  /** null: it was never named. */
  turnId: string | null;
  /** `stopped`: by whoever pressed Stop. */
  outcome: "completed" | "failed" | "stopped";
  /** The answer, or why it failed. */
  words: string | null;
  /** A window shows the thread. */
  isWatched: boolean;
}

export function turnEndOf(
  threadId: string,
  turnId: string | null,
  state: Pick<ThreadState, "transcript" | "watched">,
): TurnEnd {
  const { transcript, watched: isWatched } = state;
  const turn = turnId === null ? transcript.lastTurn : transcript.turn(turnId);
  const end = { threadId, turnId: turn?.id ?? turnId, isWatched };
  // Whoever stops a turn leaves no fault; it was cut off when its process went.
  const isCutOff = turn?.status === "interrupted" && turn.fault !== null;
  if (turn && (turn.status === "failed" || isCutOff))
    return { ...end, outcome: "failed", words: turn.fault?.message ?? null };
  if (turn?.status === "interrupted") return { ...end, outcome: "stopped", words: null };
  const answer = turn && transcript.itemsOf(turn.id).findLast((item) => item.kind === "agent");
  return { ...end, outcome: "completed", words: answer?.kind === "agent" ? answer.text : null };
}
