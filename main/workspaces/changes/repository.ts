// The repository that a workspace is in, as its changes go: how git is run in it, and what is said when it refuses.
//
// What git may run meanwhile. Whatever only looks runs nothing that the repository names: no hook, no filter of its own
// configuration, no other program for differences, and nothing in submodules. What a person asks for (stage, commit, push)
// is done as their own git would do it in a terminal, with their environment; a commit and a push run the repository's hooks.
//
// Races, and what settles each:
// - Somebody else's git holds the lock of the index: what is done here is tried again for `lockWaitMs`, then a fault names
//   the lock. It is never taken away. Nothing that only looks takes it.
// - The person's git and this one work at the same time: git's own locks decide; nothing here works around them.

import { realpath, stat } from "node:fs/promises";
import { join, parse, relative, resolve, sep } from "node:path";
import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import { gitFacts } from "../git";
import { gitEnvironment, safeConfiguration } from "../gitProcess";
import { type ProgramEnd, runProgram } from "./program";

export interface RepositoryOptions {
  clock: Clock;
  /** The person's own, of their login shell. */
  environment: NodeJS.ProcessEnv;
}

export interface Asking {
  limitMs?: number;
  mostBytes?: number;
  variables?: NodeJS.ProcessEnv;
  input?: Uint8Array;
  take?(chunk: Buffer): boolean;
  heard?(chunk: Buffer): void;
  signal?: AbortSignal;
  /** Exit codes that are an answer too. */
  alsoOk?: readonly number[];
}

export interface Answer {
  code: number;
  output: Buffer;
  /** No more was taken or kept: there was more. */
  isCut: boolean;
}

/** Files beyond this are not compared line by line, nor read for it. */
export const largeFileBytes = 8 * 1024 * 1024;

const usualLimitMs = 30_000;
const usualBytes = 4 * 1024 * 1024;
/** Many files may be written or read. */
export const filesLimitMs = 5 * 60_000;
export const lockWaitMs = 3_000;
export const lockTryEveryMs = 150;

/** What a person's settings could change in what is read here. */
const plainOutput = [
  "core.quotePath=false",
  "core.pager=cat",
  `core.bigFileThreshold=${largeFileBytes}`,
  "color.ui=false",
  "status.renames=true",
  "diff.renames=true",
  "diff.suppressBlankEmpty=false",
  "diff.interHunkContext=0",
  "log.showSignature=false",
].flatMap((setting) => ["-c", setting]);

/** Never asks anything: there is nobody at its terminal. */
const askNothing: NodeJS.ProcessEnv = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_MERGE_AUTOEDIT: "no",
};

export class ChangesRepository {
  /** The real path of the top folder. */
  readonly root: string;
  /** The workspace's folder in it: "" or "packages/app/". */
  readonly prefix: string;
  /** git's own folder for this worktree, and the one that all worktrees have in common. */
  readonly gitFolder: string;
  readonly common: string;
  readonly branch: string | null;
  readonly head: string | null;
  readonly #options: RepositoryOptions;
  readonly #filtersOff: NodeJS.ProcessEnv;

  private constructor(
    facts: { root: string; prefix: string; gitFolder: string; common: string },
    tip: { branch: string | null; head: string | null },
    options: RepositoryOptions,
    filtersOff: NodeJS.ProcessEnv,
  ) {
    this.root = facts.root;
    this.prefix = facts.prefix;
    this.gitFolder = facts.gitFolder;
    this.common = facts.common;
    this.branch = tip.branch;
    this.head = tip.head;
    this.#options = options;
    this.#filtersOff = filtersOff;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  get environment(): NodeJS.ProcessEnv {
    return this.#options.environment;
  }

