// How the app ends, as a machine: `decide(state, event)` gives the next state and what is to be done.
//
// Races, and what settles each:
// - Quit is asked for again while the person is being asked: the question is brought up, not asked twice. While it shuts
//   down: nothing more happens, a second signal included: the shutdown is bounded, and an end before it would leave processes.
// - The machine is shut down, or a signal comes, while the person is being asked: nobody is asked any more.
// - The answer comes after that: ignored.
// - The app is started again while it shuts down (its windows are gone, so the person thinks it has ended): it cannot be
//   taken back, so the app starts itself anew when it has ended.
// - Shutting down never ends: a deadline does. Whichever comes first counts; the other is ignored.
// - Something fails beyond repair while it shuts down: it goes on shutting down, and says so in its exit code. The person
//   is told once, and shutting down does not wait for that; ending does, within bounds.

/** Work that goes on, or waits, and that ending the app would touch. Names of threads, scripts and commands, as the person knows them. */
export interface OpenWork {
  running: string[];
  waiting: string[];
  queued: string[];
  /** The scripts that run: they end with the app whatever is answered. */
  scripts: string[];
  /** What runs in terminals: it ends with the app as well. */
  terminals: string[];
  /** What agents have left running and ends with the app, */
  commands: string[];
  /** and what can go on without it, for a while. */
  commandsToKeep: string[];
  /** How long at most, from when no agent is at work any more. */
  keptMinutes: number;
  /** Of the threads, the ones that end with the app whatever is answered. */
  endsWithApp: string[];
  /** Whether any of it can go on without the app. */
  canKeep: boolean;
}

export type QuitReason = "person" | "signal" | "session end" | "failure";

/** What becomes of open work: it goes on without the app, or is stopped. */
export type WorkChoice = "keep" | "stop";

export interface Relaunch {
  folder: string | null;
}

export type LifecycleState =
  | { phase: "running" }
  | { phase: "asking" }
  | {
      phase: "stopping";
      /** Both must be false for the app to end. */
      shuttingDown: boolean;
      telling: boolean;
      exitCode: number;
      relaunch: Relaunch | null;
    }
  | { phase: "ended" };

export type LifecycleEvent =
  | { type: "quit"; reason: QuitReason; exitCode: number; openWork: OpenWork | null }
  | { type: "answered"; choice: WorkChoice | "cancel" }
  | { type: "launched again"; folder: string | null }
  /** Shutting down has come to its end, well or badly, or its deadline has. */
  | { type: "shut down" }
  /** The person has seen the message about the failure, or has not within bounds. */
  | { type: "told" };

export type LifecycleEffect =
  | { type: "ask"; openWork: OpenWork }
  | { type: "bring up question" }
  | { type: "withdraw question" }
  | { type: "tell of failure" }
  | { type: "shut down"; reason: QuitReason; work: WorkChoice; deadlineMs: number }
  | { type: "open"; folder: string | null }
  | { type: "end"; exitCode: number; relaunch: Relaunch | null };

type Decided = [LifecycleState, LifecycleEffect[]];

export const shutDownDeadlineMs = 10_000;
/** The system ends what has not ended by itself soon after it has said so. */
export const sessionEndDeadlineMs = 4_000;

export function decideLifecycle(state: LifecycleState, event: LifecycleEvent): Decided {
  switch (event.type) {
    case "quit":
      return decideQuit(state, event);
    case "answered":
      if (state.phase !== "asking") return [state, []];
      if (event.choice === "cancel") return [{ phase: "running" }, []];
      return stop("person", 0, event.choice, []);
    case "launched again":
      if (state.phase === "running") return [state, [{ type: "open", folder: event.folder }]];
      if (state.phase === "asking") {
        return [state, [{ type: "open", folder: event.folder }, { type: "bring up question" }]];
      }
      if (state.phase === "ended") return [state, []];
      return [{ ...state, relaunch: { folder: event.folder } }, []];
    case "shut down":
      if (state.phase !== "stopping") return [state, []];
      return endIfDone({ ...state, shuttingDown: false });
    case "told":
      if (state.phase !== "stopping") return [state, []];
      return endIfDone({ ...state, telling: false });
    default: {
      const unknown: never = event;
      throw new Error(`An event that is not known: ${JSON.stringify(unknown)}`);
    }
  }
}

function decideQuit(state: LifecycleState, event: Extract<LifecycleEvent, { type: "quit" }>): Decided {
  const { reason, exitCode, openWork } = event;
  switch (state.phase) {
    case "running":
      if (reason === "person" && openWork) return [{ phase: "asking" }, [{ type: "ask", openWork }]];
      return stop(reason, exitCode, "stop", []);
    case "asking":
      if (reason === "person") return [state, [{ type: "bring up question" }]];
      return stop(reason, exitCode, "stop", [{ type: "withdraw question" }]);
    case "stopping":
      // An impatient second signal changes nothing: the end is bounded already, and coming before it would leave processes.
      if (reason === "failure") return [{ ...state, exitCode: Math.max(1, state.exitCode) }, []];
      return [state, []];
    case "ended":
      return [state, []];
    default: {
      const unknown: never = state;
      throw new Error(`A state that is not known: ${JSON.stringify(unknown)}`);
    }
  }
}

function stop(reason: QuitReason, exitCode: number, work: WorkChoice, before: LifecycleEffect[]): Decided {
  const telling = reason === "failure";
  const deadlineMs = reason === "session end" ? sessionEndDeadlineMs : shutDownDeadlineMs;
  const effects: LifecycleEffect[] = [...before];
  if (telling) effects.push({ type: "tell of failure" });
  effects.push({ type: "shut down", reason, work, deadlineMs });
  return [{ phase: "stopping", shuttingDown: true, telling, exitCode, relaunch: null }, effects];
}

function endIfDone(state: Extract<LifecycleState, { phase: "stopping" }>): Decided {
  if (state.shuttingDown || state.telling) return [state, []];
  return end(state.exitCode, state.relaunch);
}

function end(exitCode: number, relaunch: Relaunch | null): Decided {
  return [{ phase: "ended" }, [{ type: "end", exitCode, relaunch }]];
}
