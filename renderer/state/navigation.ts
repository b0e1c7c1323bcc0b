// Which thread this window shows. Every way to one (a click, a search hit, a notification, the last layout) ends here.
//
// Race: a thread that is being made answers after the person has gone somewhere else. Each way takes a number when it
// starts; when it has its answer, it only goes there if nobody has gone anywhere since.

import type { WorkspaceView } from "../../preload/contract/app";
import type { Layout } from "../../preload/contract/layout";
import { appCopy } from "./appStore";
import { faultOf } from "./callFault";
import { askFirst } from "./confirm";
import { call } from "./connection";
import { sendSoon } from "./signals";
import { showThread, threadStore } from "./threadStore";
import { attempt, showFault } from "./toasts";
import { changeLayout, closeOverlay, toggleCollapsed, uiStore } from "./uiStore";

let way = 0;

function goTo(workspaceId: string | null, threadKey: string | null): void {
  way += 1;
  const before = uiStore.getState().layout.workspaceId;
  changeLayout({ workspaceId, threadKey, page: "threads" });
  showThread(threadKey);
  uiStore.setState({ inspectorAsked: false });
  closeOverlay();
  if (workspaceId !== null && workspaceId !== before) void showWorkspace(workspaceId);
}

/** Main starts its session and lists its threads; what goes wrong is in the workspace's own state. */
async function showWorkspace(workspaceId: string): Promise<void> {
  const workspace = appCopy()?.app.workspaces.find((each) => each.id === workspaceId);
  if (workspace?.gone) return;
  try {
    await call("workspaces.show", { workspaceId });
  } catch (error) {
    console.warn("The workspace could not be shown", faultOf(error).message);
  }
}

/** Without a workspace for a thread that is not listed yet: its head says where it belongs. */
export function goToThread(workspaceId: string | null, threadKey: string): void {
  goTo(workspaceId ?? uiStore.getState().layout.workspaceId, threadKey);
}

export function goToWorkspace(workspaceId: string): void {
  goTo(workspaceId, null);
  unfold(workspaceId);
}

/** With the repository that a worktree is folded together with. */
function unfold(workspaceId: string): void {
  const workspace = appCopy()?.app.workspaces.find((each) => each.id === workspaceId);
  toggleCollapsed(workspaceId, false);
  if (workspace?.parentWorkspaceId) toggleCollapsed(workspace.parentWorkspaceId, false);
}

export function goHome(): void {
  goTo(null, null);
}

/** What was shown is gone. Another page that is on screen meanwhile stays there. */
export function leaveShown(): void {
  if (uiStore.getState().layout.page === "threads") goHome();
  else {
    changeLayout({ workspaceId: null, threadKey: null });
    showThread(null);
  }
}

/** The page of scripts and their runs, as it was left. The thread that was shown stays shown behind it. */
export function goToCells(): void {
  way += 1;
  changeLayout({ page: "cells" });
  closeOverlay();
}

export function goToScript(scriptId: string): void {
  way += 1;
  changeLayout({ page: "cells", cells: { scriptId, runId: null } });
  closeOverlay();
}

export function goToRun(runId: string): void {
  way += 1;
  const { scriptId } = uiStore.getState().layout.cells;
  changeLayout({ page: "cells", cells: { scriptId, runId } });
  closeOverlay();
}

/** The page of changes in a workspace's folder; null: in that of the shown thread, or the one that is looked at. */
export function goToChanges(workspaceId: string | null = null, show: Partial<Layout["changes"]> = {}): void {
  const { shown } = threadStore.getState();
  const now = shown.phase === "shown" ? shown.copy.head.workspaceId : uiStore.getState().layout.workspaceId;
  if (workspaceId !== null && workspaceId !== now) goTo(workspaceId, null);
  way += 1;
  changeLayout({ page: "changes", changes: { ...uiStore.getState().layout.changes, ...show } });
  closeOverlay();
}

/** From another page to the thread that is shown behind it. */
export function backToThread(): void {
  way += 1;
  changeLayout({ page: "threads" });
  closeOverlay();
  sendSoon("focus-conversation");
}

/** From anywhere to the field of the thread that is shown, be it behind another page; without one, to that of a new one. */
export function writeMessage(): void {
  const { shown } = threadStore.getState();
  if (uiStore.getState().layout.threadKey === null || shown.phase === "failed") {
    void newThread();
    return;
  }
  way += 1;
  changeLayout({ page: "threads" });
  closeOverlay();
  sendSoon("focus-composer");
}

/** The page of environments; one of them, or as it was left. */
export function goToEnvironments(environmentId?: string): void {
  way += 1;
  const { environments } = uiStore.getState().layout;
  changeLayout({
    page: "environments",
    environments: environmentId === undefined ? environments : { ...environments, environmentId },
  });
  closeOverlay();
}

/** The page about codex itself; one of its tabs, or as it was left. */
export function goToCodex(codexTab: Layout["codexTab"] = uiStore.getState().layout.codexTab): void {
  way += 1;
  changeLayout({ page: "codex", codexTab });
  closeOverlay();
}

/** The terminals of the workspace that is shown, with all the room of the middle. */
export function goToTerminals(): void {
  way += 1;
  changeLayout({ page: "terminals" });
  // It has no inspector.
  uiStore.setState({ inspectorAsked: false });
  closeOverlay();
}

/** Back to the thread behind a page. */
export function leavePage(): void {
  way += 1;
  changeLayout({ page: "threads" });
}

