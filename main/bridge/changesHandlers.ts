// Answers what a window asks of the changes in a repository.

import type { Changes } from "../workspaces/changes/changes";
import type { BackendCall, Handlers } from "./backend";

type ChangesCall = Extract<BackendCall, `changes.${string}`>;

const done = { done: true } as const;

export function changesHandlers(changes: Changes): Handlers<ChangesCall> {
  return {
    async "changes.list"({ workspaceId }) {
      return changes.list(workspaceId);
    },
    async "changes.next"({ workspaceId, revision, page }) {
      return { revision: await changes.next(workspaceId, revision, page) };
    },
    async "changes.listAgainst"({ workspaceId, base }) {
      return changes.listAgainst(workspaceId, base);
    },
    async "changes.diff"({ workspaceId, whole, ...asked }) {
      return changes.diff(workspaceId, asked, whole);
    },
    async "changes.context"({ workspaceId, ...asked }) {
      return { lines: await changes.context(workspaceId, asked) };
    },
    async "changes.stage"({ workspaceId, paths }) {
      await changes.stage(workspaceId, paths);
      return done;
    },
    async "changes.unstage"({ workspaceId, paths }) {
      await changes.unstage(workspaceId, paths);
      return done;
    },
    async "changes.discard"({ workspaceId, paths }) {
      return { discardId: await changes.discard(workspaceId, paths) };
    },
    async "changes.stagePart"({ workspaceId, ...part }) {
      await changes.stagePart(workspaceId, part);
      return done;
    },
    async "changes.unstagePart"({ workspaceId, ...part }) {
      await changes.unstagePart(workspaceId, part);
      return done;
    },
    async "changes.discardPart"({ workspaceId, ...part }) {
      return { discardId: await changes.discardPart(workspaceId, part) };
    },
    async "changes.discards"({ workspaceId }) {
      return { discards: await changes.discards(workspaceId) };
    },
    async "changes.undoDiscard"({ workspaceId, discardId }) {
      await changes.undoDiscard(workspaceId, discardId);
      return done;
    },
    async "changes.commit"({ workspaceId, jobId, ...commit }) {
      return changes.commit(workspaceId, jobId, commit);
    },
    async "changes.suggestMessage"({ workspaceId, jobId, what }) {
      return { message: await changes.suggestMessage(workspaceId, jobId, what) };
    },
    async "changes.push"({ workspaceId, jobId, remote }) {
      return changes.push(workspaceId, jobId, remote);
    },
    async "changes.cancel"({ jobId }) {
      changes.cancel(jobId);
      return done;
    },
    async "changes.output"({ jobId, from }) {
      return changes.output(jobId, from);
    },
    async "changes.pullRequest"({ workspaceId }) {
      return changes.pullRequest(workspaceId);
    },
    async "changes.openPullRequest"({ workspaceId, jobId, ...wanted }) {
      return changes.openPullRequest(workspaceId, jobId, wanted);
    },
  };
}
