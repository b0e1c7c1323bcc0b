// The follow-ups of one thread, as decisions: what waits and in which order, whether it is held, and what is done about it.
// Pure. Two queues can keep them: codex's own, which takes up the next one by itself, and the ledger's, for a codex without.
//
// Races settled here:
// - codex says that its queue has changed while it is being asked for it: it is asked once more, however often it says so.
// - A turn fails: codex does not hold its queue then, so the turn is interrupted at its error, before it is over. When that
//   came too late and an entry is taken up all the same, that turn is interrupted at its start, and the entry put back in its
//   place. A turn that somebody asked for here is none of these, whatever comes first of its start, its status and the answer
//   to the request. Later on, another program may have begun the turn: it is stopped once it is seen to have the words of
//   what was to wait.
// - codex is killed before it has taken in that it is held, and goes on by itself after a load: that is stopped likewise. Where
//   nothing waits, or once the thread has been idle for a moment, what begins has been begun by another program.
// - Stop and failure are written down before the interrupt is sent: no crash in between sets the ledger's queue going.
// - The turn that was to be stopped had ended by itself: nothing is held then.
// - The thread is idle before it is told how its turn has ended: the ledger's queue waits for that.
// - A turn begins whoever asked for it: it ends the hold, and what waits goes on after it.
// - The thread has been loaded, or its run has ended unheard: whether codex holds is only seen by its taking nothing up. So
//   nothing is said of it before the thread has been idle for a moment.
// - A message of the ledger's queue is on its way, or may be with codex: the next one waits until that is known.

import type { QueueHold } from "../../ledger/queueHoldsLedger";

/** One message in codex's queue. */
export interface CodexEntry {
  /** codex's own id of it. */
  id: string;
  clientId: string;
  input: readonly unknown[];
}

export type LastTurn = "completed" | "interrupted" | "failed" | "running" | null;

export type TurnEnd = "completed" | "interrupted" | "failed" | "unknown";

export interface QueueState {
  /** False once codex has said that it does not know the method. */
  codexHasQueue: boolean;
  /** codex's queue is not to be used: codex would run what waits there at another place than the thread works at. */
  isKeptHere: boolean;
  /** codex's queue as it was listed last. */
  inCodex: readonly CodexEntry[];
  /** It has been listed since the thread was loaded. */
  isListed: boolean;
  listing: "none" | "asked" | "asked, and changed since";
  /** Client ids of what waits in the ledger's queue. */
  here: readonly string[];
  /** Messages of ours that may be on their way into a queue. */
  arriving: number;
  /** None of our messages is on its way or may be with codex without our knowing. */
  isClear: boolean;
  /** Client id of what is being brought from the ledger's queue to codex; what `ours` says then is told with that in mind. */
  taking: string | null;
  isLoaded: boolean;
  run: "idle" | "asked" | "running";
  /** The run was asked for here. */
  isOurs: boolean;
  isStopping: boolean;
  /** A turn has run, and how it ended is not known yet. */
  isOwed: boolean;
  /** `waiting`: nothing runs and codex takes none up, for a reason that it does not tell. */
  hold: QueueHold | "waiting" | null;
  /**
   * codex may take up the next one although it is held: a turn is about to fail, or has failed; or the thread has just been
   * loaded. Armed, what it takes up is interrupted.
   */
  guard: "none" | "failing" | "armed";
  /** The turn that is being stopped because codex has begun it with what is held. */
  heldBackTurnId: string | null;
  /** A turn has begun although what waits was held after a failure, and it is not known yet who has begun it, and with what. */
  isDoubtful: boolean;
}

export type QueueEvent =
  | { type: "loaded"; last: LastTurn }
  /** The connection or the thread in codex has gone, or it was let go. */
  | { type: "unloaded"; isProcessGone: boolean }
  | { type: "kept"; here: boolean }
  | { type: "changed" }
  | { type: "listed"; entries: readonly CodexEntry[] }
  | { type: "unlisted"; because: "unknown method" | "failed" }
  | { type: "added"; entry: CodexEntry }
  | { type: "updated"; entry: CodexEntry }
  | { type: "removed"; clientId: string }
  | { type: "arranged"; clientIds: readonly string[] }
  /** What the ledger and the way there have of this thread's messages. */
  | { type: "ours"; here: readonly string[]; arriving: number; isClear: boolean }
  | { type: "run"; phase: "idle" | "asked" | "running" }
  /** Stop was pressed, and has not been sent yet. */
  | { type: "stopping" }
  | { type: "failing"; turnId: string }
  | { type: "turnStarted"; turnId: string }
  /** What waited in codex's queue is seen to be what this turn has begun with. */
  | { type: "takenUp"; turnId: string }
  | { type: "turnOver"; how: TurnEnd }
  /** The thread has been idle for a moment. */
  | { type: "settled"; last: LastTurn }
  /** What was taken from the ledger's queue was refused. */
  | { type: "refused" }
  | { type: "resumed" };

