// Keeps what is in a worktree before it is deleted: a commit of all that git would show, changed and untracked files, under
// a name that no branch has and that git keeps. Like `git stash`, but the worktree's own index and branches stay as they are.

import { Fault } from "../../fault";
import { type Contents, withIndexCopy } from "./contents";
import { firstFree, folderFrom } from "./names";
import { filesLimitMs, type Repository } from "./repository";

const author = { NAME: "Holdfast", EMAIL: "holdfast@localhost" };

/** The name of the kept commit. Throws the Fault that says what could not be kept; nothing has changed then. */
export function keepContents(
  repository: Repository,
  worktree: { path: string; branch: string },
  contents: Contents,
  nowMs: number,
): Promise<string> {
  const { path, branch } = worktree;
  return withIndexCopy(repository, { path, ...contents }, async (variables) => {
    const ask = async (args: string[], more: NodeJS.ProcessEnv = {}) =>
      repository
        .ask(path, args, "keep what is in the worktree", {
          limitMs: filesLimitMs,
          variables: { ...variables, ...more },
        })
        .catch((error: unknown) => {
          if (!(error instanceof Fault)) throw error;
          throw new Fault("worktree_not_kept", "What is in the worktree could not be kept, so it stays.", {
            detail: error.detail ?? error.message,
            cause: error,
            retryable: true,
          });
        });
    const commit = (tree: string, parents: string[], message: string) =>
      ask(
        ["commit-tree", "--no-gpg-sign", ...parents.flatMap((each) => ["-p", each]), "-m", message, tree],
        identity(),
      );
    const parents = contents.head === null ? [] : [contents.head];
    // What was staged may be in no file any more. With a merge that has conflicts there is no such tree.
    const staged = await repository.run(path, ["write-tree"], { variables });
    await ask(["add", "--all"]);
    const tree = await ask(["write-tree"]);
    if (staged.outcome === "ok" && staged.output !== tree) {
      parents.push(await commit(staged.output, parents, `What was staged in the worktree ${branch}`));
    }
    const kept = await commit(tree, parents, `What was in the worktree ${branch} when it was removed`);
    const name = await firstFree(
      `refs/holdfast/removed/${folderFrom(branch)}-${timeOf(nowMs)}`,
      async (wanted) =>
        (await repository.run(path, ["rev-parse", "--quiet", "--verify", wanted])).outcome === "ok",
    );
    // The empty value: nobody else may have made it meanwhile.
    await ask(["update-ref", "--no-deref", name, kept, ""]);
    return name;
  });
}

function identity(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(author).flatMap(([what, value]) => [
      [`GIT_AUTHOR_${what}`, value],
      [`GIT_COMMITTER_${what}`, value],
    ]),
  );
}

/** "20261129-230405", in UTC. */
function timeOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
}
