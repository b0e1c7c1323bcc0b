// What is in a worktree that is nowhere else: read by git, from the files as they are.
//
// Race: files change while they are looked at, or right after. Whoever deletes the folder lets git look once more, or has
// kept everything before.

import { randomUUID } from "node:crypto";
import { copyFile, lstat, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Fault } from "../../fault";
import type { Repository } from "./repository";

export interface Contents {
  /** Null: none is checked out. */
  branch: string | null;
  /** Null: there is no commit yet. */
  head: string | null;
  /** Files that git knows and that are not as they were committed; also those that git was told not to look at. */
  changed: string[];
  untracked: string[];
  /** Files and folders that git ignores. */
  ignored: string[];
  /** Commits on no other branch, no tag and no remote. */
  unmerged: { count: number; first: { sha: string; subject: string }[] };
  /** Repositories of their own within: what they hold, no commit of this one can keep. */
  repositories: string[];
  /** Other repositories are named in it, checked out or not. */
  hasSubmodules: boolean;
  /** Entries that git was told not to look at, although there is a file. */
  hidden: string[];
  gitFolder: string;
}

const newestCommits = 10;
const manyBytes = 64 * 1024 * 1024;
const looksAtOnce = 64;
const pathsAtOnce = 200;

/** Throws Fault `worktree_not_recognised`, and what git says when it cannot tell. */
export async function lookInto(repository: Repository, path: string): Promise<Contents> {
  const gitFolder = await recognise(repository, path);
  const variables = await repository.variables();
  const index = await readIndex(repository, path);
  const hidden = await present(path, index.hidden);
  const status =
    hidden.length === 0
      ? await statusOf(repository, path, variables)
      : await withIndexCopy(repository, { path, gitFolder, hidden }, (withCopy) =>
          statusOf(repository, path, withCopy),
        );
  const ignored = await repository.ask(
    path,
    ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"],
    "list the ignored files",
    { mostBytes: manyBytes, variables },
  );
  const branch = await answerOf(repository, path, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const head = await answerOf(repository, path, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]);
  const checkedOut = await present(
    path,
    index.submodules.map((folder) => join(folder, ".git")),
  );
  const modules = await readdir(join(gitFolder, "modules")).catch(() => []);
  return {
    ...status,
    branch,
    head,
    ignored: fieldsOf(ignored),
    unmerged: head === null ? { count: 0, first: [] } : await unmergedOf(repository, path, branch),
    repositories: [
      ...status.untracked.filter((each) => each.endsWith("/")),
      ...checkedOut.map((each) => each.slice(0, -".git".length)),
      ...(checkedOut.length === 0 ? modules : []),
    ],
    hasSubmodules: index.submodules.length > 0,
    hidden,
    gitFolder,
  };
}

/** How much is in it that is nowhere else. The commits of a branch are on that branch, which stays. */
export function countOfWork({ branch, changed, untracked, unmerged }: Contents): number {
  return changed.length + untracked.length + (branch === null ? unmerged.count : 0);
}

/**
 * Runs `task` with variables that make git use a copy of the worktree's index, in which nothing is hidden. The copy is within
 * git's own folder for this worktree, so that it goes with it whatever happens.
 */
