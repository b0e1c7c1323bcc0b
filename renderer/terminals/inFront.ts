// Which workspace's terminals a window shows, and which screen of a terminal is in front.

import type { TerminalRow } from "../../preload/contract/terminals";
import { isInWorkspace } from "../../preload/contract/terminals";
import { appCopy, useApp } from "../state/appStore";
import { shownCopy, threadStore } from "../state/threadStore";
import { uiStore, useLayout } from "../state/uiStore";
import type { Screen } from "./screen";

function known(workspaces: readonly { id: string }[], id: string | null | undefined): string | null {
  return workspaces.find((each) => each.id === id)?.id ?? null;
}

/** The thread's, or else the one that was gone to; null: there is none. */
export function terminalsWorkspace(): string | null {
  const workspaces = appCopy()?.app.workspaces ?? [];
  const { layout } = uiStore.getState();
  return known(workspaces, shownCopy()?.head.workspaceId) ?? known(workspaces, layout.workspaceId);
}

export function useTerminalsWorkspace(): string | null {
  const ofThread = threadStore((store) =>
    store.shown.phase === "shown" ? store.shown.copy.head.workspaceId : null,
  );
  const ofLayout = useLayout((layout) => layout.workspaceId);
  return useApp(({ workspaces }) => known(workspaces, ofThread) ?? known(workspaces, ofLayout));
}

export function terminalsIn(workspaceId: string): TerminalRow[] {
  return (appCopy()?.app.terminals ?? []).filter((row) => isInWorkspace(row, workspaceId));
}

/** The one that was shown last, or else the newest. */
export function shownTerminal(
  rows: readonly TerminalRow[],
  wantedId: string | null,
): TerminalRow | undefined {
  return rows.find(({ terminalId }) => terminalId === wantedId) ?? rows.at(-1);
}

export interface ScreenInFront {
  terminalId: string;
  screen: Screen;
  /** Opens the field for finding, or goes to it. */
  find(): void;
}

let inFront: ScreenInFront | null = null;

/** Returns what ends it. */
export function bringToFront(one: ScreenInFront): () => void {
  inFront = one;
  return () => {
    if (inFront === one) inFront = null;
  };
}

/** Of a workspace's terminal; null: none is on the screen. */
export function screenInFront(): ScreenInFront | null {
  return inFront;
}

export function keyboardIsInTerminal(): boolean {
  return document.activeElement?.closest(".terminal-screen") != null;
}
