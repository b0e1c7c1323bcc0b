// The rows as they are drawn, shared by the list itself and by "next thread". Laid out anew only when a place changed, a
// workspace changed, or something else was asked for; a row's state never lays out the list.
//
// "Nothing moves under the pointer": while someone points at the list, threads keep the order that they had, however
// their times change; new ones still appear. `holdOrder` says when.

import { create } from "zustand";
import type { ThreadRow, WorkspaceView } from "../../preload/contract/app";
import type { ThreadHit } from "../../preload/contract/thread";
import type { WorktreeStartView } from "../../preload/contract/worktrees";
import { appStore } from "../state/appStore";
import { uiStore } from "../state/uiStore";
import { type ListRow, listRows } from "./rows";

interface ListStore {
  rows: readonly ListRow[];
  hits: readonly ThreadHit[] | null;
  searching: boolean;
}

export const listStore = create<ListStore>(() => ({ rows: [], hits: null, searching: false }));

let heldOrder: Map<string, number> | null = null;
let laidOut: {
  places: number;
  workspaces: readonly WorkspaceView[];
  starts: readonly WorktreeStartView[];
  collapsed: readonly string[];
  archivedOf: ReadonlySet<string>;
  filter: string;
  hits: readonly ThreadHit[] | null;
  held: Map<string, number> | null;
} | null = null;

function orderMs(row: ThreadRow): number {
  return heldOrder?.get(row.threadId) ?? row.updatedAtMs;
}

function layOut(): void {
  const { shown } = appStore.getState();
  if (shown.phase !== "shown") return;
  const { layout, archivedOf, filter } = uiStore.getState();
  const { app, rows, places } = shown.copy;
  const { hits } = listStore.getState();
  const next = {
    places,
    workspaces: app.workspaces,
    starts: app.worktreeStarts,
    collapsed: layout.collapsedWorkspaces,
    archivedOf,
    filter,
    hits,
    held: heldOrder,
  };
  if (
    laidOut &&
    laidOut.places === next.places &&
    laidOut.workspaces === next.workspaces &&
    laidOut.starts === next.starts &&
    laidOut.collapsed === next.collapsed &&
    laidOut.archivedOf === next.archivedOf &&
    laidOut.filter === next.filter &&
    laidOut.hits === next.hits &&
    laidOut.held === next.held
  ) {
    return;
  }
  laidOut = next;
  listStore.setState({ rows: listRows({ ...next, rows, orderMs }) });
}

/** Keeps the list true from now on. Returns what ends that. */
export function followList(): () => void {
  layOut();
  const stops = [appStore.subscribe(layOut), uiStore.subscribe(layOut), listStore.subscribe(layOut)];
  return () => {
    for (const stop of stops) stop();
  };
}

export function holdOrder(hold: boolean): void {
  if (hold === (heldOrder !== null)) return;
  if (hold) {
    const { shown } = appStore.getState();
    if (shown.phase !== "shown") return;
    heldOrder = new Map();
    for (const row of shown.copy.rows.values()) heldOrder.set(row.threadId, row.updatedAtMs);
  } else heldOrder = null;
  layOut();
}
