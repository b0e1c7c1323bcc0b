// What becomes of one terminal. Pure.
//
// Races settled here:
// - It ends before whoever has started it has the answer: it is over, and the answer changes nothing.
// - It is asked to end before it is started: the wish is kept, and it is ended as soon as it is there.
// - It is asked to end twice, or closed while it is being ended: it is asked once, and goes off the list when it is over if that
//   was wished by then.
// - Asking was in vain: it can be asked again. What was to be closed still goes off the list once it is over.
// - The command's end is told, and then more output: it is over when nothing more can come, and not before. What it has left
//   behind may hold its output for ever: once it was asked to end, that is waited for no longer than whoever has asked.

import type { Fault } from "../fault";

type Wish = "none" | "end" | "close";

export type TerminalEnding =
  | { how: "ended"; exitCode: number | null }
  /** What becomes of it is not known. */
  | { how: "lost"; exitCode: number | null; fault: Fault }
  /** It was not started. */
  | { how: "failed"; fault: Fault };

export type TerminalState =
  | { phase: "live"; isStarted: boolean; exitCode: number | null; wish: Wish; isAsked: boolean }
  | { phase: "over"; ending: TerminalEnding };

export type TerminalEvent =
  | { type: "started" }
  | { type: "notStarted"; fault: Fault }
  | { type: "exited"; exitCode: number }
  | { type: "closed" }
  | { type: "lost"; fault: Fault }
  | { type: "wished"; wish: "end" | "close" }
  /** Whoever has asked for its end has waited long enough. */
  | { type: "waitedFor" }
  /** Asking it to end was in vain. */
  | { type: "notEnded"; fault: Fault };

export type TerminalEffect =
  /** Ask its process to end. Answered by notEnded if that fails. */
  | { type: "end" }
  /** Whoever waits for its end: it is over. */
  | { type: "tellOver" }
  /** Whoever waits for its end: it will not be. */
  | { type: "tellNotEnded"; fault: Fault }
  /** It goes off the list. */
  | { type: "remove" };

export const newTerminal: TerminalState = {
  phase: "live",
  isStarted: false,
  exitCode: null,
  wish: "none",
  isAsked: false,
};

export function decide(state: TerminalState, event: TerminalEvent): [TerminalState, TerminalEffect[]] {
  if (state.phase === "over") {
    const isClosed = event.type === "wished" && event.wish === "close";
    return [state, isClosed ? [{ type: "remove" }] : []];
  }
  switch (event.type) {
    case "started":
      return asWished({ ...state, isStarted: true });
    case "notStarted":
      return over(state, { how: "failed", fault: event.fault });
    case "exited":
      return [{ ...state, exitCode: event.exitCode }, []];
    case "closed":
      return over(state, { how: "ended", exitCode: state.exitCode });
    case "lost":
      return over(state, { how: "lost", exitCode: state.exitCode, fault: event.fault });
    case "wished":
      return asWished({ ...state, wish: state.wish === "close" ? "close" : event.wish });
    case "waitedFor":
      return state.isAsked && state.exitCode !== null
        ? over(state, { how: "ended", exitCode: state.exitCode })
        : [state, []];
    case "notEnded": {
      const wish = state.wish === "close" ? "close" : "none";
      return [{ ...state, wish, isAsked: false }, [{ type: "tellNotEnded", fault: event.fault }]];
    }
    default:
      return event satisfies never;
  }
}

type Live = Extract<TerminalState, { phase: "live" }>;

function asWished(state: Live): [TerminalState, TerminalEffect[]] {
  if (state.wish === "none" || state.isAsked || !state.isStarted) return [state, []];
  return [{ ...state, isAsked: true }, [{ type: "end" }]];
}

function over({ wish }: Live, ending: TerminalEnding): [TerminalState, TerminalEffect[]] {
  const effects: TerminalEffect[] = [{ type: "tellOver" }];
  if (wish === "close") effects.push({ type: "remove" });
  return [{ phase: "over", ending }, effects];
}
