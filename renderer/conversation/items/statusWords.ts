// Why a piece of work did not come to its end, in words. A turn that was interrupted with a fault lost its process, unless
// that says that the person has quit; all else that has no end was cut off by a person's Stop or message, or by the failure of
// its turn. Pure.

import type { Item, ItemStatus } from "../../../preload/contract/items";
import type { TurnView } from "../../../preload/contract/thread";

export type ItemTurn = Pick<TurnView, "status" | "fault"> | undefined;

/** What cut off an item that is `lost`. */
export type Cut = "disconnect" | "failure" | "stop" | "other";

/** The code of a turn's fault when Holdfast was quit in the middle of it, and the person wanted it stopped. */
const stoppedAtQuit = "stopped_at_quit";

export function cutBy(turn: ItemTurn): Cut {
  if (turn?.status === "failed") return "failure";
  if (turn?.status !== "interrupted") return "other";
  return turn.fault === null || turn.fault.code === stoppedAtQuit ? "stop" : "disconnect";
}

const cutWords: Record<Cut, string> = {
  disconnect: "interrupted by disconnect",
  failure: "cut off as the turn failed",
  stop: "interrupted",
  other: "cut off",
};

/** The word for a state that is not simply "done"; null for those that need none. */
export function statusWords(
  item: { status: ItemStatus; kind?: Item["kind"] },
  turn: ItemTurn,
): string | null {
  switch (item.status) {
    case "running":
    case "completed":
      return null;
    case "failed":
      return "failed";
    case "declined":
      // The turn was stopped at the question: nobody has said no to this in particular.
      return turn?.status === "interrupted" && item.kind === "command" ? "not run" : "declined";
    case "lost":
      // It went on after its turn, and its process has gone or nobody heard its end.
      if (item.kind === "command" && turn?.status === "completed") return "ended, how is not known";
      return cutWords[cutBy(turn)];
    default:
      return item.status satisfies never;
  }
}
