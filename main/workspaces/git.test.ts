import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { gitFacts } from "./git";

let root: string;
let repository: string;
let environment: NodeJS.ProcessEnv;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-git-")));
  repository = join(root, "my repo");
  mkdirSync(join(root, "bin"));
  mkdirSync(join(root, "home"));
  environment = {
    PATH: process.env.PATH,
    HOME: join(root, "home"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", ["-C", folder, ...args], {
    env: environment,
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
}

function makeRepository(folder = repository): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", "--initial-branch", "trunk");
  return folder;
}

function commit(folder = repository): string {
  git(folder, "commit", "--quiet", "--allow-empty", "--message", "work");
  return git(folder, "rev-parse", "HEAD");
}

const facts = (folder = repository) => gitFacts(folder, { environment });

/** Puts a program called git before the real one. */
function wrapGit(script: string): void {
  const file = join(root, "bin", "git");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(file, `#!/bin/sh\nlog='${root}/log'\nreal='${real}'\n${script}\n`);
  chmodSync(file, 0o755);
  environment.PATH = `${join(root, "bin")}${delimiter}${environment.PATH}`;
}

const logged = () =>
  existsSync(join(root, "log")) ? readFileSync(join(root, "log"), "utf8").trim().split("\n") : [];

describe("what git knows of a folder", () => {
  it("is its branch and commit, from any folder within", async () => {
    makeRepository();
    const head = commit();
    mkdirSync(join(repository, "src", "deep"), { recursive: true });
    const expected = {
      kind: "repository",
      root: repository,
      branch: "trunk",
      head,
      isWorktree: false,
      mainWorktreePath: null,
    };
    expect(await facts()).toEqual(expected);
    expect(await facts(join(repository, "src", "deep"))).toEqual(expected);
    symlinkSync(repository, join(root, "link"));
    expect(await facts(join(root, "link"))).toEqual(expected);
  });

  it("is a branch without a commit at first", async () => {
    makeRepository();
    expect(await facts()).toMatchObject({
      kind: "repository",
      branch: "trunk",
      head: null,
      isWorktree: false,
    });
  });

  it("is a commit without a branch when none is checked out", async () => {
    makeRepository();
    const head = commit();
    git(repository, "checkout", "--quiet", "--detach");
    expect(await facts()).toMatchObject({ branch: null, head });
  });

  it("is a branch with a name that looks like a path, or like an option", async () => {
    makeRepository();
    commit();
    git(repository, "checkout", "--quiet", "-b", "feature/ünï-1");
    expect(await facts()).toMatchObject({ branch: "feature/ünï-1" });
    git(repository, "symbolic-ref", "HEAD", "refs/heads/--help");
    expect(await facts()).toMatchObject({ kind: "repository", branch: "--help", head: null });
  });

  it("is where a worktree belongs", async () => {
    makeRepository();
    const head = commit();
    const worktree = join(root, "tree one");
    git(repository, "worktree", "add", "--quiet", "-b", "side", worktree);
    expect(await facts(worktree)).toEqual({
      kind: "repository",
      root: worktree,
      branch: "side",
      head,
      isWorktree: true,
      mainWorktreePath: repository,
    });
    expect(await facts()).toMatchObject({ isWorktree: false });
  });

  it("is a worktree without a main one when the repository is bare", async () => {
    makeRepository();
    commit();
    const bare = join(root, "bare.git");
    git(root, "clone", "--quiet", "--bare", repository, bare);
    const worktree = join(root, "tree");
    git(bare, "worktree", "add", "--quiet", worktree);
    expect(await facts(worktree)).toMatchObject({ isWorktree: true, mainWorktreePath: null, root: worktree });
  });

  it("is a repository of its own in a submodule, and not a worktree", async () => {
    makeRepository();
    commit();
    const inner = makeRepository(join(root, "inner"));
    commit(inner);
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
    expect(await facts(join(repository, "sub"))).toMatchObject({
      root: join(repository, "sub"),
      isWorktree: false,
      mainWorktreePath: null,
    });
  });

  it("is not told by another repository that the surroundings name", async () => {
    makeRepository();
    const head = commit();
    const other = makeRepository(join(root, "other"));
    git(other, "checkout", "--quiet", "-b", "wrong");
    environment.GIT_DIR = join(other, ".git");
    environment.GIT_WORK_TREE = other;
    environment.GIT_INDEX_FILE = "/nowhere";
    environment.GIT_CONFIG_COUNT = "1";
    environment.GIT_CONFIG_KEY_0 = "core.bare";
    environment.GIT_CONFIG_VALUE_0 = "true";
    expect(await facts()).toMatchObject({ root: repository, branch: "trunk", head });
  });
});

