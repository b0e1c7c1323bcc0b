// Is a turn running, and which? The only home of that answer; sidebar, composer and quit all read it.
//
// Races settled here:
// - Events overtake the answer of turn/start: the turn's id is learned from whichever comes first, and an answer that
//   comes after its turn has ended starts nothing.
// - Three ways lead out of a turn: turn/completed, the thread's status leaving active, and a status read after silence.
//   codex sends the status first and the completion after it; either may be lost. The status alone ends the run, and the
//   turn's record is owed until its completion has come; it is asked for after a grace, whatever has begun meanwhile, and at
//   once when the next turn ends by status alone as well.
// - Stop before the turn has an id is remembered and sent as soon as the id is known. Stop while the connection was away
//   is sent again when the turn is found still running.
// - A turn is known to run before it is known which, and since when: the record of turns says both.
// - An idle status that belongs to the turn before, arriving after a message was sent, does not end the new run. Once the
//   answer to that message cannot come any more, an idle status does end it.

export type Run =
  | { phase: "idle" }
  /** The message is on its way; codex has not named a turn. `unanswered`: no answer will come, but events may. */
  | { phase: "asked"; sinceMs: number; stopping: boolean; unanswered: boolean }
  | { phase: "running"; turnId: string | null; sinceMs: number; stopping: boolean; retrying: string | null };

export type RunEvent =
  | { type: "asked"; atMs: number }
  | { type: "answered"; turnId: string | null; atMs: number }
  /** turn/start was refused or is certain not to have arrived. */
  | { type: "refused" }
  /** turn/start may have arrived; its answer will not. */
  | { type: "unanswered" }
  | { type: "turnStarted"; turnId: string; atMs: number }
  | { type: "turnCompleted"; turnId: string }
  /** A status that says so, without naming the turn. */
  | { type: "active"; atMs: number }
  | { type: "inactive" }
  /** codex's record of turns says which one runs, and since when, or that none does. */
  | { type: "foundRunning"; turnId: string; startedAtMs: number }
  | { type: "foundIdle" }
  | { type: "retrying"; turnId: string; message: string }
  /** Anything else codex says about the turn: it goes on, so a retry notice is over. */
  | { type: "progress"; turnId: string }
  | { type: "stop" }
  | { type: "graceOver" }
  | { type: "processGone" };

export type RunEffect =
  | { type: "interrupt"; turnId: string }
  /** Send graceOver after `graceMs`. */
  | { type: "settleAfter"; graceMs: number }
  /** Ask codex for its record of the newest turns. */
  | { type: "listTurns" };

export interface RunState {
  run: Run;
  /** A turn that ended by status alone: its record is still to come. `turnId` null: it was never named. */
  owed: { turnId: string | null } | null;
  /** The last turns known to have ended: an answer or a start that names one of them is late. */
  ended: readonly string[];
}

export const settleGraceMs = 1_000;
export const idleRun: RunState = { run: { phase: "idle" }, owed: null, ended: [] };
const endedKept = 16;

type Decision = [RunState, RunEffect[]];

