// Answers what a window asks of worktrees, and of threads that are to begin in one.

import type { BackendCall, Handlers } from "./backend";
import type { Core } from "./core";

type WorktreeCall = Extract<BackendCall, `worktrees.${string}` | `worktreeStarts.${string}`>;

const done = { done: true } as const;

export function worktreeHandlers({ worktrees, starts, threads }: Core): Handlers<WorktreeCall> {
  return {
    async "worktrees.create"({ workspaceId, name, base }) {
      return starts.open(workspaceId, { name, base });
    },
    async "worktrees.check"({ workspaceId }) {
      return worktrees.check(workspaceId);
    },
    async "worktrees.remove"({ workspaceId, discard }) {
      return worktrees.remove(workspaceId, { discard });
    },
    async "worktrees.recreate"({ workspaceId }) {
      await worktrees.recreate(workspaceId);
      return done;
    },
    async "worktrees.checkMerge"({ workspaceId }) {
      return worktrees.checkMerge(workspaceId);
    },
    async "worktrees.merge"({ workspaceId, ...wish }) {
      return worktrees.merge(workspaceId, wish);
    },
    async "worktrees.setup"({ workspaceId }) {
      return starts.setup(workspaceId);
    },
    async "worktrees.setSetup"({ workspaceId, ...setup }) {
      starts.setSetup(workspaceId, setup);
      return done;
    },
    async "worktreeStarts.begin"({ seen, ...wish }) {
      const threadKey = await starts.begin({ ...wish, seen: seen ?? "nothing" });
      return { draft: threads.drafts.leftOf(wish.threadKey), threadKey };
    },
    async "worktreeStarts.again"({ startId }) {
      starts.again(startId);
      return done;
    },
    async "worktreeStarts.anyway"({ startId }) {
      starts.anyway(startId);
      return done;
    },
    async "worktreeStarts.takeBack"({ startId }) {
      starts.takeBack(startId);
      return done;
    },
    async "worktreeStarts.stop"({ startId }) {
      starts.stop(startId);
      return done;
    },
    async "worktreeStarts.dismiss"({ startId }) {
      starts.dismiss(startId);
      return done;
    },
    async "worktreeStarts.output"({ startId, run, seen }) {
      return starts.output(startId, run, seen);
    },
  };
}