export async function withIndexCopy<Result>(
  repository: Repository,
  { path, gitFolder, hidden }: { path: string } & Pick<Contents, "gitFolder" | "hidden">,
  task: (variables: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const copy = join(gitFolder, `holdfast-index-${randomUUID()}`);
  const variables = {
    ...(await repository.variables([["core.sparseCheckout", "false"]])),
    GIT_INDEX_FILE: copy,
  };
  try {
    await copyFile(join(gitFolder, "index"), copy);
    for (let from = 0; from < hidden.length; from += pathsAtOnce) {
      const paths = hidden.slice(from, from + pathsAtOnce);
      for (const flag of ["--no-assume-unchanged", "--no-skip-worktree"]) {
        await repository.ask(path, ["update-index", flag, "--", ...paths], "look at hidden files", {
          variables,
        });
      }
    }
    return await task(variables);
  } finally {
    await rm(copy, { force: true });
  }
}

/**
 * git's own folder for the worktree at this path. Throws Fault `worktree_not_recognised` when git does not see a worktree of
 * this repository in it.
 */
export async function recognise(repository: Repository, path: string): Promise<string> {
  const found = await repository.run(path, ["rev-parse", "--show-toplevel", "--absolute-git-dir"]);
  const [root = "", gitFolder = "", ...more] = found.outcome === "ok" ? found.output.split("\n") : [];
  const isOurs =
    resolve(root) === path && dirname(resolve(gitFolder)) === join(repository.common, "worktrees");
  if (root !== "" && gitFolder !== "" && more.length === 0 && isOurs) return resolve(gitFolder);
  if (found.outcome === "no answer" || found.outcome === "broken" || found.outcome === "not installed") {
    // Throws what git said.
    await repository.ask(path, ["rev-parse", "--show-toplevel"], "look at the worktree");
  }
  throw new Fault("worktree_not_recognised", "git does not see a worktree in its folder any more.", {
    hint: "Move what you need out of the folder and delete it, then try again.",
    path,
    detail: found.outcome === "failed" ? found.errors : found.outcome === "ok" ? found.output : "",
  });
}

interface IndexFacts {
  /** Entries that git was told not to look at. */
  hidden: string[];
  submodules: string[];
}

async function readIndex(repository: Repository, path: string): Promise<IndexFacts> {
  const listed = await repository.ask(path, ["ls-files", "-z", "--stage", "-v"], "list its files", {
    mostBytes: manyBytes,
  });
  const facts: IndexFacts = { hidden: [], submodules: [] };
  for (const entry of fieldsOf(listed)) {
    const [, tag = "", mode = "", file = ""] = /^(\S) (\d+) \S+ \d\t(.*)$/s.exec(entry) ?? [];
    if (mode === "160000") facts.submodules.push(file);
    // "S": skipped; a small letter: assumed to be unchanged.
    else if (tag === "S" || /[a-z]/.test(tag)) facts.hidden.push(file);
  }
  return facts;
}

/** Those of which there is something on disk. */
async function present(folder: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < paths.length; from += looksAtOnce) {
    const some = paths.slice(from, from + looksAtOnce);
    const looks = await Promise.all(some.map((path) => lstat(join(folder, path)).catch(() => null)));
    found.push(...some.filter((_, index) => looks[index] !== null));
  }
  return found;
}

/** What is not committed in the checkout at this path. */
export async function statusOf(
  repository: Repository,
  path: string,
  variables: NodeJS.ProcessEnv,
): Promise<Pick<Contents, "changed" | "untracked">> {
  const output = await repository.ask(
    path,
    [
      "status",
      "--porcelain=v2",
      "-z",
      "--untracked-files=all",
      "--no-renames",
      // Another repository is looked at by nobody: git would run in it, with that one's configuration.
      "--ignore-submodules=dirty",
    ],
    "look for changes",
    { mostBytes: manyBytes, limitMs: 60_000, variables },
  );
  const changed: string[] = [];
  const untracked: string[] = [];
  for (const entry of fieldsOf(output)) {
    const kind = entry[0];
    if (kind === "?") untracked.push(entry.slice(2));
    // "1 XY sub mH mI mW hH hI path", and two more fields for what is not merged.
    else if (kind === "1") changed.push(entry.split(" ").slice(8).join(" "));
    else if (kind === "u") changed.push(entry.split(" ").slice(10).join(" "));
  }
  return { changed, untracked };
}

async function unmergedOf(
  repository: Repository,
  path: string,
  branch: string | null,
): Promise<Contents["unmerged"]> {
  const elsewhere = [
    "HEAD",
    "--not",
    ...(branch === null ? [] : [`--exclude=${branch}`]),
    "--branches",
    "--remotes",
    "--tags",
  ];
  const count = Number(await repository.ask(path, ["rev-list", "--count", ...elsewhere], "count commits"));
  if (count === 0) return { count, first: [] };
  const listed = await repository.ask(
    path,
    [
      "log",
      `--max-count=${newestCommits}`,
      // It would run another program.
      "--no-show-signature",
      "--no-color",
      "--encoding=UTF-8",
      "--format=%H %s",
      ...elsewhere,
    ],
    "list commits",
  );
  const first = listed.split("\n").flatMap((line) => {
    const [, sha, subject = ""] = /^([0-9a-f]+) ?(.*)$/s.exec(line) ?? [];
    return sha === undefined ? [] : [{ sha, subject }];
  });
  return { count, first };
}

/** Null: git says no. */
async function answerOf(repository: Repository, path: string, args: string[]): Promise<string | null> {
  const answer = await repository.run(path, args);
  if (answer.outcome === "failed" && answer.exitCode === 1) return null;
  return answer.outcome === "ok" ? answer.output : repository.ask(path, args, "look at the worktree");
}

function fieldsOf(output: string): string[] {
  return output.split("\0").filter((field) => field !== "");
}
