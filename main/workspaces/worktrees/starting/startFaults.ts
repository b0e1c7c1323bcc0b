// What a start in a worktree can fail with.

import { Fault } from "../../../fault";

export function noFolderFault(path: string, cause: unknown): Fault {
  return new Fault("setup_no_folder", "The folder of the worktree is not there any more.", {
    hint: "Choose “Recreate from branch” beside it in the list of workspaces, then go on here.",
    path,
    detail: path,
    cause,
  });
}

/** Nobody sees it: who has taken the message back does not wait for the worktree. */
export function takenBackFault(): Fault {
  return new Fault("start_taken_back", "The message was taken back before its worktree was made.");
}
