// A repository as far as its worktrees go: what git is asked, and what it answers.
//
// What git runs meanwhile. Hooks do not: a worktree is often made by a script or for an agent, unattended, and what a
// repository wants to have run on a checkout is run by the person who wants it, not by whoever opens the folder. Filters
// that the repository's own configuration names do not run either; the person's own do, without fetching large files (LFS).
// Submodules are left alone. Nothing is fetched from anywhere.
//
// Race: somebody else changes branches or worktrees between a question and what is asked of git afterwards. git itself
// refuses then, under its own locks, and its words are in the fault.

import { realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import { type GitFacts, gitFacts } from "../git";
import { type GitOptions, type GitResult, runGit } from "../gitProcess";

export interface RepositoryOptions {
  clock: Clock;
  environment: NodeJS.ProcessEnv;
}

/** One that git lists. */
export interface ListedWorktree {
  path: string;
  isMain: boolean;
  branch: string | null;
  /** The reason, which may be empty; null: it is not locked. */
  locked: string | null;
}

export interface Asking {
  limitMs?: number;
  variables?: NodeJS.ProcessEnv;
  mostBytes?: number;
}

const usualLimitMs = 15_000;
/** Files are written, or deleted: that may be many. */
export const filesLimitMs = 10 * 60_000;

/** The reason with which git locks what it is still making. */
export const beingMade = "initializing";

export class Repository {
  /** The real path of the folder that all its worktrees have in common. */
  readonly common: string;
  readonly #options: RepositoryOptions;

  constructor(common: string, options: RepositoryOptions) {
    this.common = common;
    this.#options = options;
  }

  get name(): string {
    const last = basename(this.common);
    // "engine/.git" and "engine.git".
    return last === ".git" ? basename(dirname(this.common)) : last.replace(/\.git$/, "");
  }

  /** Asks git in a folder of this repository. Throws the Fault that says what could not be done, in git's own words. */
  async ask(folder: string, args: string[], what: string, asking: Asking = {}): Promise<string> {
    const result = await this.run(folder, args, asking);
    if (result.outcome === "ok") return result.output;
    throw refusal(result, what);
  }

  run(folder: string, args: string[], asking: Asking = {}): Promise<GitResult> {
    const options: GitOptions = { ...this.#options, limitMs: usualLimitMs, ...asking };
    return runGit(folder, args, options);
  }

  /** All worktrees, the main one first; null: the repository has gone. */
  async worktrees(): Promise<ListedWorktree[] | null> {
    const found = await realpath(this.common).catch(() => null);
    if (found !== this.common) return null;
    const listed = await this.#ask(["worktree", "list", "--porcelain"], "list the worktrees");
    return listed
      .split("\n\n")
      .filter((block) => block.startsWith("worktree "))
      .map((block, index) => readWorktree(block.split("\n"), index === 0));
  }

  /** The names of all local branches. */
  async branches(): Promise<string[]> {
    const listed = await this.#ask(
      ["for-each-ref", "--format=%(refname)", "refs/heads/"],
      "list the branches",
      { mostBytes: 64 * 1024 * 1024 },
    );
    return listed.split("\n").flatMap((line) => (line === "" ? [] : [line.slice("refs/heads/".length)]));
  }

  async isBranchName(name: string): Promise<boolean> {
    const checked = await this.run(this.common, ["check-ref-format", `refs/heads/${name}`]);
    return checked.outcome === "ok";
  }

  /** Makes the worktree and its branch. */
  async add(worktree: { path: string; branch: string; base: string }): Promise<void> {
    await this.#ask(
      ["worktree", "add", "--quiet", "--no-track", "-b", worktree.branch, "--", worktree.path, worktree.base],
      "make the worktree",
      { limitMs: filesLimitMs, variables: await this.variables() },
    );
  }

  /** Makes the folder of a worktree of a branch that is there already. */
  async addAgain(path: string, branch: string): Promise<void> {
    await this.#ask(["worktree", "add", "--quiet", "--", path, branch], "make the worktree again", {
      limitMs: filesLimitMs,
      variables: await this.variables(),
    });
  }

  /** Takes it off git's list and deletes its folder. Without `force` git itself refuses where there is work in it. */
  async remove(path: string, force: boolean): Promise<void> {
    await this.#ask(
      ["worktree", "remove", ...(force ? ["--force"] : []), "--", path],
      "remove the worktree",
      {
        limitMs: filesLimitMs,
        variables: await this.variables(),
      },
    );
  }

  async unlock(path: string): Promise<void> {
    await this.#ask(["worktree", "unlock", "--", path], "unlock the worktree");
  }

  /** Only if it still is where it began, and in no worktree: nothing was done on it. */
  async forgetBranch(branch: string, base: string): Promise<void> {
    const used = (await this.worktrees())?.some((each) => each.branch === branch) ?? true;
    if (!used) await this.#ask(["update-ref", "-d", `refs/heads/${branch}`, base], "take the branch away");
  }

  /** For whatever writes or compares files: what keeps the repository's own filters from running. */
  async variables(more: [name: string, value: string][] = []): Promise<NodeJS.ProcessEnv> {
    const named = await this.#run([
      "config",
      "--includes",
      "--show-scope",
      "--null",
      "--get-regexp",
      "^filter\\..*\\.(clean|smudge|process|required)$",
    ]);
    // 1: there are none.
    if (named.outcome !== "ok" && !(named.outcome === "failed" && named.exitCode === 1)) {
      throw refusal(named, "read the repository's configuration");
    }
    const settings: [name: string, value: string][] = [
      ...more,
      // Whatever the person has set: what is not shown is not kept.
      ["status.showUntrackedFiles", "all"],
      ["submodule.recurse", "false"],
      // A line ending that cannot be brought back is no reason not to keep the file.
      ["core.safecrlf", "false"],
      // What is kept has to be on the disk before the rest is deleted.
      ["core.fsync", "objects,reference"],
      ...(named.outcome === "ok" ? filtersOff(named.output) : []),
    ];
    const variables: NodeJS.ProcessEnv = {
      GIT_LFS_SKIP_SMUDGE: "1",
      GIT_CONFIG_COUNT: String(settings.length),
    };
    settings.forEach(([name, value], index) => {
      variables[`GIT_CONFIG_KEY_${index}`] = name;
      variables[`GIT_CONFIG_VALUE_${index}`] = value;
    });
    return variables;
  }

  #ask(args: string[], what: string, asking: Asking = {}): Promise<string> {
    return this.ask(this.common, [`--git-dir=${this.common}`, ...args], what, asking);
  }

  #run(args: string[]): Promise<GitResult> {
    return this.run(this.common, [`--git-dir=${this.common}`, ...args]);
  }
}

