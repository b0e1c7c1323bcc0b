// What of a repository can be reviewed: its branches, and its newest commits.
//
// Race: a branch is made or a commit comes between two questions, or after them: the lists are then a moment old, as they
// would be by the time that somebody has chosen.

import type { CallResult } from "../../preload/contract";
import { type Clock, systemClock } from "../clock";
import { Fault } from "../fault";
import { gitFacts } from "./git";
import { type GitOptions, type GitResult, runGit } from "./gitProcess";
import { SharedJobs } from "./sharedJobs";

export type ReviewTargets = CallResult<"workspaces.reviewTargets">;

export interface ReviewTargetsOptions {
  clock?: Clock;
  environment?: NodeJS.ProcessEnv;
  limitMs?: number;
}

const mostBranches = 1_000;
const newestCommits = 30;
const usualLimitMs = 5_000;

/** Empty where the folder is in no repository. Throws the Fault that says why git cannot tell. */
export function reviewTargets(folder: string, options: ReviewTargetsOptions = {}): Promise<ReviewTargets> {
  return jobs.run(folder, folder, () => ask(folder, options));
}

async function ask(folder: string, options: ReviewTargetsOptions): Promise<ReviewTargets> {
  const facts = await gitFacts(folder, options);
  switch (facts.kind) {
    case "no repository":
      return { branches: [], currentBranch: null, commits: [] };
    case "git missing":
      throw new Fault("git_missing", "git is not installed, so branches and commits cannot be listed.", {
        hint: "Install git, or have codex review by your own instructions.",
      });
    case "unknown":
      throw facts.fault;
    case "repository": {
      const gitOptions: GitOptions = {
        clock: options.clock ?? systemClock,
        limitMs: options.limitMs ?? usualLimitMs,
        environment: options.environment ?? process.env,
      };
      const local = await branches(folder, "refs/heads", mostBranches, gitOptions);
      const remote = await branches(folder, "refs/remotes", mostBranches - local.length, gitOptions);
      return {
        branches: [...local, ...remote],
        currentBranch: facts.branch,
        commits: facts.head === null ? [] : await commits(folder, gitOptions),
      };
    }
    default:
      return facts satisfies never;
  }
}

/** Those that were worked on last first. */
async function branches(folder: string, under: string, most: number, options: GitOptions): Promise<string[]> {
  if (most <= 0) return [];
  const listed = await runGit(
    folder,
    ["for-each-ref", "--sort=-committerdate", `--count=${most}`, "--format=%(refname) %(symref)", under],
    options,
  );
  return linesOf(listed).flatMap((line) => {
    const [name = "", symbolic = ""] = line.split(" ");
    // "origin/HEAD" is another name for one of the others.
    return symbolic === "" ? [name.slice(`${under}/`.length)] : [];
  });
}

async function commits(folder: string, options: GitOptions): Promise<ReviewTargets["commits"]> {
  const listed = await runGit(
    folder,
    [
      "log",
      `--max-count=${newestCommits}`,
      // It would run another program.
      "--no-show-signature",
      "--no-color",
      "--encoding=UTF-8",
      "--format=%H %ct %s",
    ],
    options,
  );
  return linesOf(listed).flatMap((line) => {
    const [, sha, seconds, subject = ""] = /^([0-9a-f]+) (\d+) ?(.*)$/s.exec(line) ?? [];
    return sha === undefined ? [] : [{ sha, subject, atMs: Number(seconds) * 1000 }];
  });
}

function linesOf(result: GitResult): string[] {
  if (result.outcome === "ok") return result.output.split("\n").filter((line) => line !== "");
  throw new Fault("git_unknown", "git cannot list what there is to review.", {
    detail: detailOf(result),
    retryable: true,
  });
}

function detailOf(result: Exclude<GitResult, { outcome: "ok" }>): string {
  switch (result.outcome) {
    case "failed":
      return result.errors;
    case "broken":
      return result.detail;
    case "not installed":
    case "no answer":
      return result.outcome;
    default:
      return result satisfies never;
  }
}

const jobs = new SharedJobs<ReviewTargets>(2);
