// The commands for worktrees, in the list of all commands.

import type { WorkspaceView } from "../../preload/contract/app";
import { newThread } from "../state/navigation";
import { showDialog } from "../state/uiStore";
import { canHaveWorktrees } from "../state/words";
import { recreateWorktree, showSetupOutput } from "../worktrees/actions";
import { chooseWorktreeOnce } from "../worktrees/starting/choice";
import type { Command } from "./command";

export function worktreeCommands(shownWorkspace: () => WorkspaceView | null): readonly Command[] {
  const isWorktree = () => (shownWorkspace()?.parentWorkspaceId ?? null) !== null;
  const canHave = () => canHaveWorktrees(shownWorkspace());
  const forShown = (run: (workspaceId: string) => void) => () => {
    const workspace = shownWorkspace();
    if (workspace) run(workspace.id);
  };
  return [
    {
      id: "new-thread-in-worktree",
      title: "New thread in a worktree of its own",
      group: "Threads",
      shortcuts: ["mod+alt+w"],
      keywords: "branch git isolated parallel",
      usable: canHave,
      run: forShown((workspaceId) => {
        chooseWorktreeOnce(workspaceId, true);
        void newThread(workspaceId);
      }),
    },
    {
      id: "new-worktree",
      title: "New worktree…",
      group: "Workspaces",
      keywords: "branch git make create isolated",
      usable: canHave,
      run: forShown((workspaceId) => showDialog({ kind: "newWorktree", workspaceId })),
    },
    {
      id: "worktree-setup",
      title: "Worktree set-up…",
      group: "Workspaces",
      keywords: "script install npm env copy prepare",
      usable: canHave,
      run: forShown((workspaceId) => showDialog({ kind: "worktreeSetup", workspaceId })),
    },
    {
      id: "worktree-setup-output",
      title: "Output of this worktree's set-up",
      group: "Workspaces",
      keywords: "script install log npm printed failed",
      usable: isWorktree,
      run() {
        const workspace = shownWorkspace();
        if (workspace) showSetupOutput(workspace);
      },
    },
    {
      id: "merge-worktree",
      title: "Merge this worktree…",
      group: "Workspaces",
      shortcuts: ["mod+alt+shift+m"],
      keywords: "branch git bring back main commit",
      usable: () => isWorktree() && shownWorkspace()?.gone === false,
      run: forShown((workspaceId) => showDialog({ kind: "mergeWorktree", workspaceId })),
    },
    {
      id: "recreate-worktree",
      title: "Recreate this worktree from its branch",
      group: "Workspaces",
      keywords: "folder gone missing git restore",
      usable: () => isWorktree() && shownWorkspace()?.gone === true,
      run: forShown((workspaceId) => void recreateWorktree(workspaceId)),
    },
    {
      id: "remove-worktree",
      title: "Remove this worktree…",
      group: "Workspaces",
      keywords: "delete discard branch git",
      usable: isWorktree,
      run: forShown((workspaceId) => showDialog({ kind: "removeWorktree", workspaceId })),
    },
  ];
}
