// What can be done with a worktree from a menu, a key or the palette. Each says what went wrong; none throws.

import { call } from "../state/connection";
import { goToWorkspace } from "../state/navigation";
import { attempt, toast } from "../state/toasts";
import { showDialog } from "../state/uiStore";

/** Its folder has gone: it is made again, as its branch is. `stay`: what is on screen stays there. */
export async function recreateWorktree(workspaceId: string, where: "stay" | "go" = "go"): Promise<boolean> {
  if (!(await attempt(call("worktrees.recreate", { workspaceId })))) return false;
  toast("The worktree is there again, as its branch is", { tone: "ok" });
  if (where === "go") goToWorkspace(workspaceId);
  return true;
}

/** What the last set-up of this worktree has printed, also long after its thread has begun. */
export function showSetupOutput({ id, name }: { id: string; name: string }): void {
  showDialog({
    kind: "log",
    log: { log: "setup", workspaceId: id },
    title: `Set-up of the worktree ${name}`,
  });
}
