// Answers what a window asks of the changes in a repository.

import type { Changes } from "../workspaces/changes/changes";
import type { BackendCall, Handlers } from "./backend";

type ChangesCall = Extract<BackendCall, `changes.${string}`>;

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
  };
}
