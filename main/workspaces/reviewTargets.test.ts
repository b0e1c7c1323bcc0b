import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { reviewTargets } from "./reviewTargets";

let root: string;
let repository: string;
let environment: NodeJS.ProcessEnv;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-targets-")));
  repository = join(root, "my repo");
  mkdirSync(join(root, "home"));
  mkdirSync(repository);
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

let seconds = 1_700_000_000;

function git(args: string[], input?: string): string {
  const date = `${seconds++} +0000`;
  return execFileSync("git", ["-C", repository, ...args], {
    env: { ...environment, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    encoding: "utf8",
    stdio: "pipe",
    input,
  }).trim();
}

const start = () => git(["init", "--quiet", "--initial-branch", "trunk"]);
const commit = (subject: string) => git(["commit", "--quiet", "--allow-empty", "--message", subject]);
const targets = () => reviewTargets(repository, { environment });

it("nothing where there is no repository", async () => {
  expect(await targets()).toEqual({ branches: [], currentBranch: null, commits: [] });
});

it("a repository without a commit has a branch by name only", async () => {
  start();
  expect(await targets()).toEqual({ branches: [], currentBranch: "trunk", commits: [] });
});

it("branches worked on last first, and commits newest first", async () => {
  start();
  commit("first");
  git(["branch", "older"]);
  commit("second: with words, and “quotes”");
  const { branches, currentBranch, commits } = await targets();
  expect(branches).toEqual(["trunk", "older"]);
  expect(currentBranch).toBe("trunk");
  expect(commits.map(({ subject }) => subject)).toEqual(["second: with words, and “quotes”", "first"]);
  expect(commits[0]?.sha).toBe(git(["rev-parse", "HEAD"]));
  expect(commits[0]?.atMs).toBe(Number(git(["log", "-1", "--format=%ct"])) * 1000);
});

it("the newest thirty commits and no more", async () => {
  start();
  const stream = Array.from(
    { length: 40 },
    (_, n) => `commit refs/heads/trunk\ncommitter A <a@b> ${1_600_000_000 + n} +0000\ndata 3\nc${n + 10}\n`,
  ).join("");
  git(["fast-import", "--quiet"], stream);
  const { commits } = await targets();
  expect(commits).toHaveLength(30);
  expect(commits[0]?.subject).toBe("c49");
});

it("a commit without a message", async () => {
  start();
  git(["commit", "--quiet", "--allow-empty", "--allow-empty-message", "--message", ""]);
  expect((await targets()).commits.map(({ subject }) => subject)).toEqual([""]);
});

it("no branch is current while none is checked out", async () => {
  start();
  commit("first");
  git(["checkout", "--quiet", "--detach"]);
  expect(await targets()).toMatchObject({ branches: ["trunk"], currentBranch: null });
});

it("a thousand branches, local ones before remote ones, and not a second name of one", async () => {
  start();
  commit("first");
  const sha = git(["rev-parse", "HEAD"]);
  const refs = [
    ...Array.from({ length: 998 }, (_, n) => `create refs/heads/b/${n} ${sha}`),
    ...Array.from({ length: 5 }, (_, n) => `create refs/remotes/origin/r${n} ${sha}`),
  ];
  git(["update-ref", "--stdin"], `${refs.join("\n")}\n`);
  const { branches } = await targets();
  expect(branches).toHaveLength(1_000);
  expect(branches.slice(0, 999).every((name) => !name.startsWith("origin/"))).toBe(true);
  git(["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/r0"]);
  git(
    ["update-ref", "--stdin"],
    Array.from({ length: 990 }, (_, n) => `delete refs/heads/b/${n}\n`).join(""),
  );
  const left = (await targets()).branches;
  expect(left).toHaveLength(14);
  expect(left).not.toContain("origin/HEAD");
});

it("odd names as they are", async () => {
  start();
  commit("first");
  const odd = [
    "fix/ümlaut-日本",
    "a'quote",
    'a"double',
    "semi;colon",
    "dollar$(x)",
    "-dash".slice(1),
    "heads/trunk",
  ];
  for (const name of odd) git(["branch", name]);
  git(["tag", "trunk"]);
  expect(new Set((await targets()).branches)).toEqual(new Set(["trunk", ...odd]));
});

it("runs no program that the repository names, and writes nothing", async () => {
  start();
  commit("first");
  const mark = join(root, "ran");
  const script = join(root, "evil.sh");
  writeFileSync(script, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  git(["config", "gpg.program", script]);
  git(["config", "log.showSignature", "true"]);
  git(["config", "core.fsmonitor", script]);
  git(["config", "core.pager", script]);
  const before = statSync(join(repository, ".git")).mtimeMs;
  await targets();
  expect(() => statSync(mark)).toThrow();
  expect(statSync(join(repository, ".git")).mtimeMs).toBe(before);
});

it("that git is not installed is said", async () => {
  start();
  commit("first");
  await expect(
    reviewTargets(repository, { environment: { ...environment, PATH: "/nowhere" } }),
  ).rejects.toMatchObject({ code: "git_missing" });
});
