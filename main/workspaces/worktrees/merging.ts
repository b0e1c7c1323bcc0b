// Merges the branch of a worktree into the one that is checked out in the main checkout.
//
// What git runs meanwhile: no hooks, as everywhere here; and where the repository's own configuration names programs for what
// it merges or checks out (filters, merge drivers), nothing is merged, since without them files would be written wrongly.
//
// Races, and what settles each:
// - Something has changed since the person looked: everything is looked at again, and another branch in the main checkout is
//   refused. What is merged is the commit that was seen last, by its id.
// - Files in the main checkout change in that very moment: git refuses, under its own lock, and nothing has changed.
// - Conflicts: git merges without files first, so mostly nothing is touched. Where it comes to conflicts in the files all the
//   same (an old git, a commit in between), that merge is taken back.
// - Holdfast dies, or git with it: the merge is on record as owed before it begins. Afterwards either the branch has the
//   commit, or the merge that was begun with exactly that commit is taken back, or nothing had begun. It is never done again.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../fault";
import { type Contents, lookInto, statusOf } from "./contents";
import { filesLimitMs, type ListedWorktree, type Repository } from "./repository";

export interface MergeLook {
  branch: string;
  into: string;
  mainPath: string;
  ahead: { count: number; first: { sha: string; subject: string }[] };
  behind: number;
  /** Of the worktree. */
  contents: Contents;
  mainChanged: string[];
}

/** What is written down before git is asked. */
export interface MergeSubject {
  path: string;
  branch: string;
  into: string;
  mainPath: string;
  /** The commit that is merged, and the one that it is merged into. */
  head: string;
  intoHead: string;
}

/** Of what was not committed in the worktree. */
export interface MadeCommit {
  sha: string;
  branch: string;
  files: number;
}

const newestCommits = 20;

/** Throws the Fault for which it cannot be merged: `merge_no_branch`, `merge_main_branch`, `merge_in_progress`, ... */
export async function lookAtMerge(repository: Repository, path: string): Promise<MergeLook> {
  const all = (await repository.worktrees()) ?? [];
  const own = all.find((each) => each.path === path);
  const contents = await lookInto(repository, path);
  const branch = own?.branch ?? null;
  if (branch === null) {
    throw new Fault("merge_no_branch", "No branch is checked out in this worktree.", {
      hint: "Check out a branch in it, or finish the rebase that is under way there, then merge.",
    });
  }
  const { into, mainPath } = mainCheckout(all);
  const busy = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];
  if (busy.some((name) => existsSync(join(repository.common, name)))) {
    throw new Fault("merge_in_progress", "A merge or a rebase is under way in the main checkout.", {
      hint: "Finish it or abort it there, then merge.",
      path: mainPath,
    });
  }
  // Of a stash, for example: nothing else tells of these.
  const unsolved = await conflictsIn(repository, mainPath);
  if (unsolved.length > 0) {
    throw new Fault("merge_in_progress", `There are conflicts in the main checkout: ${someOf(unsolved)}.`, {
      hint: "Solve them there and stage the files, then merge.",
      detail: unsolved.join("\n"),
      path: mainPath,
    });
  }
  const [ours, theirs] = [`refs/heads/${branch}`, `refs/heads/${into}`];
  const count = async (range: string) =>
    Number(await repository.ask(mainPath, ["rev-list", "--count", range, "--"], "count commits"));
  const log = [
    "log",
    `--max-count=${newestCommits}`,
    "--no-show-signature",
    "--no-color",
    "--encoding=UTF-8",
  ];
  const listed = await repository.ask(
    mainPath,
    [...log, "--format=%H %s", `${theirs}..${ours}`, "--"],
    "list commits",
  );
  const { changed, untracked } = await statusOf(repository, mainPath, await repository.variables());
  return {
    branch,
    into,
    mainPath,
    ahead: {
      count: await count(`${theirs}..${ours}`),
      first: listed.split("\n").flatMap((line) => {
        const [, sha, subject = ""] = /^([0-9a-f]+) ?(.*)$/s.exec(line) ?? [];
        return sha === undefined ? [] : [{ sha, subject }];
      }),
    },
    behind: await count(`${ours}..${theirs}`),
    contents,
    mainChanged: [...changed, ...untracked],
  };
}

