// What can be done with scripts and runs, from a button, a key or a menu. Each says what went wrong; none throws.

import { count } from "../conversation/time/durations";
import { appCopy } from "../state/appStore";
import { askFirst } from "../state/confirm";
import { call } from "../state/connection";
import { goToCells, goToScript } from "../state/navigation";
import { leaveRun, stopRun } from "../state/runActions";
import { runStore } from "../state/runStore";
import { attempt, toast } from "../state/toasts";
import { changeLayout, uiStore } from "../state/uiStore";
import { isUnderWay } from "../state/words";
import { cellsStore } from "./cellsStore";
import { lastRunOf, neighbourOf } from "./cellsView";
import { scripts } from "./saving/scripts";
import { settleWorkspaceForRuns } from "./whereRuns";

function rows() {
  const app = appCopy()?.app;
  return { scripts: app?.scripts ?? [], runs: app?.runs ?? [] };
}

/** Shows a script, and under it its newest run. */
export function openScript(scriptId: string): void {
  goToScript(scriptId);
  const run = lastRunOf(scriptId, rows().runs);
  if (run) changeLayout({ cells: { scriptId, runId: run.runId } });
}

export async function newScript(): Promise<void> {
  const made = await attempt(call("scripts.create", { fromScriptId: null }));
  if (!made) return;
  goToScript(made.scriptId);
  cellsStore.setState({ renaming: { scriptId: made.scriptId, where: "head" } });
}

export async function duplicateScript(scriptId: string): Promise<void> {
  const script = scripts.of(scriptId);
  const letGo = scripts.hold(script);
  await script.loaded();
  // Also what is typed in it and not saved yet.
  const source = script.view.phase === "ready" ? script.view.source : undefined;
  letGo();
  const made = await attempt(call("scripts.create", { fromScriptId: scriptId, source }));
  if (made) goToScript(made.scriptId);
}

/** Of a script that came with Holdfast. Where it is shown, the copy is shown in its place. */
export async function editCopy(scriptId: string): Promise<void> {
  await scripts.copy(scriptId);
}

export async function renameScript(scriptId: string, name: string): Promise<void> {
  const script = scripts.of(scriptId);
  const letGo = scripts.hold(script);
  await script.loaded();
  script.rename(name);
  letGo();
}

export async function deleteScript(scriptId: string): Promise<void> {
  const { scripts: list, runs } = rows();
  const name = list.find((script) => script.scriptId === scriptId)?.name ?? "The script";
  // What is typed in it comes back with it.
  scripts.flush();
  if (!(await attempt(call("scripts.delete", { scriptId })))) return;
  const { cells } = uiStore.getState().layout;
  if (cells.scriptId === scriptId) {
    const next = neighbourOf(scriptId, list);
    const run = next === null ? undefined : lastRunOf(next, runs);
    changeLayout({ cells: { scriptId: next, runId: run?.runId ?? null } });
  }
  toast(`“${name}” deleted`, {
    tone: "ok",
    hint: "Its runs stay in the list.",
    actions: [{ label: "Undo", run: () => void restoreScript(scriptId) }],
  });
}

export async function restoreScript(scriptId: string): Promise<void> {
  if (!(await attempt(call("scripts.restore", { scriptId })))) return;
  openScript(scriptId);
  cellsStore.setState({ focusing: scriptId });
}

/** The run that is being started is to be stopped as soon as there is one. */
let isStopWanted = false;

/** Runs the script as it stands in this window, saved or not. */
export async function runScript(scriptId: string): Promise<void> {
  if (cellsStore.getState().starting !== null) return;
  const workspaceId = settleWorkspaceForRuns();
  if (workspaceId === null) return;
  cellsStore.setState({ starting: scriptId });
  isStopWanted = false;
  const words = await wordsOf(scriptId);
  const started = words && (await attempt(call("cells.run", { workspaceId, ...words })));
  cellsStore.setState({ starting: null });
  if (started && isStopWanted) void stopRun(started.runId, false);
  const { page, cells } = uiStore.getState().layout;
  // Whoever has gone to something else meanwhile stays there.
  if (started && page === "cells" && cells.scriptId === words.scriptId) {
    changeLayout({ cells: { scriptId: words.scriptId, runId: started.runId } });
  }
}

/** Stops the run that is shown, or the one that is just being started: that one is what a press right after Run is about. */
export function stopShownRun(): void {
  if (cellsStore.getState().starting !== null) {
    isStopWanted = true;
    return;
  }
  const { runId } = uiStore.getState().layout.cells;
  if (runId === null) return;
  const run = rows().runs.find((each) => each.runId === runId);
  // One that has only just begun is not in the list yet; one that was forgotten is not there any more.
  const isThere = run ? isUnderWay(run.state) : runStore.getState().shown.phase !== "failed";
  if (isThere) void stopRun(runId, false);
}

/** What is run. Null: it cannot be read, which its place says. */
async function wordsOf(scriptId: string): Promise<{ scriptId: string; name: string; source: string } | null> {
  const script = scripts.of(scriptId);
  const letGo = scripts.hold(script);
  try {
    await script.loaded();
    script.flush();
    if (script.view.phase !== "ready") return null;
    const { origin, name, source, saving } = script.view;
    // What was typed into one that came with Holdfast belongs to the copy that is being made of it.
    const isCopying = origin === "shipped" && saving.state === "saving";
    const copy = isCopying ? await scripts.copy(scriptId) : null;
    return copy === null ? { scriptId, name, source } : wordsOf(copy);
  } finally {
    letGo();
  }
}

/** Takes all runs that have ended off the list. */
export async function forgetEndedRuns(): Promise<void> {
  const ended = rows().runs.filter((run) => !isUnderWay(run.state));
  const yes = await askFirst({
    title: `Forget ${count(ended.length, "run")}?`,
    text: "Their output goes. The threads that they have started stay, and so do the scripts.",
    confirmLabel: "Forget",
    tone: "danger",
  });
  if (!yes || !(await attempt(call("cells.forget", { runId: null })))) return;
  for (const { runId } of ended) leaveRun(runId);
}

/** Below its script when that is shown; otherwise alone. */
export function openRun(runId: string): void {
  goToCells();
  const { cells } = uiStore.getState().layout;
  changeLayout({ cells: { ...cells, runId } });
}