export type QueueEffect =
  | { type: "list" }
  | { type: "interrupt"; turnId: string }
  /** This turn was stopped at its start: what it was begun with waits again, before all others. */
  | { type: "putBack"; turnId: string }
  /** Bring the first of the ledger's queue to codex. */
  | { type: "take"; clientId: string };

export function newQueue(hold: QueueHold | null, isKeptHere = false): QueueState {
  return {
    codexHasQueue: true,
    isKeptHere,
    inCodex: [],
    isListed: false,
    listing: "none",
    here: [],
    arriving: 0,
    isClear: true,
    taking: null,
    isLoaded: false,
    run: "idle",
    isOurs: false,
    isStopping: false,
    isOwed: false,
    hold,
    guard: "none",
    heldBackTurnId: null,
    isDoubtful: false,
  };
}

/** Something waits, or is about to. */
export function isWaited({ inCodex, here, arriving }: QueueState): boolean {
  return inCodex.length > 0 || here.length > 0 || arriving > 0;
}

/** Its end is waited for with a timer, which then sends `settled`. */
export function isSettling(state: QueueState): boolean {
  if (!state.isLoaded || state.run !== "idle") return false;
  if (state.guard === "armed") return true;
  return state.inCodex.length > 0 && (state.hold === null || state.guard !== "none");
}

/** What runs has been taken up although it was held, and is being stopped. */
export function isHoldingBack({ isLoaded, run, guard, isOurs }: QueueState): boolean {
  return isLoaded && run === "running" && guard === "armed" && !isOurs;
}

/** What is written down of the hold. */
export function holdToKeep(state: QueueState): QueueHold | null {
  if (state.hold === null || state.hold === "waiting") return null;
  return isWaited(state) || !state.isListed ? state.hold : null;
}

type Decision = [QueueState, QueueEffect[]];

export function decideQueue(state: QueueState, event: QueueEvent): Decision {
  const [next, effects] = react(state, event);
  const [first] = next.here;
  const isAtRest = next.isLoaded && next.run === "idle" && !next.isOwed;
  const mayTake = isAtRest && next.hold === null && next.isClear;
  if (first === undefined || !mayTake || next.taking === first) return [next, effects];
  return [{ ...next, taking: first }, [...effects, { type: "take", clientId: first }]];
}

