// Where scripts run: one workspace for each window, which stays the same until the person chooses another one, whatever is
// looked at meanwhile. At first it is the one that the window is in.
//
// Race: the workspace goes away, or its folder does. Scripts then run where the window is, which is said once; nothing is
// settled before main's own state is known.

import type { WorkspaceView } from "../../preload/contract/app";
import { appStore } from "../state/appStore";
import { toast } from "../state/toasts";
import { changeLayout, uiStore, useLayout } from "../state/uiStore";

export function chooseWorkspace(workspaceId: string): void {
  changeLayout({ cellsWorkspaceId: workspaceId });
}

/** Null: there is no workspace. */
export function workspaceForRuns(): string | null {
  const { cellsWorkspaceId, workspaceId } = uiStore.getState().layout;
  return workspaceOf(usableNow() ?? [], cellsWorkspaceId, workspaceId);
}

export function useWorkspaceForRuns(): string | null {
  const chosen = useLayout((layout) => layout.cellsWorkspaceId);
  const current = useLayout((layout) => layout.workspaceId);
  return appStore(() => workspaceOf(usableNow() ?? [], chosen, current));
}

/** From now on it is this one. Says so when it is not the one that was meant. */
export function settleWorkspaceForRuns(): string | null {
  const usable = usableNow();
  const workspaceId = workspaceForRuns();
  const { cellsWorkspaceId } = uiStore.getState().layout;
  if (usable === null || workspaceId === null || workspaceId === cellsWorkspaceId) return workspaceId;
  changeLayout({ cellsWorkspaceId: workspaceId });
  if (cellsWorkspaceId !== null) {
    const name = usable.find(({ id }) => id === workspaceId)?.name ?? "another workspace";
    toast(`Scripts run in “${name}” now`, {
      tone: "warning",
      hint: "The workspace that they ran in is not there any more.",
    });
  }
  return workspaceId;
}

function workspaceOf(
  usable: readonly WorkspaceView[],
  chosen: string | null,
  current: string | null,
): string | null {
  const there = (id: string | null) => usable.find((each) => each.id === id)?.id;
  return there(chosen) ?? there(current) ?? usable[0]?.id ?? null;
}

/** Null: not known yet. */
function usableNow(): WorkspaceView[] | null {
  const { shown } = appStore.getState();
  return shown.phase === "shown" ? shown.copy.app.workspaces.filter((each) => !each.gone) : null;
}