/** What is shown at the start of the window: main's layout, as far as it still exists. */
export function goToLayout(): void {
  const { workspaceId, threadKey } = uiStore.getState().layout;
  const copy = appCopy();
  const row = threadKey === null ? undefined : copy?.rows.get(threadKey);
  const known = copy?.app.workspaces.some((each) => each.id === workspaceId);
  const start = copy?.app.worktreeStarts.find((each) => each.threadKey === threadKey);
  way += 1;
  if (row) {
    changeLayout({ workspaceId: row.workspaceId });
    showThread(threadKey);
    void showWorkspace(row.workspaceId);
  } else if (start) {
    // One that is still to begin is no thread yet: how it comes to be is shown instead. The message of one that did not is
    // where it was written.
    const place = known && start.state.phase !== "returned" ? workspaceId : start.workspaceId;
    changeLayout({ workspaceId: place });
    showThread(null);
    if (place !== null) void showWorkspace(place);
  } else if (known && workspaceId !== null) {
    showThread(threadKey);
    if (threadKey !== null) leaveWhenUnknown(workspaceId, threadKey);
    void showWorkspace(workspaceId);
  } else {
    const first = copy?.app.workspaces[0];
    changeLayout({ workspaceId: first?.id ?? null, threadKey: null });
    if (first) void showWorkspace(first.id);
  }
}

/** A thread of the last time that is gone meanwhile is nothing to trouble anyone with at the start. */
function leaveWhenUnknown(workspaceId: string, threadKey: string): void {
  const stop = threadStore.subscribe(({ shown }) => {
    if (shown.phase === "loading" && shown.key === threadKey) return;
    stop();
    if (shown.phase === "failed" && shown.key === threadKey) goTo(workspaceId, null);
  });
}

/** A new thread that codex has named is remembered under that name: the provisional one ends with the app. */
export function followPromotion(): () => void {
  return threadStore.subscribe(({ shown }) => {
    if (shown.phase !== "shown") return;
    const { threadId } = shown.copy.head;
    const { layout } = uiStore.getState();
    if (threadId !== null && threadId !== shown.key && layout.threadKey === shown.key) {
      changeLayout({ threadKey: threadId });
    }
  });
}

/** The workspace that a new thread belongs to when none is named. */
export function currentWorkspaceId(): string | null {
  const { workspaceId } = uiStore.getState().layout;
  return workspaceForNew(appCopy()?.app.workspaces ?? [], workspaceId)?.id ?? null;
}

/** The one that is looked at, or else the first one that is there. */
export function workspaceForNew(
  workspaces: readonly WorkspaceView[],
  shownId: string | null,
): WorkspaceView | null {
  const usable = workspaces.filter((each) => !each.gone);
  return usable.find((each) => each.id === shownId) ?? usable[0] ?? null;
}

export async function newThread(workspaceId = currentWorkspaceId()): Promise<void> {
  if (workspaceId === null) {
    await openWorkspace();
    return;
  }
  const started = ++way;
  const made = await attempt(call("threads.compose", { workspaceId }));
  if (way !== started) return;
  // Main says which thread is unused: it knows of a message that has just been sent, which this window may not see yet.
  if (made && made.threadKey === uiStore.getState().layout.threadKey) {
    // It may be behind another page.
    changeLayout({ page: "threads" });
    closeOverlay();
    sendSoon("focus-composer");
    return;
  }
  // Without a thread the workspace's own page says what is wrong with it.
  goTo(workspaceId, made?.threadKey ?? null);
  unfold(workspaceId);
  if (made) focusComposerOf(made.threadKey);
}

/** Once that thread is on the screen: until then, its composer is not there yet and another one may be. */
function focusComposerOf(threadKey: string): void {
  const stop = threadStore.subscribe(({ shown }) => {
    const here = shown.phase !== "none" && shown.key === threadKey;
    if (here && shown.phase === "loading") return;
    stop();
    if (here) sendSoon("focus-composer");
  });
}

/** Through the platform's folder dialog. */
export async function openWorkspace(): Promise<void> {
  const picked = await attempt(call("workspaces.pick", {}));
  if (picked?.workspaceId) await newThread(picked.workspaceId);
}

export async function openFolder(path: string): Promise<void> {
  const opened = await attempt(call("workspaces.open", { path }));
  if (opened) await newThread(opened.workspaceId);
}

export async function openDemo(): Promise<void> {
  const opened = await attempt(call("demo.open", {}));
  if (opened) await newThread(opened.workspaceId);
}

/**
 * A thread that a search found: it may be further down than the list goes, and in a folder that is no workspace yet, which
 * is opened when the person agrees. Resolves with whether it is shown now; never rejects.
 */
export async function goToHit(hit: {
  threadId: string;
  workspaceId: string | null;
  cwd: string;
  title: string;
  archived: boolean;
}): Promise<boolean> {
  const started = ++way;
  const { threadId, archived } = hit;
  if (hit.workspaceId === null && !(await agreesToOpen(hit))) return false;
  try {
    const workspaceId = hit.workspaceId ?? (await call("workspaces.open", { path: hit.cwd })).workspaceId;
    if (!appCopy()?.rows.has(threadId)) await call("threads.meet", { workspaceId, threadId, archived });
    if (way !== started) return false;
    goTo(workspaceId, threadId);
    return true;
  } catch (error) {
    showFault(faultOf(error));
    return false;
  }
}

function agreesToOpen({ cwd, title }: { cwd: string; title: string }): Promise<boolean> {
  return askFirst({
    title: "Open this thread’s folder as a workspace?",
    text: `“${title}” was begun in ${cwd}, which is not on your list yet. Nothing in the folder is changed.`,
    confirmLabel: "Open workspace",
    tone: "default",
  });
}