describe("a folder that is in no repository", () => {
  it("starts no git", async () => {
    wrapGit(`echo "$@" >> "$log"; exec "$real" "$@"`);
    mkdirSync(join(root, "plain", ".git"), { recursive: true });
    expect(await facts(join(root, "plain"))).toEqual({ kind: "no repository" });
    expect(await facts(join(root, "gone"))).toEqual({ kind: "no repository" });
    expect(logged()).toEqual([]);
  });

  it("may have something in it that is called .git", async () => {
    mkdirSync(join(root, "empty", ".git"), { recursive: true });
    expect(await facts(join(root, "empty"))).toEqual({ kind: "no repository" });
    mkdirSync(join(root, "broken"));
    writeFileSync(join(root, "broken", ".git"), "gitdir: /nowhere\n");
    expect(await facts(join(root, "broken"))).toEqual({ kind: "no repository" });
    writeFileSync(join(root, "broken", ".git"), "nonsense\n");
    expect(await facts(join(root, "broken"))).toMatchObject({
      kind: "unknown",
      fault: { code: "git_unknown" },
    });
  });

  it("does not become one by files that look like a repository's", async () => {
    makeRepository();
    commit();
    const trap = join(repository, "trap");
    git(root, "clone", "--quiet", "--bare", repository, trap);
    writeFileSync(join(trap, "config"), "[core]\n\tbare = false\n\tworktree = /\n");
    const found = await facts(trap);
    if (found.kind === "repository") expect(found.root).toBe(repository);
    else expect(found).toMatchObject({ kind: "unknown", fault: { code: "git_unknown" } });
  });
});

