// Threads that are still to begin in a worktree of their own, and the way of this window to them. Such a thread has its key from
// the beginning: what is shown under it is first how it comes to be, then the thread.
//
// Race: it begins, or does not come to be, while this window shows it: the window goes on to the thread, or back to the draft in
// which the message is again, unless the person has gone elsewhere meanwhile.

import type { AppState } from "../../preload/contract/app";
import type { WorktreeStartView } from "../../preload/contract/worktrees";
import { appCopy, appStore, useApp } from "./appStore";
import { goToThread, newThread } from "./navigation";
import { showThread } from "./threadStore";
import { changeLayout, closeOverlay, uiStore, useLayout } from "./uiStore";

/** The one that this window shows instead of a thread. */
export function useShownStart(): WorktreeStartView | undefined {
  const threadKey = useLayout((layout) => layout.threadKey);
  return useApp((app) =>
    app.worktreeStarts.find((each) => each.threadKey === threadKey && each.state.phase !== "returned"),
  );
}

/** The same, for an event handler. */
export function shownStart(): WorktreeStartView | undefined {
  const { threadKey } = uiStore.getState().layout;
  return appCopy()?.app.worktreeStarts.find(
    (each) => each.threadKey === threadKey && each.state.phase !== "returned",
  );
}

/** `from`: the thread in which the message was written, if the person is still there. */
export function goToStart(workspaceId: string, from: string, threadKey: string): void {
  if (uiStore.getState().layout.threadKey !== from) return;
  showStart(workspaceId, threadKey);
}

export function showStart(workspaceId: string, threadKey: string): void {
  const app = appCopy()?.app;
  const start = app?.worktreeStarts.find((each) => each.threadKey === threadKey);
  changeLayout({ workspaceId: app && start ? placeOf(start, app) : workspaceId, threadKey, page: "threads" });
  showThread(null);
  closeOverlay();
}

/** Where whatever is opened beside it belongs, a terminal first of all: in the worktree, as soon as it is there. */
function placeOf({ workspaceId, worktreeWorkspaceId }: WorktreeStartView, { workspaces }: AppState): string {
  const isThere = workspaces.some((each) => each.id === worktreeWorkspaceId && !each.gone);
  return isThere ? worktreeWorkspaceId : workspaceId;
}

/** Until what it returns is called, the window goes with the one that it shows. */
export function followStarts(): () => void {
  return appStore.subscribe((now, before) => {
    if (now.shown.phase !== "shown" || before.shown.phase !== "shown") return;
    const { threadKey, workspaceId } = uiStore.getState().layout;
    const { app } = now.shown.copy;
    const { app: earlier } = before.shown.copy;
    const isSame = app.worktreeStarts === earlier.worktreeStarts && app.workspaces === earlier.workspaces;
    if (isSame || threadKey === null) return;
    const is = app.worktreeStarts.find((each) => each.threadKey === threadKey);
    if (is && is.state.phase !== "returned") {
      const place = placeOf(is, app);
      if (place !== workspaceId) changeLayout({ workspaceId: place });
      return;
    }
    const was = earlier.worktreeStarts.find((each) => each.threadKey === threadKey);
    if (!was || was.state.phase === "returned") return;
    // It has begun, or it can in a worktree that is set up, or the person has the message back.
    if (is === undefined) goToThread(was.worktreeWorkspaceId, threadKey);
    else void newThread(was.workspaceId);
  });
}