function react(state: QueueState, event: QueueEvent): Decision {
  switch (event.type) {
    case "loaded": {
      // codex has gone on after a failure; the ledger's queue has not.
      const isHeld = state.hold === null && event.last === "failed" && state.here.length > 0;
      const hold = isHeld && state.run === "idle" ? "failed" : state.hold;
      // codex was killed, perhaps, before it had taken in that it is held.
      const guard = state.run === "idle" && (hold === "stopped" || hold === "failed") ? "armed" : state.guard;
      return list({ ...state, isLoaded: true, isListed: false, listing: "none", hold, guard });
    }

    case "unloaded": {
      // Nothing was held: what somebody begins once it is loaded again is not stopped.
      const isEmpty = state.isListed && state.listing === "none" && !isWaited(state);
      const hold = isEmpty ? null : state.hold;
      const next: QueueState = { ...state, isLoaded: false, isListed: false, listing: "none", hold };
      // A turn that is cut off so is no reason to hold anything: codex's own queue goes on after it.
      return [event.isProcessGone ? { ...next, isOwed: false, guard: "none" } : next, []];
    }

    case "kept":
      return [event.here === state.isKeptHere ? state : { ...state, isKeptHere: event.here }, []];

    case "changed":
      return state.codexHasQueue ? list(state) : [state, []];

    case "listed": {
      const next = { ...state, codexHasQueue: true, inCodex: byClientId(event.entries), isListed: true };
      return again(state, { ...next, listing: "none" });
    }

    case "unlisted":
      if (event.because === "failed") return again(state, { ...state, listing: "none" });
      return [{ ...state, codexHasQueue: false, inCodex: [], isListed: true, listing: "none" }, []];

    case "added":
      return [{ ...state, inCodex: byClientId([...state.inCodex, event.entry]) }, []];

    case "updated": {
      const updated = (entry: CodexEntry) => (entry.id === event.entry.id ? event.entry : entry);
      return [{ ...state, inCodex: state.inCodex.map(updated) }, []];
    }

    case "removed":
      return [{ ...state, inCodex: state.inCodex.filter(({ clientId }) => clientId !== event.clientId) }, []];

    case "arranged": {
      const place = ({ clientId }: CodexEntry) => event.clientIds.indexOf(clientId);
      return [{ ...state, inCodex: [...state.inCodex].sort((a, b) => place(a) - place(b)) }, []];
    }

    case "ours": {
      const { here, arriving, isClear } = event;
      return [{ ...state, here, arriving, isClear, taking: null }, []];
    }

    case "run":
      return [ran(state, event.phase), []];

    case "stopping":
      if (state.run === "idle") return [state, []];
      return [{ ...state, hold: "stopped", guard: "none", isStopping: true, heldBackTurnId: null }, []];

    case "failing": {
      if (!isWaited(state) || !state.isOwed || state.isStopping) return [state, []];
      const failing: QueueState = { ...state, hold: "failed", guard: "failing" };
      // The ledger's queue is held by that alone.
      const isTakenUp = state.inCodex.length > 0 || (state.codexHasQueue && state.arriving > 0);
      return [failing, isTakenUp ? [{ type: "interrupt", turnId: event.turnId }] : []];
    }

    case "turnStarted":
      if (state.guard === "armed" && !state.isOurs) {
        const { turnId } = event;
        return [{ ...state, heldBackTurnId: turnId }, [{ type: "interrupt", turnId }]];
      }
      return [begun({ ...state, guard: "none", heldBackTurnId: null }), []];

    case "takenUp": {
      const { turnId } = event;
      if (!state.isDoubtful || state.isOurs || state.isStopping) return [state, []];
      const next: QueueState = { ...state, hold: "failed", guard: "armed", heldBackTurnId: turnId };
      return [{ ...next, isDoubtful: false }, [{ type: "interrupt", turnId }]];
    }

    case "turnOver": {
      if (!state.isOwed) return [state, []];
      const turnId = event.how === "interrupted" ? state.heldBackTurnId : null;
      const next = over({ ...state, isOwed: false, heldBackTurnId: null, isDoubtful: false }, event.how);
      return [next, turnId === null ? [] : [{ type: "putBack", turnId }]];
    }

    case "settled":
      if (!isSettling(state)) return [state, []];
      if (state.hold !== null) return [{ ...state, guard: "none" }, []];
      return [{ ...state, hold: heldBy(event.last) }, []];

    case "refused":
      return [{ ...state, hold: state.here.length > 0 ? "failed" : state.hold }, []];

    case "resumed":
      return [{ ...state, hold: null, guard: "none" }, []];

    default:
      return event satisfies never;
  }
}

function list(state: QueueState): Decision {
  if (state.listing === "none") return [{ ...state, listing: "asked" }, [{ type: "list" }]];
  return [{ ...state, listing: "asked, and changed since" }, []];
}

function again(before: QueueState, next: QueueState): Decision {
  return before.listing === "asked, and changed since" ? list(next) : [next, []];
}

function ran(state: QueueState, phase: QueueState["run"]): QueueState {
  if (phase === state.run) return state;
  if (phase === "idle") return { ...state, run: phase, isOurs: false, isStopping: false };
  if (phase === "asked") return { ...state, run: phase, isOurs: true };
  // What codex took up although a turn has failed does not end the hold.
  const next: QueueState = { ...state, run: phase, isOwed: true };
  return state.guard === "armed" && !state.isOurs ? next : begun({ ...next, guard: "none" });
}

/** A turn runs that is to run. Stop may have been pressed before it had a name. */
function begun(state: QueueState): QueueState {
  if (state.hold === null || state.isStopping) return state;
  return { ...state, hold: null, isDoubtful: state.hold === "failed" && !state.isOurs };
}

function over(state: QueueState, how: TurnEnd): QueueState {
  switch (how) {
    case "completed":
      // Taken up although it was held, and too quick to be interrupted: the next one is not to follow.
      if (state.guard === "armed") return state;
      return { ...state, hold: null, guard: "none" };
    case "interrupted":
      return { ...state, hold: state.guard === "none" ? "stopped" : (state.hold ?? "failed"), guard: "none" };
    case "failed":
      return { ...state, hold: "failed", guard: isWaited(state) ? "armed" : "none" };
    case "unknown":
      return state.hold === null ? { ...state, hold: "waiting" } : state;
    default:
      return how satisfies never;
  }
}

function heldBy(last: LastTurn): QueueState["hold"] {
  if (last === "interrupted") return "stopped";
  return last === "failed" ? "failed" : "waiting";
}

/** codex takes the same client id twice; it is one message. */
function byClientId(entries: readonly CodexEntry[]): CodexEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ clientId }) => !seen.has(clientId) && seen.add(clientId));
}
