// Ties each workspace to its session: what it is launched with, and who hears of it.

import type { SessionView, WorkspaceView } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";
import type { Fault } from "../fault";
import { toFaultView } from "../faultView";
import { maxQuickDeaths, type SessionState } from "../supervisor/sessionState";
import type { ListingState } from "../threads/threadList";
import type { Workspace } from "../workspaces/workspaces";

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

/** The workspaces, each with its session and what is known of its list of threads. */
export function viewWorkspaces(
  workspaces: readonly Workspace[],
  session: (workspaceId: string) => SessionState | null,
  listingOf: (workspaceId: string) => ListingState,
): WorkspaceView[] {
  return workspaces.map((workspace) => {
    const { hasMore, hasMoreArchived, listing, fault } = listingOf(workspace.id);
    const view = viewSession(session(workspace.id));
    return { ...workspace, session: view, hasMore, hasMoreArchived, listing, listFault: fault };
  });
}

function stoppedFault(fault: Fault, broken: boolean): FaultView {
  const view = toFaultView(fault);
  if (!broken) return view;
  return {
    ...view,
    hint: `It has ended ${maxQuickDeaths + 1} times within a minute, so Holdfast does not start it by itself any more. The log says what codex did last.`,
  };
}
