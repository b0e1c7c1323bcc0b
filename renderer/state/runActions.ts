// What can be done with a run from a menu, a key or the palette. Each says what went wrong; none throws.

import type { RunHead, RunRow } from "../../preload/contract/cells";
import { appCopy } from "./appStore";
import { askFirst } from "./confirm";
import { call } from "./connection";
import { goToCells, goToRun } from "./navigation";
import { attempt } from "./toasts";
import { changeLayout, uiStore } from "./uiStore";
import { isUnderWay } from "./words";

/** The same text once more, where it ran before. */
export async function runAgain(head: RunHead): Promise<void> {
  const { workspaceId, scriptId, scriptName, source } = head;
  const known = appCopy()?.app.scripts.some((script) => script.scriptId === scriptId) ?? false;
  const request = { workspaceId, scriptId: known ? scriptId : null, name: scriptName, source };
  const begun = await attempt(call("cells.run", request));
  // Whoever has gone to something else meanwhile stays there.
  if (begun && uiStore.getState().layout.cells.runId === head.runId) goToRun(begun.runId);
}

export async function stopRun(runId: string, stopThreads: boolean): Promise<void> {
  await attempt(call("cells.stop", { runId, stopThreads }));
}

export async function forgetRun({ runId, scriptName }: Pick<RunRow, "runId" | "scriptName">): Promise<void> {
  const yes = await askFirst({
    title: `Forget this run of “${scriptName}”?`,
    text: "Its output goes. The threads that it has started stay, and so does the script.",
    confirmLabel: "Forget",
    tone: "danger",
  });
  if (!yes || !(await attempt(call("cells.forget", { runId })))) return;
  leaveRun(runId);
}

/** The page of cells without this run, if it is the one that is shown. */
export function leaveRun(runId: string): void {
  const { cells } = uiStore.getState().layout;
  if (cells.runId === runId) changeLayout({ cells: { ...cells, runId: null } });
}

export function runsUnderWay(): RunRow[] {
  return appCopy()?.app.runs.filter((run) => isUnderWay(run.state)) ?? [];
}

/** To the one that is under way where there is only one, else to all of them. */
export function goToRuns(): void {
  const [only, ...more] = runsUnderWay();
  if (only && more.length === 0) goToRun(only.runId);
  else goToCells();
}