export interface OpenedRepository {
  repository: Repository;
  facts: Extract<GitFacts, { kind: "repository" }>;
}

/** The repository that a folder is in, anywhere in it, in a worktree too. Throws the Fault that says why there is none. */
export async function openRepository(folder: string, options: RepositoryOptions): Promise<OpenedRepository> {
  const facts = await gitFacts(folder, options);
  switch (facts.kind) {
    case "git missing":
      throw gitMissing();
    case "unknown":
      throw facts.fault;
    case "no repository":
      throw await withoutRepository(folder, options);
    case "repository":
      return { facts, repository: new Repository(await commonFolder(folder, options), options) };
    default:
      return facts satisfies never;
  }
}

/** The real path of what the worktree in this folder has in common with the others. */
export async function commonFolder(folder: string, options: RepositoryOptions): Promise<string> {
  const answer = await new Repository(folder, options).ask(
    folder,
    ["rev-parse", "--git-common-dir"],
    "find the repository",
  );
  return realpath(resolve(folder, answer));
}

/** git looks for `.git` from a folder upwards, so a folder that is a repository itself is found to be in none. */
async function withoutRepository(folder: string, options: RepositoryOptions): Promise<Fault> {
  const bare = await new Repository(folder, options).run(folder, [
    `--git-dir=${folder}`,
    "rev-parse",
    "--git-dir",
  ]);
  if (bare.outcome === "not installed") return gitMissing();
  if (bare.outcome !== "ok") {
    return new Fault("no_repository", "This folder is in no git repository, so it has no worktrees.", {
      hint: "Run `git init` in it and commit something, or work in the folder itself.",
    });
  }
  return new Fault("bare_repository", "This folder is a bare repository: no files are checked out in it.", {
    hint: "Open one of its worktrees as a workspace, and make new ones from there.",
  });
}

function gitMissing(): Fault {
  return new Fault("git_missing", "git is not installed, and worktrees are made by git.", {
    hint: "Install git, then try again.",
  });
}

function readWorktree(lines: string[], isMain: boolean): ListedWorktree {
  const fieldOf = (name: string) => {
    const line = lines.find((each) => each === name || each.startsWith(`${name} `));
    return line === undefined ? null : line.slice(name.length + 1);
  };
  return {
    // git writes it with "/" on every system.
    path: resolve(fieldOf("worktree") ?? ""),
    isMain,
    branch: fieldOf("branch")?.replace(/^refs\/heads\//, "") ?? null,
    locked: fieldOf("locked"),
  };
}

/** Sets to nothing what the repository itself names as a program to run. */
function filtersOff(output: string): [name: string, value: string][] {
  const fields = output.split("\0");
  const off: [string, string][] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [scope, setting = ""] = fields.slice(index);
    const [name = ""] = setting.split("\n");
    if (scope !== "local" && scope !== "worktree") continue;
    off.push([name, name.endsWith(".required") ? "false" : ""]);
  }
  return off;
}

function refusal(result: Exclude<GitResult, { outcome: "ok" }>, what: string): Fault {
  switch (result.outcome) {
    case "not installed":
      return gitMissing();
    case "no answer":
      return new Fault("git_no_answer", `git was to ${what}, and does not answer.`, { retryable: true });
    case "broken":
      return new Fault("git_broken", `git was to ${what}, and could not be run to its end.`, {
        detail: result.detail,
        retryable: true,
      });
    case "failed":
      return new Fault("git_refused", `git could not ${what}.`, { detail: result.errors, retryable: true });
    default:
      return result satisfies never;
  }
}