export function decideRun(state: RunState, event: RunEvent): Decision {
  const { run } = state;
  switch (event.type) {
    case "asked":
      // While a turn runs codex takes the message into that turn; the run stays what it is.
      if (run.phase === "asked") return [{ ...state, run: { ...run, unanswered: false } }, []];
      if (run.phase === "running") return [state, []];
      return [
        { ...state, run: { phase: "asked", sinceMs: event.atMs, stopping: false, unanswered: false } },
        [],
      ];

    case "answered":
      if (event.turnId !== null && state.ended.includes(event.turnId)) {
        return run.phase === "asked" ? [idle(state), []] : [state, []];
      }
      if (run.phase === "asked") return named(state, event.turnId, event.atMs);
      if (run.phase === "running" && run.turnId === null && event.turnId !== null) {
        return named(state, event.turnId, event.atMs);
      }
      return [state, []];

    case "refused":
      return run.phase === "asked" ? [idle(state), []] : [state, []];

    case "unanswered":
      return run.phase === "asked" ? [{ ...state, run: { ...run, unanswered: true } }, []] : [state, []];

    case "turnStarted":
      return state.ended.includes(event.turnId) ? [state, []] : named(state, event.turnId, event.atMs);

    case "turnCompleted":
      return [completed(state, event.turnId), []];

    case "active":
      return run.phase === "idle" ? named(state, null, event.atMs) : [state, []];

    case "inactive":
      if (run.phase === "asked" && run.unanswered) return [idle(state), []];
      // In `asked` it is the turn before that has become idle.
      if (run.phase !== "running") return [state, []];
      return [
        { ...idle(withOwedEnded(state)), owed: { turnId: run.turnId } },
        [
          ...(state.owed === null ? [] : [{ type: "listTurns" } as const]),
          { type: "settleAfter", graceMs: settleGraceMs },
        ],
      ];

    case "foundRunning": {
      if (state.ended.includes(event.turnId)) return [state, []];
      const [next, effects] = named(since(state, event.startedAtMs), event.turnId, event.startedAtMs);
      // A stop that was sent over a connection that is gone may not have arrived.
      const again = run.phase === "running" && run.stopping && effects.length === 0;
      return [next, again ? [{ type: "interrupt", turnId: event.turnId }] : effects];
    }

    case "foundIdle": {
      if (run.phase === "asked") return run.unanswered ? [idle(state), []] : [state, []];
      const over = run.phase === "running" ? run.turnId : (state.owed?.turnId ?? null);
      return [{ ...idle(over === null ? state : withEnded(state, over)), owed: null }, []];
    }

    case "retrying":
      if (run.phase !== "running" || (run.turnId ?? event.turnId) !== event.turnId) return [state, []];
      return [{ ...state, run: { ...run, retrying: event.message } }, []];

    case "progress":
      if (run.phase !== "running" || run.retrying === null) return [state, []];
      return [{ ...state, run: { ...run, retrying: null } }, []];

    case "stop":
      if (run.phase === "idle") return [state, []];
      if (run.phase === "asked") return [{ ...state, run: { ...run, stopping: true } }, []];
      return [
        run.stopping ? state : { ...state, run: { ...run, stopping: true } },
        run.turnId === null ? [] : [{ type: "interrupt", turnId: run.turnId }],
      ];

    case "graceOver":
      return state.owed === null ? [state, []] : [withOwedEnded(state), [{ type: "listTurns" }]];

    case "processGone":
      return [{ ...idle(state), owed: null }, []];

    default:
      return event satisfies never;
  }
}

export function isRunning(run: Run): boolean {
  return run.phase !== "idle";
}

/** A turn that was found at work has been so since it began, not since it was found. */
function since(state: RunState, startedAtMs: number): RunState {
  const { run } = state;
  // codex tells whole seconds: what was seen to begin is known better.
  if (run.phase === "idle" || run.sinceMs - startedAtMs < 1_000) return state;
  return { ...state, run: { ...run, sinceMs: startedAtMs } };
}

/** The run is that of this turn, from now on or as before. */
function named(state: RunState, turnId: string | null, atMs: number): Decision {
  const { run } = state;
  const stopping = run.phase !== "idle" && run.stopping;
  const isNews = turnId !== null && !(run.phase === "running" && run.turnId === turnId);
  if (run.phase === "running" && !isNews) return [state, []];
  const isAnother = run.phase === "running" && run.turnId !== null && isNews;
  const sinceMs = run.phase === "idle" || isAnother ? atMs : run.sinceMs;
  return [
    { ...state, run: { phase: "running", turnId, sinceMs, stopping, retrying: null } },
    stopping && turnId !== null ? [{ type: "interrupt", turnId }] : [],
  ];
}

/**
 * The late completion of an earlier turn says nothing about the one that runs now, and a message that codex has not
 * answered yet will name its own turn. A turn without a name takes a completion that nobody else is waiting for.
 */
function completed(state: RunState, turnId: string): RunState {
  const { run, owed } = state;
  const next = withEnded(state, turnId);
  const settled = owed?.turnId === turnId ? { ...next, owed: null } : next;
  if (run.phase === "running" && run.turnId === turnId) return idle(settled);
  if (settled !== next) return settled;
  if (run.phase === "running" && run.turnId === null) return idle(settled);
  return owed?.turnId === null ? { ...next, owed: null } : next;
}

function idle(state: RunState): RunState {
  return { ...state, run: { phase: "idle" } };
}

/** Its completion is not waited for any more. */
function withOwedEnded(state: RunState): RunState {
  const turnId = state.owed?.turnId ?? null;
  return { ...(turnId === null ? state : withEnded(state, turnId)), owed: null };
}

function withEnded(state: RunState, turnId: string): RunState {
  if (state.ended.includes(turnId)) return state;
  return { ...state, ended: [...state.ended, turnId].slice(-endedKept) };
}
