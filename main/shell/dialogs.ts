// The questions and messages that Holdfast shows outside its windows' pages.

import { type BrowserWindow, dialog } from "electron";
import { asFault } from "../fault";
import type { OpenWork, WorkChoice } from "./lifecycle";
import { describeWork, questionAbout } from "./openWork";

export async function askAboutWork(
  window: BrowserWindow | null,
  work: OpenWork,
  withdrawn: AbortSignal,
): Promise<WorkChoice | "cancel"> {
  const choices: { label: string; choice: WorkChoice | "cancel" }[] = [
    ...(work.canKeep ? [{ label: "Keep Running", choice: "keep" as const }] : []),
    { label: "Stop and Quit", choice: "stop" },
    { label: "Cancel", choice: "cancel" },
  ];
  const cancelId = choices.length - 1;
  const options = {
    type: "question" as const,
    message: questionAbout(work),
    detail: describeWork(work),
    buttons: choices.map(({ label }) => label),
    defaultId: work.canKeep ? 0 : cancelId,
    cancelId,
    noLink: true,
    signal: withdrawn,
  };
  const { response } = await (window
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options));
  return choices[response]?.choice ?? "cancel";
}

/** Tells of something that was asked for and could not be done. */
export async function tellOfFault(window: BrowserWindow, error: unknown): Promise<void> {
  const fault = asFault(error);
  await dialog.showMessageBox(window, {
    type: "warning",
    message: fault.message,
    detail: fault.hint,
    buttons: ["OK"],
  });
}

/** Tells that the app has failed, or could not start, and ends; resolves when that was read. */
export async function tellOfFailure(failure: unknown, hadStarted: boolean, logPath: string): Promise<void> {
  const fault = asFault(failure);
  const message = hadStarted ? "Holdfast has failed and has to quit." : "Holdfast could not start.";
  const reason = fault.hint === undefined ? fault.message : `${fault.message} ${fault.hint}`;
  process.stderr.write(`holdfast: ${message} ${reason}\n`);
  await dialog.showMessageBox({
    type: "error",
    message,
    detail: `${reason}\n\nNothing you wrote is lost. The log has more: ${logPath}`,
    buttons: ["Quit"],
    noLink: true,
  });
}
