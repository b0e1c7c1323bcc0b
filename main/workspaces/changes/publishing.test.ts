import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Question } from "./suggestion";
import { TestRepository } from "./testRepository";

let repository: TestRepository;
let jobs = 0;

beforeEach(() => {
  repository = new TestRepository();
});

afterEach(() => repository.remove());

const newJob = () => `job ${++jobs}`;

function commit(message: string, what: "staged" | "everything" = "staged", amend = false, jobId = newJob()) {
  return repository.changes.commit("w", jobId, { message, what, amend });
}

function hook(name: string, script: string): void {
  writeFileSync(
    join(repository.root, ".git", "hooks", name),
    `#!/bin/sh\nbase='${repository.base}'\n${script}\n`,
    {
      mode: 0o755,
    },
  );
}

const log = () => repository.git("log", "--format=%B%x01", "--name-only");

/** When that file is there. */
async function until(name: string): Promise<void> {
  await expect.poll(() => existsSync(join(repository.base, name))).toBe(true);
}

describe("a commit", () => {
  test("of what is staged, or of everything; the message stays as it was written", async () => {
    repository.write("one", "1\n");
    repository.write("two", "2\n");
    await repository.changes.stage("w", ["one"]);
    const made = await commit("Say -m 'hello'\n\n# not a comment\n--amend\n");
    expect(made).toMatchObject({ subject: "Say -m 'hello'", sha: repository.git("rev-parse", "HEAD") });
    expect(repository.git("log", "-1", "--format=%B")).toBe("Say -m 'hello'\n\n# not a comment\n--amend");
    expect(repository.git("ls-tree", "--name-only", "HEAD")).toBe("one");
    await commit("All", "everything");
    expect(repository.git("ls-tree", "--name-only", "HEAD")).toBe("one\ntwo");
    await commit("All of it", "staged", true);
    expect(repository.git("rev-list", "--count", "HEAD")).toBe("2");
    expect(log()).toContain("All of it");
  });

  test("of nothing, or without a message, is none", async () => {
    repository.write("one", "1\n");
    await expect(commit("x")).rejects.toMatchObject({ code: "nothing_staged" });
    await expect(commit(" \n")).rejects.toMatchObject({ code: "message_missing" });
    await expect(commit("x", "staged", true)).rejects.toMatchObject({ code: "nothing_to_amend" });
    repository.commit();
    await expect(commit("x", "everything")).rejects.toMatchObject({ code: "nothing_to_commit" });
  });

  test("a hook that refuses is told with its words, and what was staged is as before", async () => {
    repository.write("one", "1\n");
    repository.write("two", "2\n");
    repository.commit();
    repository.write("one", "11\n");
    repository.write("two", "22\n");
    await repository.changes.stage("w", ["one"]);
    hook("pre-commit", "echo 'the tests fail'; echo 'see https://u:secret@example.org' >&2; exit 1");
    const refused = commit("x", "everything");
    await expect(refused).rejects.toMatchObject({ code: "commit_refused" });
    const fault = (await refused.catch((error: unknown) => error)) as { detail: string };
    expect(fault.detail).toContain("the tests fail");
    expect(fault.detail).not.toContain("secret");
    expect(repository.git("diff", "--cached", "--name-only")).toBe("one");
    expect(repository.git("diff", "--name-only")).toBe("two");
  });

  test("runs the hooks with the person's environment, tells their output, and can be seen and cancelled", async () => {
    repository.environment.MINE = "yes";
    hook(
      "pre-commit",
      'echo "MINE is $MINE"; touch $base/begun; while [ ! -e $base/go ]; do sleep 0.05; done',
    );
    repository.write("one", "1\n");
    await repository.changes.stage("w", ["one"]);
    const jobId = newJob();
    const making = commit("x", "staged", false, jobId);
    const cancelled = expect(making).rejects.toMatchObject({ code: "cancelled" });
    await until("begun");
    expect((await repository.changes.output(jobId, 0)).text).toContain("MINE is yes");
    expect((await repository.list()).jobs).toMatchObject([{ jobId, kind: "commit" }]);
    await expect(commit("y")).rejects.toMatchObject({ code: "repository_busy" });
    await expect(repository.changes.unstage("w", null)).rejects.toMatchObject({ code: "repository_busy" });
    const rest = repository.changes.output(jobId, (await repository.changes.output(jobId, 0)).next);
    repository.changes.cancel(jobId);
    await cancelled;
    expect((await rest).over).toBe(true);
    expect(repository.has(".git/index.lock")).toBe(false);
    expect(await repository.list()).toMatchObject({
      head: null,
      jobs: [],
      files: [{ staged: { kind: "added" } }],
    });
    repository.changes.cancel(jobId);
  });

  test("can be heard and cancelled from the moment in which it is asked for", async () => {
    repository.write("one", "2\n");
    hook("pre-commit", "echo heard >&2; sleep 100 & wait");
    const jobId = newJob();
    const made = commit("x", "everything", false, jobId);
    const cancelled = expect(made).rejects.toMatchObject({ code: "cancelled" });
    expect((await repository.changes.output(jobId, 0)).text).toContain("heard");
    repository.changes.cancel(jobId);
    await cancelled;
    const never = newJob();
    const unmade = commit("x", "everything", false, never);
    repository.changes.cancel(never);
    await expect(unmade).rejects.toMatchObject({ code: "cancelled" });
    expect(repository.git("status", "--porcelain")).toBe("?? one");
  });

  test("cancelled when it is there already, it has succeeded", async () => {
    hook("post-commit", "touch $base/begun; while [ ! -e $base/go ]; do sleep 0.05; done");
    repository.write("one", "1\n");
    await repository.changes.stage("w", ["one"]);
    const jobId = newJob();
    const making = commit("x", "staged", false, jobId);
    await until("begun");
    repository.changes.cancel(jobId);
    expect(await making).toMatchObject({ subject: "x" });
  });

  test("other windows hear of it", async () => {
    repository.write("one", "1\n");
    const { revision } = await repository.changes.list("w");
    const next = repository.changes.next("w", revision, "page");
    await repository.changes.stage("w", ["one"]);
    expect(await next).toBeGreaterThan(revision);
    const now = (await repository.changes.list("w")).revision;
    const asked = repository.changes.next("w", now, "page");
    repository.changes.changedOnDisk("w");
    expect(await asked).toBeGreaterThan(now);
  });
});

