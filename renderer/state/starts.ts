// Threads that are still to begin in a worktree of their own, and the way of this window to them. Such a thread has its key from
// the beginning: what is shown under it is first how it comes to be, then the thread.
//
// Race: it begins, or does not come to be, while this window shows it: the window goes on to the thread, or back to the draft in
// which the message is again, unless the person has gone elsewhere meanwhile.

import type { WorktreeStartView } from "../../preload/contract/worktrees";
import { appStore, useApp } from "./appStore";
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

/** `from`: the thread in which the message was written, if the person is still there. */
export function goToStart(workspaceId: string, from: string, threadKey: string): void {
  if (uiStore.getState().layout.threadKey !== from) return;
  showStart(workspaceId, threadKey);
}

export function showStart(workspaceId: string, threadKey: string): void {
  changeLayout({ workspaceId, threadKey, page: "threads" });
  showThread(null);
  closeOverlay();
}

/** Until what it returns is called, the window goes with the one that it shows. */
export function followStarts(): () => void {
  return appStore.subscribe((now, before) => {
    if (now.shown.phase !== "shown" || before.shown.phase !== "shown") return;
    const { threadKey } = uiStore.getState().layout;
    const starts = now.shown.copy.app.worktreeStarts;
    const earlier = before.shown.copy.app.worktreeStarts;
    if (starts === earlier || threadKey === null) return;
    const was = earlier.find((each) => each.threadKey === threadKey);
    if (!was || was.state.phase === "returned") return;
    const is = starts.find((each) => each.threadKey === threadKey);
    if (is && is.state.phase !== "returned") return;
    // It has begun, or it can in a worktree that is set up, or the person has the message back.
    if (is === undefined) goToThread(was.worktreeWorkspaceId, threadKey);
    else void newThread(was.workspaceId);
  });
}