/**
 * Everything before the merge itself: commits if that is wished, and tells conflicts where git can tell them. `made`: heard of
 * the commit, which stays whatever comes after it.
 */
export async function prepareMerge(
  repository: Repository,
  path: string,
  wish: { commit: string | null; into: string },
  made: (commit: MadeCommit) => void,
): Promise<{ subject: MergeSubject; commits: number }> {
  await refusePrograms(repository);
  let look = await lookAtMerge(repository, path);
  if (look.into !== wish.into) {
    throw new Fault("merge_changed", `“${look.into}” is checked out in the main checkout now.`, {
      hint: "Look again, and merge if that is meant.",
    });
  }
  const { contents } = look;
  if (wish.commit !== null && contents.changed.length + contents.untracked.length > 0) {
    await commitAll(repository, path, wish.commit, contents);
    const sha = await repository.ask(path, ["rev-parse", "--verify", "HEAD"], "see what is committed");
    made({ sha, branch: look.branch, files: contents.changed.length + contents.untracked.length });
    look = await lookAtMerge(repository, path);
  }
  const { branch, into, mainPath, ahead } = look;
  if (ahead.count === 0) {
    throw new Fault("merge_nothing", `“${into}” has all commits of “${branch}” already.`, {
      hint: "What is not committed in the worktree has to be committed first.",
    });
  }
  const shaOf = (name: string) =>
    repository.ask(mainPath, ["rev-parse", "--verify", `refs/heads/${name}^{commit}`], "find a branch");
  const [head, intoHead] = [await shaOf(branch), await shaOf(into)];
  const tried = await repository.run(
    mainPath,
    ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", intoHead, head],
    { limitMs: filesLimitMs },
  );
  if (tried.outcome === "failed" && tried.exitCode === 1) {
    // The tree comes first, then the files.
    throw conflictFault(into, tried.output.split("\0").slice(1));
  }
  return { subject: { path, branch, into, mainPath, head, intoHead }, commits: ahead.count };
}

/** The merge itself. Throws the Fault for which nothing has changed, or the retryable one for which it is owed to settle it. */
export async function merge(repository: Repository, subject: MergeSubject): Promise<void> {
  const { branch, mainPath, head, into } = subject;
  const { GIT_LFS_SKIP_SMUDGE: _, ...variables } = await repository.variables();
  const result = await repository.run(
    mainPath,
    [
      "merge",
      ...["--ff", "--commit", "--no-squash", "--no-edit", "--no-stat", "--no-autostash", "--no-progress"],
      ...["-m", `Merge branch '${branch}' into ${into}`],
      head,
    ],
    { limitMs: filesLimitMs, variables },
  );
  if (result.outcome === "ok") return;
  const files = result.outcome === "failed" ? await conflictsIn(repository, mainPath).catch(() => []) : [];
  const left = await settleMerge(repository, subject);
  if (left === "merged") return;
  if (files.length > 0) throw conflictFault(into, files);
  const detail =
    result.outcome === "failed" ? `${result.errors}\n${result.output}`.trim() : `git: ${result.outcome}`;
  throw new Fault("merge_refused", `git did not merge it. “${into}” is as it was.`, {
    hint: "See what git says. Often files in the main checkout are changed and not committed: commit or put them aside first.",
    detail,
    path: mainPath,
  });
}

