// What can be done with a thread or a workspace from a menu, a key or the palette. Each says what went wrong; none throws.

import { isInWorkspace, isTerminalOpen } from "../../preload/contract/terminals";
import { appCopy } from "./appStore";
import { archiveQuestion } from "./archiveQuestion";
import { faultOf } from "./callFault";
import { isCleanupPending } from "./cleanupPending";
import { retryCleanup } from "./cleanups";
import { askFirst } from "./confirm";
import { call } from "./connection";
import { forkOf, shortTitle } from "./forks";
import { goToThread, goToWorkspace, leaveShown } from "./navigation";
import { attempt, showFault, toast } from "./toasts";
import { uiStore } from "./uiStore";
import { busyStates, leftRunningWords } from "./words";

export async function renameThread(threadKey: string, title: string): Promise<void> {
  const wanted = title.trim();
  if (wanted !== "") await attempt(call("threads.rename", { threadKey, title: wanted }));
}

export async function archiveThread(threadKey: string): Promise<void> {
  const copy = appCopy();
  const row = copy?.rows.get(threadKey);
  const { question, isBusy } =
    copy && row ? archiveQuestion(copy.rows, row) : { question: null, isBusy: false };
  if (question !== null && !(await askFirst(question))) return;
  const archived = await attempt(call("threads.archive", { threadKey, interruptFirst: isBusy }));
  if (!archived) return;
  const { layout } = uiStore.getState();
  if (layout.threadKey === threadKey && layout.workspaceId !== null) goToWorkspace(layout.workspaceId);
  toast("Thread archived", {
    tone: "ok",
    actions: [{ label: "Undo", run: () => void unarchiveThread(threadKey) }],
  });
}

/** Asks first, in words that say what is lost. */
export async function deleteThread(threadKey: string): Promise<void> {
  const row = appCopy()?.rows.get(threadKey);
  if (!row || row.parentThreadId !== null) return;
  if (busyStates.has(row.state)) {
    toast(`“${row.title}” is at work`, { tone: "warning", hint: "Stop it first; then delete it." });
    return;
  }
  const fork = forkOf(appCopy()?.rows ?? new Map(), threadKey);
  if (fork !== null) {
    toast(`“${shortTitle(row.title)}” cannot be deleted while its fork “${shortTitle(fork)}” exists`, {
      tone: "warning",
      hint: "The two share the turns before the fork. Delete the fork first, or archive this thread.",
    });
    return;
  }
  const yes = await askFirst({
    title: `Delete “${row.title}” for good?`,
    text: [
      leftRunningWords(row.leftRunning),
      "All of its turns go, with the conversations of its agents, its draft and the follow-ups that wait in it. " +
        "codex keeps no copy: it cannot be brought back. Files in the folder stay as they are.",
    ]
      .filter(Boolean)
      .join("\n\n"),
    confirmLabel: "Delete for good",
    tone: "danger",
  });
  if (!yes || !(await attempt(call("threads.delete", { threadKey })))) return;
  const { layout } = uiStore.getState();
  if (layout.threadKey === threadKey && layout.workspaceId !== null) goToWorkspace(layout.workspaceId);
  toast("Thread deleted", { tone: "ok" });
}

export async function unarchiveThread(threadKey: string): Promise<void> {
  await attempt(call("threads.unarchive", { threadKey }));
}

/** Forks and goes to the fork. */
export async function forkThread(threadKey: string, workspaceId: string): Promise<void> {
  const made = await attempt(call("threads.fork", { threadKey, lastTurnId: null }));
  if (made) goToThread(workspaceId, made.threadKey);
}

/** It runs like a turn, so what becomes of it is said in the conversation. */
export async function compactThread(threadKey: string): Promise<void> {
  await attempt(call("threads.compact", { threadKey }));
}

export async function copyText(text: string, what: string): Promise<void> {
  if (await attempt(call("shell.copy", { text }))) toast(`${what} copied`, { tone: "ok" });
}

export async function reveal(path: string): Promise<void> {
  await attempt(call("shell.reveal", { path }));
}

export async function renameWorkspace(workspaceId: string, name: string): Promise<void> {
  const wanted = name.trim();
  if (wanted !== "") await attempt(call("workspaces.rename", { workspaceId, name: wanted }));
}

export async function removeWorkspace(workspaceId: string): Promise<void> {
  const workspace = appCopy()?.app.workspaces.find((each) => each.id === workspaceId);
  if (!workspace) return;
  const yes = await askFirst({
    title: `Remove “${workspace.name}” from the list?`,
    text: "The folder and its threads stay where they are. Open the folder again to have them back in the list.",
    confirmLabel: "Remove from list",
    tone: "default",
  });
  if (!yes) return;
  const removed = await attempt(call("workspaces.remove", { workspaceId }));
  if (removed && uiStore.getState().layout.workspaceId === workspaceId) leaveShown();
}

export async function locateWorkspace(workspaceId: string): Promise<void> {
  const answer = await attempt(call("workspaces.locate", { workspaceId }));
  if (answer?.located) goToWorkspace(workspaceId);
}

function terminalsIn(workspaceId: string): number {
  const rows = appCopy()?.app.terminals ?? [];
  return rows.filter((row) => isInWorkspace(row, workspaceId) && isTerminalOpen(row)).length;
}

function runningWords(terminals: number, commands: number): string {
  return [terminals > 0 && "terminals", commands > 0 && "commands"].filter(Boolean).join(" and ");
}

export async function restartSession(workspaceId: string): Promise<void> {
  const busy = [...(appCopy()?.rows.values() ?? [])].filter(
    (row) => row.workspaceId === workspaceId && busyStates.has(row.state),
  );
  const terminals = terminalsIn(workspaceId);
  const commands = [...(appCopy()?.rows.values() ?? [])].flatMap((row) =>
    row.workspaceId === workspaceId ? (row.leftRunning ?? []) : [],
  );
  if (busy.length + terminals + commands.length > 0) {
    const threadsWords = `${busy.length === 1 ? `“${busy[0]?.title}” is` : `${busy.length} threads are`} interrupted. Everything up to now is kept, and each can go on from there.`;
    const terminalsWords = `${terminals === 1 ? "1 terminal runs" : `${terminals} terminals run`}, and ${terminals === 1 ? "ends" : "end"} with what was started in ${terminals === 1 ? "it" : "them"}.`;
    const yes = await askFirst({
      title:
        busy.length > 0
          ? "Restart codex although it is at work?"
          : `Restart codex although ${runningWords(terminals, commands.length)} run?`,
      text: [busy.length > 0 && threadsWords, terminals > 0 && terminalsWords, leftRunningWords(commands)]
        .filter(Boolean)
        .join("\n\n"),
      confirmLabel: "Restart codex",
      tone: "danger",
    });
    if (!yes) return;
  }
  try {
    await call("workspaces.restartSession", {
      workspaceId,
      force: busy.length + terminals + commands.length > 0,
    });
  } catch (error) {
    const fault = faultOf(error);
    const again = () => retryCleanup(workspaceId, () => restartSession(workspaceId));
    showFault(fault, isCleanupPending(fault) ? [{ label: "Retry cleanup", run: () => void again() }] : []);
  }
}