describe("git itself", () => {
  it("may not be installed", async () => {
    makeRepository();
    environment.PATH = join(root, "bin");
    expect(await facts()).toEqual({ kind: "git missing" });
  });

  it("may not answer, and is then killed with all that it started", async () => {
    makeRepository();
    wrapGit(`sleep 1000 & echo $! > "$log.child"; echo $$ > "$log"; wait`);
    const clock = new ManualClock();
    const asking = gitFacts(repository, { environment, clock });
    while (logged().length === 0) await new Promise(setImmediate);
    clock.advance(5_000);
    expect(await asking).toMatchObject({
      kind: "unknown",
      fault: { message: "git does not answer.", retryable: true },
    });
    for (const file of ["log", "log.child"]) {
      const pid = Number(readFileSync(join(root, file), "utf8"));
      while (isRunning(pid)) await new Promise(setImmediate);
    }
    expect(clock.pendingCount).toBe(0);
  });

  it("may be broken", async () => {
    makeRepository();
    wrapGit("kill -SEGV $$");
    expect(await facts()).toMatchObject({ kind: "unknown", fault: { code: "git_unknown" } });
    wrapGit("exit 0");
    expect(await facts()).toMatchObject({ kind: "unknown", fault: { code: "git_unknown" } });
    wrapGit("echo oops >&2; exit 128");
    expect(await facts()).toMatchObject({ kind: "unknown", fault: { detail: "oops" } });
  });

  // Only root can act for two users.

  if (process.getuid?.() === 0)
    it("may not trust a repository of another user", async () => {
      makeRepository();
      commit();
      execFileSync("chown", ["-R", "65534", repository]);
      expect(await facts()).toMatchObject({ kind: "unknown", fault: { code: "git_not_trusted" } });
    });

  it("runs nothing that the repository names, writes nothing, and takes no lock", async () => {
    makeRepository();
    commit();
    writeFileSync(join(repository, "file"), "text");
    git(repository, "add", "file");
    const program = join(root, "program");
    writeFileSync(program, `#!/bin/sh\ntouch '${root}/ran'\n`);
    chmodSync(program, 0o755);
    for (const name of ["core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "diff.external"]) {
      git(repository, "config", name, program);
    }
    mkdirSync(join(root, "hooks"));
    for (const hook of ["post-index-change", "reference-transaction", "post-checkout"]) {
      symlinkSync(program, join(root, "hooks", hook));
    }
    git(repository, "config", "core.hooksPath", join(root, "hooks"));
    writeFileSync(join(repository, ".git", "index.lock"), "");
    rmSync(join(root, "ran"), { force: true });
    const before = snapshot(repository);

    expect(await facts()).toMatchObject({ kind: "repository", branch: "trunk" });

    expect(existsSync(join(root, "ran"))).toBe(false);
    expect(snapshot(repository)).toEqual(before);
  });

  it("runs once at a time in a repository", async () => {
    makeRepository();
    commit();
    mkdirSync(join(repository, "src"));
    wrapGit(`echo begin >> "$log"; "$real" "$@"; code=$?; echo end >> "$log"; exit $code`);
    const asked = [facts(), facts(), facts(join(repository, "src")), facts(), facts(join(repository, "src"))];
    const [first, ...others] = await Promise.all(asked);
    expect(first).toMatchObject({ kind: "repository", branch: "trunk" });
    for (const other of others) expect(other).toEqual(first);
    const lines = logged();
    expect(lines).toEqual(Array.from({ length: lines.length / 2 }, () => ["begin", "end"]).flat());
  });

  it("answers a question that came after it had begun by looking again", async () => {
    makeRepository();
    commit();
    // The first look stops when it has read the branch, until it is told to go on.
    wrapGit(`"$real" "$@"; code=$?
      case "$*" in *symbolic-ref*) echo looked >> "$log"; while [ -e '${root}/hold' ]; do :; done;; esac
      exit $code`);
    writeFileSync(join(root, "hold"), "");
    const first = facts();
    while (logged().length === 0) await new Promise(setImmediate);
    git(repository, "checkout", "--quiet", "-b", "later");
    const second = facts();
    const third = facts();
    // Both have passed the look for the repository and are waiting when the first goes on.
    await new Promise(setImmediate);
    rmSync(join(root, "hold"));
    expect(await first).toMatchObject({ branch: "trunk" });
    expect(await second).toMatchObject({ branch: "later" });
    expect(await third).toMatchObject({ branch: "later" });
  });

  it("does not run for all repositories at once", async () => {
    const folders = Array.from({ length: 7 }, (_, index) => join(root, `repository ${index}`));
    for (const folder of folders) makeRepository(folder);
    // The first ones wait for each other, however slow the machine is in starting them.
    wrapGit(`echo begin >> "$log"; while [ "$(grep -c begin "$log")" -lt 4 ]; do :; done
      "$real" "$@"; code=$?; echo end >> "$log"; exit $code`);
    const all = await Promise.all(folders.map((folder) => facts(folder)));
    expect(all.every(({ kind }) => kind === "repository")).toBe(true);
    let running = 0;
    let most = 0;
    for (const line of logged()) {
      running += line === "begin" ? 1 : -1;
      most = Math.max(most, running);
    }
    expect(most).toBe(4);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}

/** Every file with its size and time. */
function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    });
}
