// What this window shows and how: its layout, which main keeps for the next start, and what is open at the moment, which
// nobody keeps.
//
// Races, and what settles each:
// - The layout changes many times a second (a splitter is dragged): it is handed to main once it has been still for a
//   moment, and at once when the page is hidden or goes away.
// - The page starts before main has said what the layout was: nothing is handed over until it has, so that the usual
//   layout never replaces the remembered one.

import { create } from "zustand";
import type { CallParams } from "../../preload/contract";
import { firstLayout, type Layout } from "../../preload/contract/layout";
import type { SettingSection } from "../settings/setting";
import { faultOf } from "./callFault";
import { call } from "./connection";

export type DialogShown =
  /** `settingId`: the one that is looked for, in the catalog of settings. */
  | { kind: "settings"; section: SettingSection; settingId?: string }
  | { kind: "shortcuts" }
  | { kind: "pullRequest"; workspaceId: string }
  | { kind: "discarded"; workspaceId: string }
  /** `typed`: what stands in its field at first. */
  | { kind: "palette"; typed?: string }
  /** A file of the workspace, from its folder or by its whole path; `line` from 1. */
  | { kind: "file"; workspaceId: string; path: string; line: number | null }
  | { kind: "review"; threadKey: string; workspaceId: string }
  | { kind: "newWorktree"; workspaceId: string }
  | { kind: "removeWorktree"; workspaceId: string }
  | { kind: "mergeWorktree"; workspaceId: string }
  | { kind: "worktreeSetup"; workspaceId: string }
  | { kind: "environment"; about: EnvironmentDialogShown }
  | {
      kind: "threadFolder";
      threadKey: string;
      environmentId: string;
      folder: string | null;
    }
  | { kind: "log"; log: CallParams<"logs.tail">; title: string };

export type EnvironmentDialogShown =
  /** `registry`: how it is found; null: to be chosen. */
  | { what: "new"; registry: "local" | "fixed" | "file" | "command" | null }
  | { what: "edit"; environmentId: string }
  /** `name` null: one that is not saved yet. */
  | { what: "token"; environmentId: string; name: string | null }
  /** Another machine, step by step. */
  | { what: "recipe" }
  /** The way to one that is on the list, looked at. */
  | { what: "way"; environmentId: string };

export type Renaming =
  | { what: "thread"; threadKey: string; where: "list" | "head" }
  | { what: "workspace"; workspaceId: string };

interface UiStore {
  layout: Layout;
  layoutKnown: boolean;
  dialog: DialogShown | null;
  /** In a window too narrow for all panes: the one that lies over the middle. */
  overlay: "sidebar" | "inspector" | null;
  /** The inspector was asked for although no thread is shown: for what is no thread's own, the pending cleanup. */
  inspectorAsked: boolean;
  /** Workspaces whose archived threads are listed. */
  archivedOf: ReadonlySet<string>;
  renaming: Renaming | null;
  /** What the thread list is filtered by. */
  filter: string;
}

export const uiStore = create<UiStore>(() => ({
  layout: firstLayout,
  layoutKnown: false,
  dialog: null,
  overlay: null,
  inspectorAsked: false,
  archivedOf: new Set(),
  renaming: null,
  filter: "",
}));

const stillMs = 300;
const sizeParts: ReadonlySet<keyof Layout> = new Set([
  "sidebarPx",
  "inspectorPx",
  "cellPanes",
  "environmentPanes",
  "changesPanes",
]);
let timer: ReturnType<typeof setTimeout> | null = null;

function remember(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const { layout, layoutKnown } = uiStore.getState();
  if (!layoutKnown) return;
  // Nothing that was asked for: a layout that could not be kept is only worth a line in the console.
  call("window.remember", { layout }).catch((error: unknown) => {
    console.warn("The layout could not be kept", faultOf(error).message);
  });
}

export function changeLayout(change: Partial<Layout>): void {
  const { layout } = uiStore.getState();
  const next = { ...layout, ...change };
  uiStore.setState({ layout: next });
  // What is shown is handed over at once: should this page crash or Holdfast be killed now, the window comes back to it.
  // Sizes are waited for, since a divider that is dragged has a new one with every move.
  const moved = (Object.keys(change) as (keyof Layout)[]).some(
    (part) => !sizeParts.has(part) && next[part] !== layout[part],
  );
  if (moved) {
    remember();
    return;
  }
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(remember, stillMs);
}

/** Hands over at once what is waiting to be handed over. */
export function flushLayout(): void {
  if (timer !== null) remember();
}

export async function loadLayout(): Promise<void> {
  try {
    const { layout } = await call("window.layout", {});
    uiStore.setState({ layout, layoutKnown: true });
  } catch (error) {
    console.warn("The layout of this window is not known", faultOf(error).message);
    uiStore.setState({ layoutKnown: true });
  }
}

export function useLayout<Value>(selector: (layout: Layout) => Value): Value {
  return uiStore((store) => selector(store.layout));
}

export function showDialog(dialog: DialogShown | null): void {
  uiStore.setState({ dialog });
}

export function toggleCollapsed(workspaceId: string, collapse?: boolean): void {
  const { collapsedWorkspaces } = uiStore.getState().layout;
  const isCollapsed = collapsedWorkspaces.includes(workspaceId);
  const next = collapse ?? !isCollapsed;
  if (next === isCollapsed) return;
  changeLayout({
    collapsedWorkspaces: next
      ? [...collapsedWorkspaces, workspaceId]
      : collapsedWorkspaces.filter((each) => each !== workspaceId),
  });
}

export function startRenaming(renaming: Renaming | null): void {
  uiStore.setState({ renaming });
}

export function setFilter(filter: string): void {
  uiStore.setState({ filter });
}

export function closeOverlay(): void {
  uiStore.setState({ overlay: null });
}