describe("a push", () => {
  let remote: string;

  beforeEach(() => {
    remote = join(repository.base, "remote.git");
    repository.write("one", "1\n");
    repository.commit();
  });

  test("sets the upstream when there is none, and goes to the branch of the same name", async () => {
    await expect(repository.changes.push("w", newJob(), null)).rejects.toMatchObject({ code: "no_remote" });
    repository.addRemote(remote);
    expect(await repository.changes.push("w", newJob(), null)).toMatchObject({
      remote: "origin",
      branch: "trunk",
      upstreamSet: true,
    });
    expect((await repository.list()).upstream).toEqual({
      name: "origin/trunk",
      distance: { ahead: 0, behind: 0 },
    });
    // A branch that follows the one it was made from is never pushed there.
    repository.git("checkout", "--quiet", "-b", "own", "--track", "origin/trunk");
    repository.commit();
    expect(await repository.changes.push("w", newJob(), null)).toMatchObject({
      branch: "own",
      upstreamSet: true,
    });
    repository.commit();
    expect(await repository.changes.push("w", newJob(), null)).toMatchObject({
      branch: "own",
      upstreamSet: false,
    });
    expect(repository.git("ls-remote", "--heads", "origin").split("\n")).toHaveLength(2);
    expect((await repository.list()).upstream?.name).toBe("origin/own");
  });

  test("is never forced: what the remote has and this has not is told", async () => {
    repository.addRemote(remote);
    await repository.changes.push("w", newJob(), null);
    repository.commit();
    await repository.changes.push("w", newJob(), null);
    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    repository.commit("another");
    await expect(repository.changes.push("w", newJob(), null)).rejects.toMatchObject({ code: "push_behind" });
    repository.git("checkout", "--quiet", "--detach");
    await expect(repository.changes.push("w", newJob(), null)).rejects.toMatchObject({ code: "no_branch" });
  });

  test("asks nobody for anything, and hides what is secret in an address", async () => {
    repository.program(
      "ssh",
      'echo "$@" > $base/ssh; echo "git@x: Permission denied (publickey)." >&2; exit 255',
    );
    repository.git("remote", "add", "origin", "ssh://git@127.0.0.1/x.git");
    await expect(repository.changes.push("w", newJob(), null)).rejects.toMatchObject({
      code: "push_not_allowed",
    });
    expect(readFileSync(join(repository.base, "ssh"), "utf8")).toContain("BatchMode=yes");
    repository.git("remote", "set-url", "origin", "http://ada:geheim123@127.0.0.1:9/x.git");
    const fault = await repository.changes.push("w", newJob(), null).catch((error: unknown) => error);
    expect(JSON.stringify(fault)).toContain("127.0.0.1");
    expect(JSON.stringify(fault)).not.toContain("geheim123");
  });
});

