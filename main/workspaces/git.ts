// What git knows of a folder: its branch, its commit, and whether it is a worktree of another.
//
// Races, and what settles each:
// - Several ask about one repository at once, or about many at start-up: one git at a time for each repository, no more
//   than `mostAtOnce` in all, and one answer for those who ask the same (sharedJobs.ts).
// - A commit or a checkout between two questions: the branch and the commit may be one step apart; the next look is right.

import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Clock, systemClock } from "../clock";
import { asFault, Fault } from "../fault";
import { type GitOptions, type GitResult, runGit } from "./gitProcess";
import { SharedJobs } from "./sharedJobs";

export type GitFacts =
  | {
      kind: "repository";
      /** The top folder of the working tree. */
      root: string;
      /** Null: no branch is checked out. */
      branch: string | null;
      /** The commit; null: there is none yet. */
      head: string | null;
      isWorktree: boolean;
      /** For a worktree: the top folder of the main one; null when there is none (a bare repository). */
      mainWorktreePath: string | null;
    }
  | { kind: "no repository" }
  | { kind: "git missing" }
  /** There is one, and git cannot say. */
  | { kind: "unknown"; fault: Fault };

export interface GitFactsOptions {
  clock?: Clock;
  environment?: NodeJS.ProcessEnv;
  limitMs?: number;
}

const usualLimitMs = 5_000;
const mostAtOnce = 4;

/** Never rejects. Starts no process for a folder that is in no repository. */
export async function gitFacts(folder: string, options: GitFactsOptions = {}): Promise<GitFacts> {
  const repository = await findRepository(folder);
  if (repository === null) return { kind: "no repository" };
  const gitOptions: GitOptions = {
    clock: options.clock ?? systemClock,
    limitMs: options.limitMs ?? usualLimitMs,
    environment: options.environment ?? process.env,
  };
  return jobs.run(repository, folder, () =>
    askGit(folder, gitOptions).catch(
      // The repository went away between two questions.
      (error: unknown): GitFacts => ({ kind: "unknown", fault: asFault(error) }),
    ),
  );
}

/** The folder that holds the repository, found without git; null when no folder above does. */
export async function findRepository(folder: string): Promise<string | null> {
  for (let current = folder; ; current = dirname(current)) {
    if (await isRepository(join(current, ".git"))) return current;
    if (current === dirname(current)) return null;
  }
}

/** An empty `.git` is none: codex's sandbox leaves such folders behind where it has protected a place. */
async function isRepository(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => null);
  if (found?.isFile()) return true;
  return found !== null && (await lstat(join(place, "HEAD")).catch(() => null)) !== null;
}

async function askGit(folder: string, options: GitOptions): Promise<GitFacts> {
  const places = await runGit(
    folder,
    ["rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir"],
    options,
  );
  if (places.outcome !== "ok") return unanswered(places);
  const [root, gitFolder, commonFolder, ...more] = places.output.split("\n");
  if (!root || !gitFolder || !commonFolder || more.length > 0) {
    return { kind: "unknown", fault: unknownFault("git gave no answer that can be read.", places.output) };
  }
  const branch = await runGit(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"], options);
  const head = await runGit(folder, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], options);
  // Each says no with code 1: no branch is checked out, and no commit is there yet.
  for (const answer of [branch, head]) {
    if (answer.outcome !== "ok" && !(answer.outcome === "failed" && answer.exitCode === 1)) {
      return unanswered(answer);
    }
  }
  // A worktree has a folder of its own within what all worktrees have in common.
  const isWorktree = (await realpath(gitFolder)) !== (await realpath(resolve(folder, commonFolder)));
  return {
    kind: "repository",
    root: resolve(root),
    branch: branch.outcome === "ok" ? branch.output : null,
    head: head.outcome === "ok" ? head.output : null,
    isWorktree,
    mainWorktreePath: isWorktree ? await mainWorktree(folder, options) : null,
  };
}

/** The first one that git lists is the main one. */
async function mainWorktree(folder: string, options: GitOptions): Promise<string | null> {
  const listed = await runGit(folder, ["worktree", "list", "--porcelain"], options);
  if (listed.outcome !== "ok") return null;
  const [first = ""] = listed.output.split("\n\n");
  const lines = first.split("\n");
  const path = lines[0]?.startsWith("worktree ") ? lines[0].slice("worktree ".length) : null;
  return path === null || lines.includes("bare") ? null : resolve(path);
}

function unanswered(result: Exclude<GitResult, { outcome: "ok" }>): GitFacts {
  switch (result.outcome) {
    case "not installed":
      return { kind: "git missing" };
    case "no answer":
      return { kind: "unknown", fault: unknownFault("git does not answer.", "") };
    case "broken":
      return { kind: "unknown", fault: unknownFault("git could not be run.", result.detail) };
    case "failed":
      // Only the beginnings of one, or one across a border that git does not cross.
      if (result.errors.includes("not a git repository")) return { kind: "no repository" };
      return { kind: "unknown", fault: refusal(result.errors) };
    default:
      throw new Error(`not an outcome of git: ${JSON.stringify(result satisfies never)}`);
  }
}

function refusal(errors: string): Fault {
  if (!errors.includes("dubious ownership")) {
    return unknownFault("git cannot read this repository.", errors);
  }
  return new Fault("git_not_trusted", "git does not trust this repository: it belongs to another user.", {
    hint: "If you trust it, run the command that git names in the details.",
    detail: errors,
  });
}

function unknownFault(message: string, detail: string): Fault {
  return new Fault("git_unknown", message, { detail, retryable: true });
}

const jobs = new SharedJobs<GitFacts>(mostAtOnce);
