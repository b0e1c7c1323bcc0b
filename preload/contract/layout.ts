// What a window shows and how it is divided, as it is remembered.

import { z } from "zod";

/** What a window shows and how its panes are sized. */
export const layoutSchema = z.object({
  sidebarPx: z.number().min(0).max(2000),
  inspectorPx: z.number().min(0).max(2000),
  sidebarOpen: z.boolean(),
  inspectorOpen: z.boolean(),
  workspaceId: z.string().nullable(),
  threadKey: z.string().nullable(),
  collapsedWorkspaces: z.array(z.string()),
  inspectorTab: z.string(),
  /** Which page is in the middle. */
  page: z.enum(["threads", "changes", "cells", "environments", "search", "codex", "terminals"]),
  /** What is in front on the page of codex. */
  codexTab: z.enum(["servers", "skills", "models", "usage", "diagnostics"]),
  /** What is shown on the page of cells. */
  cells: z.object({ scriptId: z.string().nullable(), runId: z.string().nullable() }),
  /** Where scripts run. Null: nobody has looked at them or run one in this window yet. */
  cellsWorkspaceId: z.string().nullable(),
  /** What is shown on the page of environments. */
  environments: z.object({
    environmentId: z.string().nullable(),
    tab: z.enum(["overview", "files", "terminal"]),
    terminalId: z.string().nullable(),
  }),
  /** The workspaces in which a new thread begins in a worktree of its own. */
  startInWorktree: z.array(z.string()),
  /** What is shown on the page of changes: of the thread, of the folder, or of the folder against a branch. */
  changes: z.object({
    source: z.enum(["folder", "thread", "base"]),
    base: z.string().nullable(),
    /** The row of the file in its list. */
    file: z.string().nullable(),
  }),
  /** How the page of changes is divided and drawn. */
  changesPanes: z.object({
    listPx: z.number().min(0).max(2000),
    listOpen: z.boolean(),
    split: z.boolean(),
    tree: z.boolean(),
  }),
  /** Which list the inspector's tab has. */
  changesTab: z.enum(["thread", "folder"]),
  /** What is searched for on the page of all threads. */
  search: z.object({ query: z.string().max(500) }),
  /** What the inspector's tab of terminals shows, and which terminal of this machine was shown last. */
  terminals: z.object({ view: z.enum(["terminals", "commands"]), terminalId: z.string().nullable() }),
  /** How the page of cells is divided. */
  cellPanes: z.object({
    listPx: z.number().min(0).max(2000),
    listOpen: z.boolean(),
    runPx: z.number().min(0).max(4000),
  }),
  /** How the page of environments is divided. */
  environmentPanes: z.object({ listPx: z.number().min(0).max(2000), listOpen: z.boolean() }),
});
export type Layout = z.infer<typeof layoutSchema>;

/** Of a window that nothing is remembered of. */
export const firstLayout: Layout = {
  sidebarPx: 268,
  inspectorPx: 344,
  sidebarOpen: true,
  inspectorOpen: true,
  workspaceId: null,
  threadKey: null,
  collapsedWorkspaces: [],
  inspectorTab: "progress",
  page: "threads",
  codexTab: "servers",
  cells: { scriptId: null, runId: null },
  cellsWorkspaceId: null,
  environments: { environmentId: null, tab: "overview", terminalId: null },
  startInWorktree: [],
  changes: { source: "folder", base: null, file: null },
  changesPanes: { listPx: 300, listOpen: true, split: false, tree: true },
  changesTab: "thread",
  search: { query: "" },
  terminals: { view: "terminals", terminalId: null },
  cellPanes: { listPx: 240, listOpen: true, runPx: 300 },
  environmentPanes: { listPx: 240, listOpen: true },
};