describe("a pull request", () => {
  beforeEach(() => {
    const remote = join(repository.base, "remote.git");
    repository.addRemote(remote);
    repository.write("one", "1\n");
    repository.commit();
    repository.git("push", "--quiet", "--set-upstream", "origin", "trunk");
    repository.git("checkout", "--quiet", "-b", "ada/new-thing");
    repository.write("one", "2\n");
    repository.commit("Count to two\n\nOne is not enough.");
  });

  /** Says what it was asked in a file, and answers like the real one. */
  function fakeGh(more = ""): void {
    repository.program(
      "gh",
      [
        'printf "%s\\n" "$@" >> $base/asked',
        more,
        'case "$1 $2" in',
        '"--version "*) echo "gh version 2.60.0";;',
        '"auth status") ;;',
        '"pr list") if [ -e $base/open ]; then echo \'[{"url":"https://example.org/a/b/pull/7","number":7,"title":"T"}]\'; else echo "[]"; fi;;',
        '"repo view") echo trunk;;',
        '"pr create") cat > $base/body; touch $base/open; echo "Creating pull request"; echo "https://example.org/a/b/pull/7";;',
        '*) echo "unknown: $*" >&2; exit 1;;',
        "esac",
      ].join("\n"),
    );
  }

  const open = (draft = false) =>
    repository.changes.openPullRequest("w", newJob(), {
      title: "--title 'x'",
      body: "Several\nlines",
      base: "trunk",
      draft,
    });

  test("has to be pushed before, is opened once, and is found again", async () => {
    fakeGh();
    expect(await repository.changes.pullRequest("w")).toMatchObject({
      cannot: { code: "not_pushed" },
      existing: null,
      title: "Count to two",
      body: "One is not enough.",
      base: "trunk",
    });
    await expect(open()).rejects.toMatchObject({ code: "not_pushed" });
    await repository.changes.push("w", newJob(), null);
    expect(await repository.changes.pullRequest("w")).toMatchObject({ cannot: null, existing: null });
    expect(await open(true)).toEqual({ outcome: "opened", url: "https://example.org/a/b/pull/7" });
    const asked = readFileSync(join(repository.base, "asked"), "utf8");
    expect(asked).toContain(
      "pr\ncreate\n--title=--title 'x'\n--body-file=-\n--head=ada/new-thing\n--base=trunk\n--draft\n",
    );
    expect(readFileSync(join(repository.base, "body"), "utf8")).toBe("Several\nlines");
    expect(await open()).toEqual({ outcome: "there", url: "https://example.org/a/b/pull/7" });
    expect(await repository.changes.pullRequest("w")).toMatchObject({ existing: { number: 7 } });
  });

  test("without gh, or when it is not signed in, that is told", async () => {
    fakeGh('if [ "$1" = auth ]; then echo "not logged in, token ghp_abcdefghijklmnop" >&2; exit 1; fi');
    const { cannot } = await repository.changes.pullRequest("w");
    expect(cannot).toMatchObject({ code: "gh_signed_out", hint: expect.stringContaining("gh auth login") });
    expect(cannot?.detail).not.toContain("abcdefghijklmnop");
    rmSync(join(repository.base, "bin", "gh"));
    repository.environment.PATH = join(repository.base, "bin");
    repository.program("git", `exec ${repository.realGit} "$@"`);
    const facts = await repository.changes.pullRequest("w");
    // Where this machine has one in a usual place, that one is found.
    expect(["gh_missing", "gh_signed_out"]).toContain(facts.cannot?.code);
  });

  test("what gh refuses is told with its words", async () => {
    fakeGh('if [ "$2" = create ]; then echo "GraphQL: no commits between trunk and x" >&2; exit 1; fi');
    await repository.changes.push("w", newJob(), null);
    await expect(open()).rejects.toMatchObject({
      code: "gh_refused",
      detail: expect.stringContaining("no commits between"),
    });
  });
});

describe("a suggested message", () => {
  test("codex is shown what is staged, or everything, and its answer is taken in whatever form", async () => {
    const asked: Question[] = [];
    repository.ask = async (question) => {
      asked.push(question);
      return asked.length === 1 ? '{"message": "Add one\\n\\nBecause."}' : "```\nAdd both\n```";
    };
    repository.write("one", "first line\n");
    repository.write("two", "second\n");
    await repository.changes.stage("w", ["one"]);
    expect(await repository.changes.suggestMessage("w", newJob(), "staged")).toBe("Add one\n\nBecause.");
    expect(asked[0]?.text).toContain("+first line");
    expect(asked[0]?.text).not.toContain("two");
    expect(await repository.changes.suggestMessage("w", newJob(), "everything")).toBe("Add both");
    expect(asked[1]?.text).toContain("- two");
    repository.ask = async () => "  ";
    await expect(repository.changes.suggestMessage("w", newJob(), "staged")).rejects.toMatchObject({
      code: "no_answer",
    });
    await repository.changes.unstage("w", null);
    await expect(repository.changes.suggestMessage("w", newJob(), "staged")).rejects.toMatchObject({
      code: "nothing_to_commit",
    });
  });

  test("can be cancelled", async () => {
    repository.write("one", "1\n");
    await repository.changes.stage("w", ["one"]);
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    repository.ask = (_question, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("ended")));
        isAsked();
      });
    const jobId = newJob();
    const suggesting = repository.changes.suggestMessage("w", jobId, "staged");
    await asked;
    expect(repository.changes.needsSession("w")).toBe(true);
    repository.changes.cancel(jobId);
    await expect(suggesting).rejects.toMatchObject({ code: "cancelled" });
    expect(repository.changes.needsSession("w")).toBe(false);
  });
});
