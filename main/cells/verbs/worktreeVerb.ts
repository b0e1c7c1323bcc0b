// Makes a worktree for a script. A script may be run again, so a name that is taken gets a number.
//
// Race: the run ends while the worktree is being made: it is made all the same, and is in the sidebar.

import { unlessAborted } from "../../supervisor/unlessAborted";
import type { Worktrees } from "../../workspaces/worktrees/worktrees";
import type { ToolVerbs } from "../runtime/delegate";
import type { OpenFolders } from "./openFolders";

export function worktreeVerb({
  worktrees,
  folders,
}: {
  worktrees: Pick<Worktrees, "create">;
  folders: OpenFolders;
}): ToolVerbs["createWorktree"] {
  return async ({ name, base = null, folder }, { signal }) => {
    const { id } = await folders.find(folder);
    signal.throwIfAborted();
    const made = await unlessAborted(worktrees.create(id, { name, base, ifTaken: "number" }), signal);
    return { folder: made.path, branch: made.branch };
  };
}