  /** Throws the Fault that says why there is none. */
  static async open(folder: string, options: RepositoryOptions): Promise<ChangesRepository> {
    const facts = await gitFacts(folder, options);
    if (facts.kind === "git missing") throw gitMissing();
    if (facts.kind === "unknown") throw facts.fault;
    if (facts.kind === "no repository") throw await noRepository(folder);
    const root = await realpath(facts.root);
    const inRoot = relative(root, await realpath(folder));
    const prefix = inRoot === "" ? "" : `${inRoot.split(sep).join("/")}/`;
    const bare = new ChangesRepository({ root, prefix, gitFolder: "", common: "" }, facts, options, {});
    const folders = await bare.look(
      ["rev-parse", "--absolute-git-dir", "--git-common-dir"],
      "look at the repository",
    );
    const [gitFolder = "", common = ""] = folders.output.toString("utf8").split("\n");
    return new ChangesRepository(
      { root, prefix, gitFolder: resolve(gitFolder), common: await realpath(resolve(root, common)) },
      facts,
      options,
      await bare.#findFilters(),
    );
  }

  /** Only looks. `what` completes "git could not …". Throws Fault. */
  async look(args: readonly string[], what: string, asking: Asking = {}): Promise<Answer> {
    const environment = {
      ...gitEnvironment(this.#options.environment),
      ...this.#filtersOff,
      ...asking.variables,
    };
    return answerOf(
      await this.#run([...safeConfiguration, ...plainOutput], args, environment, asking),
      what,
      asking,
    );
  }

  /** The first line, or what there is of it. */
  async lookText(args: readonly string[], what: string, asking: Asking = {}): Promise<string> {
    const { output } = await this.look(args, what, asking);
    return output.toString("utf8").replace(/\n$/, "");
  }

  /** Changes the index, as the person's own git would, without hooks. Waits a little for a lock of somebody else's. */
  async change(args: readonly string[], what: string, asking: Asking = {}): Promise<Answer> {
    const environment = { ...personEnvironment(this.#options.environment), LC_ALL: "C", ...asking.variables };
    const settings = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", ...plainWrites];
    return this.whenUnlocked(what, () => this.#run(settings, args, environment, asking), asking);
  }

  /** As in a terminal, hooks included. */
  async act(args: readonly string[], asking: Asking = {}): Promise<ProgramEnd> {
    const environment = { ...personEnvironment(this.#options.environment), ...asking.variables };
    return this.#run(plainWrites, args, environment, asking);
  }

  /** Tries again while somebody else holds the lock of the index. */
  async whenUnlocked(
    what: string,
    attempt: () => Promise<ProgramEnd>,
    asking: Pick<Asking, "alsoOk"> = {},
  ): Promise<Answer> {
    const untilMs = this.clock.nowMs() + lockWaitMs;
    for (;;) {
      const end = await attempt();
      const lock = lockOf(end);
      if (lock === null) return answerOf(end, what, asking);
      if (this.clock.nowMs() >= untilMs) throw lockedFault(lock, this.root);
      await new Promise<void>((next) => this.clock.after(lockTryEveryMs, next));
    }
  }

  #run(
    settings: readonly string[],
    args: readonly string[],
    environment: NodeJS.ProcessEnv,
    asking: Asking,
  ): Promise<ProgramEnd> {
    return runProgram({
      command: "git",
      args: ["-C", this.root, "--no-pager", "--literal-pathspecs", ...settings, ...args],
      // Not the repository's: if that has gone, git says so, and "not found" means git itself.
      cwd: parse(this.root).root,
      environment,
      clock: this.clock,
      limitMs: asking.limitMs ?? usualLimitMs,
      mostBytes: asking.mostBytes ?? usualBytes,
      ...(asking.input === undefined ? {} : { input: asking.input }),
      ...(asking.take === undefined ? {} : { take: asking.take }),
      ...(asking.heard === undefined ? {} : { heard: asking.heard }),
      signal: asking.signal,
    });
  }

  /** What sets to nothing the programs that the repository's own configuration names as filters. */
  async #findFilters(): Promise<NodeJS.ProcessEnv> {
    const named = await this.look(
      [
        "config",
        "--includes",
        "--show-scope",
        "-z",
        "--get-regexp",
        "^filter\\..*\\.(clean|smudge|process|required)$",
      ],
      "look at the repository",
      // 1: there are none.
      { alsoOk: [1] },
    );
    const fields = named.output.toString("utf8").split("\0");
    const variables: NodeJS.ProcessEnv = { GIT_LFS_SKIP_SMUDGE: "1" };
    let count = 0;
    for (let index = 0; index + 1 < fields.length; index += 2) {
      const [scope, setting = ""] = fields.slice(index);
      const [name = ""] = setting.split("\n");
      if (scope !== "local" && scope !== "worktree") continue;
      variables[`GIT_CONFIG_KEY_${count}`] = name;
      variables[`GIT_CONFIG_VALUE_${count}`] = name.endsWith(".required") ? "false" : "";
      count += 1;
    }
    return { ...variables, GIT_CONFIG_COUNT: String(count) };
  }
}

const plainWrites = ["-c", "core.quotePath=false", "-c", "core.pager=cat", "-c", "color.ui=false"];

/** What points git at another repository, index or configuration than those of the folder. */
const pointsElsewhere =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_(KEY|VALUE)_\d+|(LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS|EXTERNAL_DIFF|TRACE.*|PAGER.*)$/i;

export function personEnvironment(surroundings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(surroundings).filter(([name]) => !pointsElsewhere.test(name));
  return { ...Object.fromEntries(kept), ...askNothing };
}

function answerOf(end: ProgramEnd, what: string, asking: Pick<Asking, "alsoOk">): Answer {
  if (end.end === "enough") return { code: 0, output: end.output, isCut: true };
  if (end.end === "ended" && (end.code === 0 || asking.alsoOk?.includes(end.code))) {
    return { code: end.code, output: end.output, isCut: false };
  }
  throw gitFault(end, what);
}

/** `what` completes "git could not …". */
export function gitFault(end: Exclude<ProgramEnd, { end: "enough" }>, what: string): Fault {
  switch (end.end) {
    case "ended":
      return new Fault("git_refused", `git could not ${what}.`, {
        detail: end.errors,
        retryable: true,
      });
    case "not found":
      return gitMissing();
    case "not started":
      return new Fault("git_broken", "git could not be started.", { detail: end.detail, retryable: true });
    case "no answer":
      return new Fault("git_no_answer", `git could not ${what}: it takes too long.`, {
        hint: "Look whether the folder is on a slow or lost drive, then try again.",
        detail: end.errors,
        retryable: true,
      });
    case "cancelled":
      return new Fault("cancelled", "It was cancelled.", { retryable: true });
    case "killed":
      return new Fault("git_broken", `git was ended by ${end.by}.`, { detail: end.errors, retryable: true });
    default:
      return end satisfies never;
  }
}

function gitMissing(): Fault {
  return new Fault("git_missing", "git is not installed, so changes cannot be shown.", {
    hint: "Install git, then try again.",
    retryable: true,
  });
}

async function noRepository(folder: string): Promise<Fault> {
  const bare = await Promise.all(
    ["HEAD", "objects", "refs"].map((name) => stat(join(folder, name)).catch(() => null)),
  );
  if (bare.every((each) => each !== null)) {
    return new Fault("bare_repository", "This folder is a bare repository: no files are checked out in it.", {
      hint: "Open one of its worktrees as a workspace.",
    });
  }
  return new Fault("no_repository", "This folder is in no git repository, so there are no changes to show.", {
    hint: "Run `git init` in it to keep a history of its files.",
  });
}

/** The file that stands for the lock, when that is why git gave up. */
function lockOf(end: ProgramEnd): string | null {
  if (end.end !== "ended" || end.code === 0) return null;
  return /'([^'\n]*index\.lock)'/.exec(end.errors)?.[1] ?? null;
}

export function lockedFault(lock: string, root: string, cause?: unknown): Fault {
  const path = resolve(root, lock);
  return new Fault("repository_locked", `Another git is at work in this repository: ${path} is there.`, {
    hint: "Wait until it has ended, then try again. If no git runs any more, delete that file yourself.",
    path,
    cause,
    retryable: true,
  });
}
