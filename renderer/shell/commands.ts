// Everything that can be done from the keyboard: one list for the shortcuts, the palette, the sheet of shortcuts and the
// commands that main's menu sends.

import type { MenuCommand } from "../../preload/contract";
import { neighbour } from "../sidebar/neighbour";
import type { AppCopy } from "../state/appCopy";
import { appCopy } from "../state/appStore";
import { call } from "../state/connection";
import { goToThread, newThread, openDemo, openWorkspace } from "../state/navigation";
import { send, sendSoon } from "../state/signals";
import {
  archiveThread,
  copyText,
  forkThread,
  restartSession,
  reveal,
  unarchiveThread,
} from "../state/threadActions";
import { shownCopy } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { showDialog, startRenaming, uiStore } from "../state/uiStore";
import { onMac } from "../ui/keys";
import { focusNextPane, showSidebar, toggleInspector, toggleSidebar } from "./panes";

export type CommandGroup = "Threads" | "Workspaces" | "Window" | "Holdfast";

export interface Command {
  id: string;
  title: string;
  group: CommandGroup;
  /** The first is shown; all of them work. */
  shortcuts?: readonly string[];
  /** Other words that one might look for. */
  keywords?: string;
  /** Left out of the palette and inert while this is false. */
  usable?: () => boolean;
  run: () => void;
}

function shownThread() {
  return shownCopy()?.head ?? null;
}

function shownWorkspace(copy: AppCopy | null = appCopy()) {
  const id = shownThread()?.workspaceId ?? uiStore.getState().layout.workspaceId;
  return copy?.app.workspaces.find((each) => each.id === id) ?? null;
}

function goToNeighbour(by: 1 | -1): void {
  const row = neighbour(by);
  if (row) goToThread(row.workspaceId, row.threadId);
}

const hasThread = () => shownThread() !== null;
const hasKnownThread = () => (shownThread()?.threadId ?? null) !== null;
const isArchived = () => shownThread()?.archived === true;

