// Where the terminals of the shown workspace are, and how they come and go: in the inspector, as the page, or out of sight.

import type { TerminalRow } from "../../preload/contract/terminals";
import { roomOf, toggleInspector } from "../shell/panes";
import {
  goToEnvironments,
  goToTerminals,
  goToWorkspace,
  leavePage,
  openWorkspace,
} from "../state/navigation";
import { send } from "../state/signals";
import { threadStore } from "../state/threadStore";
import { changeLayout, uiStore } from "../state/uiStore";
import { openTerminal, showTerminal } from "./actions";
import { keyboardIsInTerminal, shownTerminal, terminalsIn, terminalsWorkspace } from "./inFront";
import { giveKeyboard, giveKeyboardNext } from "./keyboard";

function isPage(): boolean {
  return uiStore.getState().layout.page === "terminals";
}

/** Into view, beside the thread, without the keyboard. */
function bringIntoInspector(): void {
  const { layout } = uiStore.getState();
  const isWide = roomOf(window.innerWidth) === "wide";
  changeLayout({
    page: "threads",
    inspectorTab: "terminal",
    terminals: { ...layout.terminals, view: "terminals" },
    ...(isWide ? { inspectorOpen: true } : {}),
  });
  // Beside a thread it is there without being asked for.
  const inspectorAsked = threadStore.getState().shown.phase === "none";
  uiStore.setState(isWide ? { inspectorAsked } : { inspectorAsked, overlay: "inspector" });
}

/** `give` is told before anything is drawn in another place. */
function giveShown(workspaceId: string | null, give: (terminalId: string) => void): boolean {
  if (workspaceId === null) return false;
  const { terminalId } = uiStore.getState().layout.terminals;
  const shown = shownTerminal(terminalsIn(workspaceId), terminalId);
  if (shown) give(shown.terminalId);
  return shown !== undefined;
}

export function putTerminalsBack(): void {
  giveShown(terminalsWorkspace(), giveKeyboardNext);
  leavePage();
  bringIntoInspector();
}

export function toggleTerminalsPage(): void {
  if (isPage()) {
    putTerminalsBack();
    return;
  }
  giveShown(terminalsWorkspace(), giveKeyboardNext);
  goToTerminals();
}

/** One of any place, into view and with the keyboard. */
export function goToTerminal({ place, terminalId }: TerminalRow): void {
  if (place.kind === "environment") {
    goToEnvironments(place.environmentId);
    const { environments } = uiStore.getState().layout;
    changeLayout({ environments: { ...environments, tab: "terminal" } });
  } else if (terminalsWorkspace() !== place.workspaceId) goToWorkspace(place.workspaceId);
  showTerminal(place, terminalId);
  if (place.kind === "workspace" && !isPage()) bringIntoInspector();
  giveKeyboard(terminalId);
}

/** One that has the keyboard is hidden; else it is shown and gets it. Without any one is opened. */
export function toggleTerminal(): void {
  if (keyboardIsInTerminal()) {
    if (isPage()) leavePage();
    else if (uiStore.getState().layout.page === "threads") toggleInspector();
    send("focus-composer");
    return;
  }
  const workspaceId = terminalsWorkspace();
  if (workspaceId === null) {
    void openWorkspace();
    return;
  }
  if (!isPage()) bringIntoInspector();
  if (!giveShown(workspaceId, giveKeyboard)) void newTerminal();
}

export async function newTerminal(): Promise<void> {
  const workspaceId = terminalsWorkspace();
  if (workspaceId === null) return;
  if (!isPage()) bringIntoInspector();
  await openTerminal({ kind: "workspace", workspaceId }, { command: null, cwd: null });
}