/** What became of a merge. What was begun and not finished is taken back. Throws what keeps it from being known. */
export async function settleMerge(
  repository: Repository,
  { mainPath, into, head }: MergeSubject,
): Promise<"merged" | "nothing"> {
  const contains = ["merge-base", "--is-ancestor", head, `refs/heads/${into}`];
  const merged = await repository.run(mainPath, contains);
  if (merged.outcome === "ok") return "merged";
  // Throws what keeps git from telling it.
  if (merged.outcome !== "failed") await repository.ask(mainPath, contains, "see what is merged");
  const begun = await readFile(join(repository.common, "MERGE_HEAD"), "utf8").catch(() => "");
  if (begun.trim() !== head) return "nothing";
  const { GIT_LFS_SKIP_SMUDGE: _, ...variables } = await repository.variables();
  await repository.ask(mainPath, ["merge", "--abort"], "take the merge back", {
    limitMs: filesLimitMs,
    variables,
  });
  return "nothing";
}

function mainCheckout(all: readonly ListedWorktree[]): { into: string; mainPath: string } {
  const main = all.find(({ isMain }) => isMain);
  if (!main || main.branch === null || !existsSync(main.path)) {
    throw new Fault(
      "merge_main_branch",
      "No branch is checked out in the main checkout, so there is nothing to merge into.",
      {
        hint: "Check out the branch there that this one is to be merged into, or finish the rebase that is under way.",
      },
    );
  }
  return { into: main.branch, mainPath: main.path };
}

async function commitAll(
  repository: Repository,
  path: string,
  message: string,
  { repositories }: Contents,
): Promise<void> {
  if (repositories.length > 0) {
    throw new Fault(
      "worktree_has_repositories",
      `Other repositories are in it: ${repositories.slice(0, 5).join(", ")}.`,
      {
        hint: "Commit in the worktree yourself what is to be committed, then merge.",
        detail: repositories.join("\n"),
      },
    );
  }
  const unsolved = await conflictsIn(repository, path);
  if (unsolved.length > 0) {
    // Added as they are, their marks would become a commit.
    throw new Fault("merge_unsolved", `There are conflicts in the worktree: ${someOf(unsolved)}.`, {
      hint: "Solve them there and stage the files, then merge. Nothing was committed.",
      detail: unsolved.join("\n"),
      path,
    });
  }
  const asking = { limitMs: filesLimitMs, variables: await repository.variables() };
  await repository.ask(path, ["add", "--all"], "add what is in the worktree", asking);
  await repository.ask(
    path,
    ["commit", "--quiet", "--no-verify", "-m", message],
    "commit what is in the worktree",
    asking,
  );
}

async function refusePrograms(repository: Repository): Promise<void> {
  const named = await repository.run(repository.common, [
    `--git-dir=${repository.common}`,
    ...["config", "--local", "--includes", "--name-only", "--get-regexp"],
    "^(filter\\..*\\.(clean|smudge|process)|merge\\..*\\.driver)$",
  ]);
  // 1: there are none.
  if (named.outcome === "failed" && named.exitCode === 1) return;
  const names =
    named.outcome === "ok"
      ? named.output
      : await repository.ask(repository.common, ["config", "--list"], "read the configuration");
  throw new Fault(
    "merge_programs",
    "This repository names programs of its own for merging or for its files.",
    {
      hint: "Holdfast does not run them, and without them files would be written wrongly. Merge in a terminal.",
      detail: names,
    },
  );
}

/** The files that git knows to be in conflict in the checkout at this path. Throws when it cannot tell. */
async function conflictsIn(repository: Repository, path: string): Promise<string[]> {
  const listed = await repository.ask(path, ["ls-files", "-z", "--unmerged"], "look for conflicts");
  // "mode object stage<tab>path", once for each version.
  const files = listed.split("\0").map((entry) => entry.slice(entry.indexOf("\t") + 1));
  return [...new Set(files)].filter((file) => file !== "");
}

function someOf(files: readonly string[]): string {
  const more = files.length > 5 ? ` and ${files.length - 5} more` : "";
  return `${files.slice(0, 5).join(", ")}${more}`;
}

function conflictFault(into: string, files: readonly string[]): Fault {
  const named = files.filter((file) => file !== "");
  return new Fault("merge_conflict", `It conflicts with “${into}” in ${someOf(named)}. Nothing was merged.`, {
    hint: `Merge “${into}” into the branch in this worktree first, solve the conflicts there, then try again.`,
    detail: named.join("\n"),
  });
}
