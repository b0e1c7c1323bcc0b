// Ties each workspace to its session: what it is launched with, and who hears of it.

import type { SessionView } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";
import type { Fault } from "../fault";
import { toFaultView } from "../faultView";
import { maxQuickDeaths, type SessionState } from "../supervisor/sessionState";

/** The workspace that stands for none: codex is asked about the account in it while no folder is open. */
export const lobbyId = "lobby";

export function viewSession(state: SessionState | null): SessionView {
  if (state === null) return { state: "stopped" };
  switch (state.phase) {
    case "stopped":
      return state.fault
        ? { state: "disconnected", fault: stoppedFault(state.fault, state.broken) }
        : { state: "stopped" };
    case "starting":
      return { state: "starting" };
    case "live": {
      const { codexVersion, pid, endsWithApp } = state.facts;
      return { state: "connected", codexVersion, pid, endsWithApp };
    }
    case "lost":
      return { state: "reconnecting", attempt: state.attempt + 1, fault: toFaultView(state.fault) };
    case "closing":
      return { state: "closing" };
    default:
      return state satisfies never;
  }
}

function stoppedFault(fault: Fault, broken: boolean): FaultView {
  const view = toFaultView(fault);
  if (!broken) return view;
  return {
    ...view,
    hint: `It has ended ${maxQuickDeaths + 1} times within a minute, so Holdfast does not start it by itself any more. The log says what codex did last.`,
  };
}
