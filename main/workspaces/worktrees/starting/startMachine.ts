// A thread that is to begin in a worktree of its own, from Send until the thread has the message or the person has it back.
// Pure.
//
//   making -> setting up -> starting -> (gone: the thread has the message)
//                 |  ^
//                 v  |
//              stopped -> starting, or returned
//   making -> starting    where there is no set-up
//   making -> returned    no worktree could be made, or the person does not want to wait for it
//
// Races, and what settles each:
// - Holdfast dies while the worktree is made: making goes on, and finds what there is.
// - Holdfast dies while the set-up runs: a script of the person's is not run twice by itself. It is "cut off", and the person
//   says how it goes on. What they had said before that holds.
// - Holdfast dies while the thread is started: that goes on. The message has one client id, so it is sent once.
// - The script ends just when it is to be ended, or the person presses a second button: the first wish holds, and what has
//   ended is ended once.

import type { FaultView } from "../../../../preload/contract/fault";
import type { SetupEndingView } from "../../../../preload/contract/worktrees";

export type StartState =
  | { phase: "making" }
  /** `next`: what is to come after it, whatever its end. "ask": what its end says. */
  | { phase: "setting up"; sinceMs: number; next: "ask" | "start" | "give back" }
  | { phase: "stopped"; ending: SetupEndingView }
  | { phase: "starting" }
  /** The person has the message back; `fault`: it was not they who wanted it so. */
  | { phase: "returned"; fault: FaultView | null };

export type StartEvent =
  | { type: "made"; hasSetup: boolean; atMs: number }
  | { type: "not made"; fault: FaultView }
  | { type: "set-up ended"; ending: SetupEndingView }
  | { type: "thread not started"; fault: FaultView }
  | { type: "again"; atMs: number }
  | { type: "anyway" }
  | { type: "take back" }
  | { type: "stop" }
  /** Holdfast has started again. */
  | { type: "resumed" };

export type StartEffect = "make" | "set up" | "end set-up" | "start" | "give back";

export type StartDecision = [state: StartState, effects: StartEffect[]];

export const cutOff: SetupEndingView = {
  how: "cut off",
  exitCode: null,
  signal: null,
  durationMs: null,
  fault: null,
};

export function decide(state: StartState, event: StartEvent): StartDecision {
  switch (state.phase) {
    case "making":
      if (event.type === "made") {
        return event.hasSetup
          ? [{ phase: "setting up", sinceMs: event.atMs, next: "ask" }, ["set up"]]
          : [{ phase: "starting" }, ["start"]];
      }
      // git may take long, or hang. The worktree stays, if it is made in the end.
      if (event.type === "take back") return [{ phase: "returned", fault: null }, ["give back"]];
      if (event.type === "not made") return [{ phase: "returned", fault: event.fault }, ["give back"]];
      return [state, event.type === "resumed" ? ["make"] : []];
    case "setting up":
      return whileSettingUp(state, event);
    case "stopped":
      switch (event.type) {
        case "again":
          return [{ phase: "setting up", sinceMs: event.atMs, next: "ask" }, ["set up"]];
        case "anyway":
          return [{ phase: "starting" }, ["start"]];
        case "take back":
          return [{ phase: "returned", fault: null }, ["give back"]];
        default:
          return [state, []];
      }
    case "starting":
      if (event.type === "thread not started") {
        return [{ phase: "returned", fault: event.fault }, ["give back"]];
      }
      return [state, event.type === "resumed" ? ["start"] : []];
    case "returned":
      return [state, []];
    default:
      return state satisfies never;
  }
}

function whileSettingUp(
  state: Extract<StartState, { phase: "setting up" }>,
  event: StartEvent,
): StartDecision {
  const wish = (next: "start" | "give back"): StartDecision =>
    state.next === "ask" ? [{ ...state, next }, ["end set-up"]] : [state, []];
  switch (event.type) {
    case "anyway":
      return wish("start");
    case "take back":
      return wish("give back");
    case "stop":
      return [state, ["end set-up"]];
    case "set-up ended":
    case "resumed": {
      const ending = event.type === "resumed" ? cutOff : event.ending;
      if (state.next === "start" || (state.next === "ask" && ending.how === "done")) {
        return [{ phase: "starting" }, ["start"]];
      }
      if (state.next === "give back") return [{ phase: "returned", fault: null }, ["give back"]];
      return [{ phase: "stopped", ending }, []];
    }
    default:
      return [state, []];
  }
}
