// Makes the folder of a worktree again, from its branch, when it has gone. What was not committed there has gone with it.
//
// Races, and what settles each:
// - Something else is at its place by now: nothing is touched.
// - Its branch is gone, or checked out elsewhere: that is said, and git's list is as it was.
// - Holdfast or git dies while files are written: it is owed. git has locked what it was still making: that is taken away, and
//   made again.

import { Fault } from "../../fault";
import type { WorktreeRecord } from "../../ledger/worktreesLedger";
import type { WorktreePlaces } from "./places";
import { beingMade, type Repository } from "./repository";

/** Throws the Fault for which there is still no folder: `worktree_there`, `branch_gone`, `worktree_locked`, or git's own. */
export async function recreateWorktree(
  repository: Repository,
  { path, branch }: Pick<WorktreeRecord, "path" | "branch">,
  places: WorktreePlaces,
  why: "asked" | "taken up",
): Promise<void> {
  const listed = (await repository.worktrees())?.find((each) => each.path === path);
  const found = await places.look(path);
  const unfinished = listed?.locked === beingMade;
  if (found.kind === "folder" && why === "taken up") {
    if (listed && !unfinished) return;
    if (listed) {
      await repository.unlock(path);
      await repository.remove(path, true);
      await places.deleteRest(path, found.identity);
    }
  } else if (found.kind !== "nothing" && !(found.kind === "folder" && found.isEmpty)) {
    throw new Fault("worktree_there", `There is something at ${path}.`, {
      hint: "Move it away if the worktree is to be made again.",
      path,
    });
  }
  if (listed && listed.locked !== null && !unfinished) {
    throw new Fault("worktree_locked", "This worktree is locked.", {
      hint: "Somebody has locked it with `git worktree lock`: its folder may be on a disk that is not connected.",
      detail: listed.locked,
      path,
    });
  }
  const wanted = listed?.branch ?? branch;
  if (!(await repository.branches()).includes(wanted)) {
    throw new Fault("branch_gone", `The branch “${wanted}” is not there any more.`, {
      hint: "Make it again with `git branch`, or remove the worktree and make another one.",
    });
  }
  if (listed && found.kind !== "folder") await repository.remove(path, false);
  await places.prepare(repository);
  await repository.addAgain(path, wanted);
}
