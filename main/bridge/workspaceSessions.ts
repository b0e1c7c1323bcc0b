// Ties each workspace to its session: what it is launched with, and who hears of it.

import type { SessionView } from "../../preload/contract/app";
import { toFaultView } from "../faultView";
import type { SessionState } from "../supervisor/sessionState";

/** The workspace that stands for none: codex is asked about the account in it while no folder is open. */
export const lobbyId = "lobby";

export function viewSession(state: SessionState | null): SessionView {
  if (state === null) return { state: "stopped" };
  switch (state.phase) {
    case "stopped":
      return state.fault ? { state: "disconnected", fault: toFaultView(state.fault) } : { state: "stopped" };
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
