// Everything that can be done from the keyboard: one list for the shortcuts, the palette, the sheet of shortcuts and the
// commands that main's menu sends.

import type { MenuCommand } from "../../preload/contract";
import { newScript } from "../cells/actions";
import { hasMessage } from "../conversation/revertWords";
import { editFrom } from "../conversation/turnActions";
import { openInEditor } from "../files/openInEditor";
import { goToNextNeed, somethingNeedsYou } from "../sidebar/goToNeed";
import { neighbour } from "../sidebar/neighbour";
import { appCopy } from "../state/appStore";
import { call } from "../state/connection";
import {
  currentWorkspaceId,
  goToCells,
  goToThread,
  newThread,
  openDemo,
  openWorkspace,
  writeMessage,
} from "../state/navigation";
import { goToRuns } from "../state/runActions";
import { send } from "../state/signals";
import {
  archiveThread,
  compactThread,
  copyText,
  deleteThread,
  forkThread,
  removeWorkspace,
  restartSession,
  reveal,
  unarchiveThread,
} from "../state/threadActions";
import { shownCopy } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { showDialog, startRenaming, uiStore } from "../state/uiStore";
import { onMac } from "../ui/keys";
import { chooseWorktreeOnce } from "../worktrees/starting/choice";
import { changesCommands } from "./changesCommands";
import { codexCommands } from "./codexCommands";
import type { Command } from "./command";
import { environmentCommands } from "./environmentCommands";
import { findingCommands } from "./findingCommands";
import { holdfastCommands } from "./holdfastCommands";
import { looksCommands } from "./looksCommands";
import { focusNextPane, toggleInspector, toggleSidebar } from "./panes";
import { terminalCommands } from "./terminalCommands";
import { worktreeCommands } from "./worktreeCommands";

function shownThread() {
  return shownCopy()?.head ?? null;
}

function shownWorkspace() {
  const copy = appCopy();
  const id = shownThread()?.workspaceId ?? uiStore.getState().layout.workspaceId;
  return copy?.app.workspaces.find((each) => each.id === id) ?? null;
}

function goToNeighbour(by: 1 | -1): void {
  const row = neighbour(by);
  if (row) goToThread(row.workspaceId, row.threadId);
}

const onCellsPage = () => uiStore.getState().layout.page === "cells";
const hasThread = () => shownThread() !== null;
const hasKnownThread = () => (shownThread()?.threadId ?? null) !== null;
/** A turn that is no message: codex would end one that runs, and takes none for an agent of another thread. */
function canBegin(): boolean {
  const head = shownThread();
  if (head === null || head.run !== null || head.archived) return false;
  return !(head.threadId !== null && appCopy()?.rows.get(head.threadId)?.parentThreadId);
}

/** The newest turn in which the person wrote something. */
function lastTurnId(): string | null {
  const copy = shownCopy();
  return copy?.turnOrder.findLast((turnId) => hasMessage(copy, turnId)) ?? null;
}

const isArchived = () => shownThread()?.archived === true;