export const commands: readonly Command[] = [
  {
    id: "new-thread",
    title: "New thread",
    group: "Threads",
    shortcuts: ["mod+n"],
    keywords: "start create conversation",
    run: () => void newThread(),
  },
  {
    id: "next-thread",
    title: "Next thread",
    group: "Threads",
    shortcuts: onMac ? ["mod+alt+arrowdown"] : ["mod+pagedown"],
    run: () => goToNeighbour(1),
  },
  {
    id: "previous-thread",
    title: "Previous thread",
    group: "Threads",
    shortcuts: onMac ? ["mod+alt+arrowup"] : ["mod+pageup"],
    run: () => goToNeighbour(-1),
  },
  {
    id: "focus-composer",
    title: "Write a message",
    group: "Threads",
    shortcuts: ["mod+l"],
    keywords: "composer focus prompt",
    usable: hasThread,
    run: () => send("focus-composer"),
  },
  {
    id: "stop",
    title: "Stop the turn",
    group: "Threads",
    shortcuts: ["mod+."],
    keywords: "interrupt cancel",
    usable: () => shownThread()?.run != null,
    run() {
      const head = shownThread();
      if (head?.run) void attempt(call("turns.stop", { threadKey: head.key }));
    },
  },
  {
    id: "rename-thread",
    title: "Rename thread",
    group: "Threads",
    usable: hasKnownThread,
    run() {
      const head = shownThread();
      if (head) startRenaming({ what: "thread", threadKey: head.key, where: "head" });
    },
  },
  {
    id: "fork-thread",
    title: "Fork thread",
    group: "Threads",
    keywords: "copy branch duplicate",
    usable: hasKnownThread,
    run() {
      const head = shownThread();
      if (head) void forkThread(head.key, head.workspaceId);
    },
  },
  {
    id: "archive-thread",
    title: "Archive thread",
    group: "Threads",
    keywords: "delete remove hide",
    usable: () => hasKnownThread() && !isArchived(),
    run() {
      const id = shownThread()?.threadId;
      if (id) void archiveThread(id);
    },
  },
  {
    id: "unarchive-thread",
    title: "Bring thread back from the archive",
    group: "Threads",
    keywords: "unarchive restore",
    usable: isArchived,
    run() {
      const id = shownThread()?.threadId;
      if (id) void unarchiveThread(id);
    },
  },
  {
    id: "compact-thread",
    title: "Compact the context",
    group: "Threads",
    keywords: "summarise shorten tokens",
    usable: () => hasKnownThread() && shownThread()?.run == null,
    run() {
      const head = shownThread();
      if (head) void attempt(call("threads.compact", { threadKey: head.key }));
    },
  },
  {
    id: "copy-thread-id",
    title: "Copy thread id",
    group: "Threads",
    usable: hasKnownThread,
    run() {
      const id = shownThread()?.threadId;
      if (id) void copyText(id, "Thread id");
    },
  },
  {
    id: "open-workspace",
    title: "Open workspace",
    group: "Workspaces",
    shortcuts: ["mod+o"],
    keywords: "folder project repository add",
    run: () => void openWorkspace(),
  },
  {
    id: "open-demo",
    title: "Open the demo",
    group: "Workspaces",
    keywords: "try example",
    run: () => void openDemo(),
  },
  {
    id: "reveal-workspace",
    title: "Show the workspace's folder",
    group: "Workspaces",
    keywords: "reveal finder files explorer",
    usable: () => shownWorkspace() !== null,
    run() {
      const workspace = shownWorkspace();
      if (workspace) void reveal(workspace.path);
    },
  },
  {
    id: "restart-session",
    title: "Restart codex for this workspace",
    group: "Workspaces",
    keywords: "session reconnect",
    usable: () => shownWorkspace() !== null,
    run() {
      const workspace = shownWorkspace();
      if (workspace) void restartSession(workspace.id);
    },
  },
  {
    id: "session-log",
    title: "Show the log of codex",
    group: "Workspaces",
    usable: () => shownWorkspace() !== null,
    run() {
      const workspace = shownWorkspace();
      if (!workspace) return;
      const title = `Log of codex in ${workspace.name}`;
      showDialog({ kind: "log", log: { log: "session", workspaceId: workspace.id }, title });
    },
  },
  {
    id: "find",
    title: "Find a thread",
    group: "Window",
    shortcuts: ["mod+f", "/"],
    keywords: "search filter",
    run() {
      showSidebar();
      sendSoon("focus-search");
    },
  },
  {
    id: "palette",
    title: "Command palette",
    group: "Window",
    shortcuts: ["mod+k", "mod+shift+p"],
    run: () => showDialog(uiStore.getState().dialog?.kind === "palette" ? null : { kind: "palette" }),
  },
  {
    id: "toggle-sidebar",
    title: "Show or hide the sidebar",
    group: "Window",
    shortcuts: ["mod+b"],
    keywords: "workspaces list left",
    run: toggleSidebar,
  },
  {
    id: "toggle-inspector",
    title: "Show or hide the inspector",
    group: "Window",
    shortcuts: ["mod+alt+b"],
    keywords: "progress changes right",
    run: toggleInspector,
  },
  {
    id: "show-cleanup",
    title: "Show pending cleanup",
    group: "Window",
    keywords: "process leftover retry owed inspector",
    run: () => send("show-cleanup"),
  },
  {
    id: "next-pane",
    title: "Go to the next pane",
    group: "Window",
    shortcuts: ["f6"],
    run: () => focusNextPane(1),
  },
  {
    id: "previous-pane",
    title: "Go to the previous pane",
    group: "Window",
    shortcuts: ["shift+f6"],
    run: () => focusNextPane(-1),
  },
  ...(["light", "dark", "system"] as const).map(
    (theme): Command => ({
      id: `theme-${theme}`,
      title: theme === "system" ? "Theme: as the system" : `Theme: ${theme}`,
      group: "Holdfast",
      keywords: "appearance colours mode",
      usable: () => appCopy()?.app.settings.theme !== theme,
      run: () => void attempt(call("settings.set", { theme })),
    }),
  ),
  {
    id: "settings",
    title: "Settings",
    group: "Holdfast",
    shortcuts: ["mod+,"],
    keywords: "preferences options account model",
    run: () => showDialog({ kind: "settings", section: "general" }),
  },
  {
    id: "shortcuts",
    title: "Keyboard shortcuts",
    group: "Holdfast",
    shortcuts: ["mod+/", "?"],
    keywords: "keys help",
    run: () => showDialog({ kind: "shortcuts" }),
  },
  {
    id: "main-log",
    title: "Show Holdfast's log",
    group: "Holdfast",
    run: () => showDialog({ kind: "log", log: { log: "main" }, title: "Log of Holdfast" }),
  },
];

const byId = new Map(commands.map((command) => [command.id, command]));

export function runCommand(id: MenuCommand | (string & {})): void {
  const command = byId.get(id);
  if (command && (command.usable?.() ?? true)) command.run();
}
