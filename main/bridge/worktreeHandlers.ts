// Answers what a window asks of worktrees.

import type { BackendCall, Handlers } from "./backend";
import type { Core } from "./core";

type WorktreeCall = Extract<BackendCall, `worktrees.${string}`>;

export function worktreeHandlers({ worktrees }: Core): Handlers<WorktreeCall> {
  return {
    async "worktrees.create"({ workspaceId, name, base }) {
      return worktrees.create(workspaceId, { name, base });
    },
    async "worktrees.check"({ workspaceId }) {
      return worktrees.check(workspaceId);
    },
    async "worktrees.remove"({ workspaceId, discard }) {
      return worktrees.remove(workspaceId, { discard });
    },
  };
}
