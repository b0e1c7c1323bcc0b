// Is a turn running, and which? The only home of that answer; sidebar, composer and quit all read it.
//
// Races settled here:
// - Events overtake the answer of turn/start: the turn's id is learned from whichever comes first, and an answer that
//   comes after its turn has ended starts nothing.
// - Three ways lead out of a turn: turn/completed, the thread's status leaving active, and a status read after silence.
//   codex sends the status first and the completion after it; either may be lost. The status alone ends the run and asks
//   for the turn's record after a grace; the completion alone ends it too.
// - Stop before the turn has an id is remembered and sent as soon as the id is known.
// - An idle status that belongs to the turn before, arriving after a message was sent, does not end the new run.

export type Run =
  | { phase: "idle" }
  /** The message is on its way; codex has not named a turn. */
  | { phase: "asked"; sinceMs: number; stopping: boolean }
  | { phase: "running"; turnId: string | null; sinceMs: number; stopping: boolean; retrying: string | null }
  /** codex says that the thread is idle; the turn's end has not been told yet. Not running any more for anybody. */
  | { phase: "settling"; turnId: string | null };

export type RunEvent =
  | { type: "asked"; atMs: number }
  | { type: "answered"; turnId: string | null; atMs: number }
  /** turn/start was refused or is certain not to have arrived. */
  | { type: "refused" }
  | { type: "turnStarted"; turnId: string; atMs: number }
  | { type: "turnCompleted"; turnId: string }
  /** From thread/status/changed, from a resume or from a read; `turnId` where the source names the running turn. */
  | { type: "active"; turnId: string | null; atMs: number }
  | { type: "inactive" }
  | { type: "retrying"; turnId: string; message: string }
  /** Anything else codex says about the turn: it goes on, so a retry notice is over. */
  | { type: "progress"; turnId: string }
  | { type: "stop" }
  | { type: "graceOver" }
  | { type: "processGone" };

export type RunEffect =
  | { type: "interrupt"; turnId: string }
  /** Ask codex for the turn's record after `graceMs`, unless its completion comes first. */
  | { type: "settleAfter"; graceMs: number }
  | { type: "listTurns" };

export interface RunState {
  run: Run;
  /** The last turn known to have ended: an answer or a start that names it is late. */
  endedTurnId: string | null;
}

export const settleGraceMs = 1_000;
export const idleRun: RunState = { run: { phase: "idle" }, endedTurnId: null };

type Decision = [RunState, RunEffect[]];

export function decideRun(state: RunState, event: RunEvent): Decision {
  const { run } = state;
  switch (event.type) {
    case "asked":
      // While a turn runs codex takes the message into that turn; the run stays what it is.
      if (run.phase === "running" || run.phase === "asked") return [state, []];
      return [{ ...state, run: { phase: "asked", sinceMs: event.atMs, stopping: false } }, []];

    case "answered":
      if (run.phase === "asked") {
        if (event.turnId !== null && event.turnId === state.endedTurnId) return [idle(state), []];
        return named(state, event.turnId, run.sinceMs, run.stopping);
      }
      if (run.phase === "running" && run.turnId === null && event.turnId !== null) {
        return named(state, event.turnId, run.sinceMs, run.stopping);
      }
      return [state, []];

    case "refused":
      return run.phase === "asked" ? [idle(state), []] : [state, []];

    case "turnStarted":
      if (event.turnId === state.endedTurnId) return [state, []];
      if (run.phase === "asked" || run.phase === "running") {
        return named(state, event.turnId, run.sinceMs, run.stopping);
      }
      return named(state, event.turnId, event.atMs, false);

    case "turnCompleted":
      return [ended(state, event.turnId), []];

    case "active":
      if (run.phase === "running" || run.phase === "asked") {
        if (event.turnId === null || event.turnId === state.endedTurnId) return [state, []];
        return named(state, event.turnId, run.sinceMs, run.stopping);
      }
      return named(state, event.turnId, event.atMs, false);

    case "inactive":
      // In `asked` it is the turn before that has become idle.
      if (run.phase !== "running") return [state, []];
      return [
        { ...state, run: { phase: "settling", turnId: run.turnId } },
        [{ type: "settleAfter", graceMs: settleGraceMs }],
      ];

    case "retrying":
      if (run.phase !== "running") return [state, []];
      return [{ ...state, run: { ...run, retrying: event.message } }, []];

    case "progress":
      if (run.phase !== "running" || run.retrying === null) return [state, []];
      return [{ ...state, run: { ...run, retrying: null } }, []];

    case "stop":
      if (run.phase === "asked") return [{ ...state, run: { ...run, stopping: true } }, []];
      if (run.phase !== "running") return [state, []];
      return [
        { ...state, run: { ...run, stopping: true } },
        run.turnId === null ? [] : [{ type: "interrupt", turnId: run.turnId }],
      ];

    case "graceOver":
      if (run.phase !== "settling") return [state, []];
      return [ended(state, run.turnId), [{ type: "listTurns" }]];

    case "processGone":
      return [idle(state), []];

    default:
      return event satisfies never;
  }
}

export function isRunning(run: Run): boolean {
  return run.phase === "asked" || run.phase === "running";
}

function named(state: RunState, turnId: string | null, sinceMs: number, stopping: boolean): Decision {
  const { run } = state;
  const learned = turnId !== null && !(run.phase === "running" && run.turnId === turnId);
  const retrying = run.phase === "running" && !learned ? run.retrying : null;
  return [
    { ...state, run: { phase: "running", turnId, sinceMs, stopping, retrying } },
    stopping && learned && turnId !== null ? [{ type: "interrupt", turnId }] : [],
  ];
}

function idle(state: RunState): RunState {
  return { ...state, run: { phase: "idle" } };
}

function ended(state: RunState, turnId: string | null): RunState {
  const { run } = state;
  const current = run.phase === "running" || run.phase === "settling" ? run.turnId : null;
  const endedTurnId = turnId ?? state.endedTurnId;
  // The late completion of an earlier turn says nothing about the one that runs now.
  const isAnother = run.phase === "running" && current !== null && turnId !== null && current !== turnId;
  // A message that codex has not answered yet will name its own turn, unless this completion is its own.
  if (isAnother) return { ...state, endedTurnId };
  if (run.phase === "asked") return { run, endedTurnId };
  return { run: { phase: "idle" }, endedTurnId };
}