export const commands: readonly Command[] = [
  {
    id: "new-thread",
    title: "New thread",
    group: "Threads",
    shortcuts: ["mod+n"],
    keywords: "start create conversation chat session ask prompt task agent clear",
    run() {
      const workspaceId = currentWorkspaceId();
      if (workspaceId !== null) chooseWorktreeOnce(workspaceId, false);
      void newThread();
    },
  },
  ...changesCommands,
  {
    id: "cells",
    title: "Cells: scripts that steer agents",
    group: "Cells",
    shortcuts: ["mod+shift+c"],
    keywords: "script run automate",
    run: goToCells,
  },
  ...environmentCommands,
  ...codexCommands,
  ...terminalCommands,
  {
    id: "new-script",
    title: "New script",
    group: "Cells",
    shortcuts: ["mod+alt+n"],
    keywords: "cell create write automate add",
    run: () => void newScript(),
  },
  {
    id: "show-runs",
    title: "Show runs",
    group: "Cells",
    keywords: "cells scripts running output past",
    run: goToRuns,
  },
  {
    id: "next-thread",
    title: "Next thread",
    group: "Threads",
    shortcuts: onMac ? ["mod+alt+arrowdown"] : ["mod+pagedown"],
    keywords: "go to below down chat",
    run: () => goToNeighbour(1),
  },
  {
    id: "previous-thread",
    title: "Previous thread",
    group: "Threads",
    shortcuts: onMac ? ["mod+alt+arrowup"] : ["mod+pageup"],
    keywords: "go to above up chat back",
    run: () => goToNeighbour(-1),
  },
  {
    id: "next-need",
    title: "Next that needs you",
    group: "Threads",
    shortcuts: ["mod+j"],
    keywords: "approval question waiting request answer failed agent approve permission allow",
    usable: somethingNeedsYou,
    run: goToNextNeed,
  },
  {
    id: "focus-composer",
    title: "Write a message",
    group: "Threads",
    shortcuts: ["mod+l"],
    keywords: "composer focus prompt type ask chat input",
    usable: () => hasThread() || currentWorkspaceId() !== null,
    run: writeMessage,
  },
  {
    id: "run-script",
    title: "Run the script",
    group: "Cells",
    shortcuts: ["mod+enter"],
    keywords: "cell start execute",
    usable: () => onCellsPage() && uiStore.getState().layout.cells.scriptId !== null,
    run: () => send("run-script"),
  },
  {
    id: "stop",
    title: "Stop the turn, or the run that is shown",
    group: "Threads",
    shortcuts: ["mod+."],
    keywords: "interrupt cancel abort halt end kill pause turn",
    usable: () => onCellsPage() || shownThread()?.run != null,
    run() {
      // The thread behind the page of cells is not what one sees.
      if (onCellsPage()) {
        send("stop-run");
        return;
      }
      const head = shownThread();
      if (head?.run) void attempt(call("turns.stop", { threadKey: head.key }));
    },
  },
  {
    id: "rename-thread",
    title: "Rename thread",
    group: "Threads",
    keywords: "title name chat change",
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
    keywords: "copy branch duplicate clone chat",
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
    keywords: "remove hide close chat",
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
    keywords: "unarchive restore archived undelete chat",
    usable: isArchived,
    run() {
      const id = shownThread()?.threadId;
      if (id) void unarchiveThread(id);
    },
  },
  {
    id: "delete-thread",
    title: "Delete thread…",
    group: "Threads",
    keywords: "remove forget erase chat conversation session",
    usable: hasKnownThread,
    run() {
      const id = shownThread()?.threadId;
      if (id) void deleteThread(id);
    },
  },
  {
    id: "compact-thread",
    title: "Compact the context",
    group: "Threads",
    keywords: "summarise shorten tokens summarize compress window",
    usable: () => hasKnownThread() && canBegin(),
    run() {
      const head = shownThread();
      if (head) void compactThread(head.key);
    },
  },
  {
    id: "review",
    title: "Review changes…",
    group: "Threads",
    keywords: "code diff commit branch uncommitted check pr pull request",
    usable: canBegin,
    run() {
      const head = shownThread();
      if (head) showDialog({ kind: "review", threadKey: head.key, workspaceId: head.workspaceId });
    },
  },
  {
    id: "edit-last",
    title: "Edit and send again from the last message…",
    group: "Threads",
    keywords: "revert undo take back retry rewind rollback checkpoint resend previous go back",
    usable: () => hasKnownThread() && canBegin() && lastTurnId() !== null,
    run() {
      const turnId = lastTurnId();
      if (turnId !== null) void editFrom(turnId);
    },
  },
  {
    id: "continue-follow-ups",
    title: "Continue follow-ups",
    group: "Threads",
    keywords: "queue held resume go",
    usable() {
      const followUps = shownThread()?.followUps;
      return followUps !== undefined && followUps.held !== null && followUps.entries.length > 0;
    },
    run() {
      const head = shownThread();
      if (head) void attempt(call("followUps.resume", { threadKey: head.key }));
    },
  },
  {
    id: "show-follow-ups",
    title: "Show follow-ups",
    group: "Threads",
    keywords: "queue queued waiting next inspector",
    usable: hasThread,
    run: () => send("show-follow-ups"),
  },
  {
    id: "copy-thread-id",
    title: "Copy thread id",
    group: "Threads",
    keywords: "uuid session clipboard",
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
    keywords: "folder project repository add directory repo new",
    run: () => void openWorkspace(),
  },
  {
    id: "open-demo",
    title: "Open the demo",
    group: "Workspaces",
    keywords: "try example tutorial tour start learn getting started",
    run: () => void openDemo(),
  },
  ...worktreeCommands(shownWorkspace),
  {
    id: "open-in-editor",
    title: "Open the workspace in my editor",
    group: "Workspaces",
    shortcuts: ["mod+alt+o"],
    keywords: "ide code vscode cursor zed idea sublime external edit worktree",
    usable: () => shownWorkspace()?.gone === false,
    run() {
      const workspace = shownWorkspace();
      if (workspace) void openInEditor({ workspaceId: workspace.id, path: null });
    },
  },
  {
    id: "reveal-workspace",
    title: "Show the workspace's folder",
    group: "Workspaces",
    keywords: "reveal finder files explorer directory file manager nautilus dolphin",
    usable: () => shownWorkspace() !== null,
    run() {
      const workspace = shownWorkspace();
      if (workspace) void reveal(workspace.path);
    },
  },
  {
    id: "remove-workspace",
    title: "Remove this workspace from the list…",
    group: "Workspaces",
    keywords: "close workspace folder project forget hide",
    usable: () => shownWorkspace() !== null,
    run() {
      const workspace = shownWorkspace();
      if (workspace) void removeWorkspace(workspace.id);
    },
  },
  {
    id: "restart-session",
    title: "Restart codex for this workspace",
    group: "Workspaces",
    keywords: "session reconnect reload kill relaunch app-server reset",
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
    keywords: "logs errors output debug app-server",
    usable: () => shownWorkspace() !== null,
    run() {
      const workspace = shownWorkspace();
      if (!workspace) return;
      const title = `Log of codex in ${workspace.name}`;
      showDialog({ kind: "log", log: { log: "session", workspaceId: workspace.id }, title });
    },
  },
  ...findingCommands,
  {
    id: "new-window",
    title: "New window",
    group: "Window",
    shortcuts: ["mod+shift+n"],
    keywords: "open another second beside",
    run: () => void attempt(call("window.openNew", {})),
  },
  {
    id: "toggle-sidebar",
    title: "Show or hide the sidebar",
    group: "Window",
    shortcuts: ["mod+b"],
    keywords: "workspaces list left navigation panel collapse threads",
    run: toggleSidebar,
  },
  {
    id: "toggle-inspector",
    title: "Show or hide the inspector",
    group: "Window",
    shortcuts: ["mod+alt+b"],
    keywords: "progress changes right panel collapse agents follow-ups cleanup",
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
    keywords: "focus panel switch",
    run: () => focusNextPane(1),
  },
  {
    id: "previous-pane",
    title: "Go to the previous pane",
    group: "Window",
    shortcuts: ["shift+f6"],
    keywords: "focus panel switch",
    run: () => focusNextPane(-1),
  },
  ...looksCommands,
  ...holdfastCommands,
];

const byId = new Map(commands.map((command) => [command.id, command]));

export function commandById(id: string): Command | undefined {
  return byId.get(id);
}

export function runCommand(id: MenuCommand | (string & {})): void {
  const command = byId.get(id);
  if (command && (command.usable?.() ?? true)) command.run();
}
