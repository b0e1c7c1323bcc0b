import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesLimitMs } from "./repository";
import { TestWorktrees } from "./testWorktrees";

let test: TestWorktrees;
let workspaceId: string;

beforeEach(async () => {
  test = new TestWorktrees();
  workspaceId = await test.openRepository();
});

afterEach(() => {
  test.remove();
});

const create = (name: string, wish: { base?: string; ifTaken?: "number" } = {}) =>
  test.worktrees.create(workspaceId, { name, base: null, ...wish });
const fault = (code: string) => expect.objectContaining({ code });
/** Nothing was made and nothing is on record. */
function expectNothing(): void {
  expect(test.registered()).toEqual([]);
  expect(test.ledger.worktrees.list()).toEqual([]);
  expect(test.branches()).toEqual(["trunk"]);
}

describe("a worktree", () => {
  it("is on a branch of its own, in a place of ours, and a workspace", async () => {
    const made = await create("fix the limiter");
    expect(made.branch).toBe("fix-the-limiter");
    expect(made.path).toMatch(/\/holdfast\/worktrees\/engine-[0-9a-f]{8}\/fix-the-limiter$/);
    expect(readFileSync(join(made.path, "readme"), "utf8")).toBe("hello\n");
    expect(test.registered()).toEqual([made.path]);
    expect(test.git(made.path, "branch", "--show-current")).toBe("fix-the-limiter");
    expect(test.workspaces.get(made.workspaceId)).toMatchObject({
      path: made.path,
      name: "fix-the-limiter",
      parentWorkspaceId: workspaceId,
      git: { branch: "fix-the-limiter", isWorktree: true },
    });
    expect(test.opened).toEqual([made.workspaceId]);
    expect(test.ledger.worktrees.ofWorkspace(made.workspaceId)).toMatchObject({ state: "made" });
    for (const folder of [dirname(made.path), dirname(dirname(made.path))]) {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  it("leaves the main checkout as it was", async () => {
    test.write(join(test.repository, "readme"), "changed\n");
    const before = test.git(test.repository, "status", "--porcelain");
    await create("x");
    expect(test.git(test.repository, "status", "--porcelain")).toBe(before);
    expect(test.git(test.repository, "branch", "--show-current")).toBe("trunk");
  });

  it("can begin elsewhere, and follows no branch", async () => {
    const first = test.git(test.repository, "rev-parse", "HEAD");
    test.commit();
    test.git(test.repository, "update-ref", "refs/remotes/origin/main", first);
    test.git(test.repository, "config", "branch.autoSetupMerge", "always");
    const made = await create("x", { base: "origin/main" });
    expect(test.git(made.path, "rev-parse", "HEAD")).toBe(first);
    expect(() => test.git(made.path, "rev-parse", "x@{upstream}")).toThrow();
  });

  it("can be made from a folder within the repository, and from another worktree", async () => {
    mkdirSync(join(test.repository, "src"));
    const within = await test.openRepository(join(test.repository, "src"));
    const first = await test.worktrees.create(within, { name: "first", base: null });
    expect(test.workspaces.get(first.workspaceId).parentWorkspaceId).toBe(within);
    const second = await test.worktrees.create(first.workspaceId, { name: "second", base: null });
    expect(dirname(second.path)).toBe(dirname(first.path));
    expect(test.workspaces.get(second.workspaceId).parentWorkspaceId).toBe(within);
  });

  it("of a bare repository is made from one of its worktrees", async () => {
    const bare = join(test.root, "bare.git");
    test.git(test.root, "clone", "--quiet", "--bare", test.repository, bare);
    const bareId = await test.openRepository(bare);
    await expect(test.worktrees.create(bareId, { name: "x", base: null })).rejects.toEqual(
      fault("bare_repository"),
    );
    test.git(bare, "worktree", "add", "--quiet", "--detach", join(test.root, "checked out"));
    const id = await test.openRepository(join(test.root, "checked out"));
    const made = await test.worktrees.create(id, { name: "x", base: null });
    expect(made.path).toMatch(/\/bare-[0-9a-f]{8}\/x$/);
  });

  it("of a sparse checkout is as sparse", async () => {
    test.write(join(test.repository, "a", "file"), "a");
    test.write(join(test.repository, "b", "file"), "b");
    test.commit();
    test.git(test.repository, "sparse-checkout", "set", "a");
    const made = await create("x");
    expect(existsSync(join(made.path, "a", "file"))).toBe(true);
    expect(existsSync(join(made.path, "b"))).toBe(false);
  });

  it("runs nothing that the repository names", async () => {
    const touch = (name: string) => `touch '${join(test.root, name)}'`;
    const hook = join(test.repository, ".git", "hooks", "post-checkout");
    writeFileSync(hook, `#!/bin/sh\n${touch("hooked")}\n`, { mode: 0o755 });
    test.write(join(test.repository, ".gitattributes"), "readme filter=evil\n");
    test.commit();
    for (const part of ["smudge", "clean", "process"]) {
      test.git(
        test.repository,
        "config",
        `filter.evil.${part}`,
        `sh -c "${touch("filtered").replaceAll("'", "")}; cat"`,
      );
    }
    test.git(test.repository, "config", "filter.evil.required", "true");
    const made = await create("x");
    expect(readFileSync(join(made.path, "readme"), "utf8")).toBe("hello\n");
    expect([test.has("hooked"), test.has("filtered")]).toEqual([false, false]);
  });

  it("runs the person's own filters", async () => {
    test.git(test.root, "config", "--global", "filter.loud.smudge", "tr a-z A-Z");
    test.write(join(test.repository, ".gitattributes"), "readme filter=loud\n");
    test.commit();
    expect(readFileSync(join((await create("x")).path, "readme"), "utf8")).toBe("HELLO\n");
  });
});

describe("the name of a worktree", () => {
  it("is refused when there is such a branch, whatever the case of its letters", async () => {
    test.git(test.repository, "branch", "Fix");
    await expect(create("fix")).rejects.toEqual(fault("branch_exists"));
    await expect(create("fix/deep")).rejects.toEqual(fault("branch_exists"));
    test.git(test.repository, "branch", "topic/one");
    await expect(create("topic")).rejects.toEqual(fault("branch_exists"));
    expect(test.registered()).toEqual([]);
  });

  it("gets a number where that is wished", async () => {
    const made = [
      await create("fix", { ifTaken: "number" }),
      await create("fix", { ifTaken: "number" }),
      await create("fix", { ifTaken: "number" }),
    ];
    expect(made.map(({ branch }) => branch)).toEqual(["fix", "fix-2", "fix-3"]);
    expect(test.registered()).toEqual(made.map(({ path }) => path));
  });

  it("has one owner when several ask for it at once", async () => {
    const outcomes = await Promise.allSettled([create("fix"), create("fix"), create("other")]);
    const statuses = outcomes.map(({ status }) => status);
    // Which of the two comes first is nobody's business.
    expect([...statuses.slice(0, 2).sort(), statuses[2]]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(test.registered()).toHaveLength(2);
  });

  it("gives the folder another name when its path was used before, or is in use", async () => {
    const first = await create("fix");
    test.git(test.repository, "worktree", "remove", first.path);
    test.git(test.repository, "branch", "--delete", "fix");
    const second = await create("fix");
    expect([second.branch, second.path]).toEqual(["fix", `${first.path}-2`]);
    mkdirSync(join(dirname(first.path), "else"));
    expect((await create("else")).path).toBe(join(dirname(first.path), "else-2"));
    // Branches apart, one folder for both.
    expect((await create("a/b")).path).toBe(join(dirname(first.path), "a-b"));
    expect((await create("a-b")).path).toBe(join(dirname(first.path), "a-b-2"));
  });

  it.each(["", "  ", "..", "HEAD", "@", "-"])("%j is refused", async (name) => {
    await expect(create(name)).rejects.toEqual(fault("worktree_name"));
    expectNothing();
  });

  it.each(["--help", "-f", "../../../outside", "$(touch x)", "a;b", "a\nb"])(
    "%j does no harm",
    async (name) => {
      const made = await create(name);
      expect(test.registered()).toEqual([made.path]);
      expect(dirname(dirname(made.path))).toBe(join(test.home, "worktrees"));
    },
  );
});

describe("no worktree is made", () => {
  it.each(["--help", "-1", "nowhere", "trunk..trunk", "a b", "x\ny", "HEAD:readme"])(
    "from %j",
    async (base) => {
      await expect(create("x", { base })).rejects.toEqual(fault("base_unknown"));
      expectNothing();
    },
  );

  it("of a folder in no repository", async () => {
    mkdirSync(join(test.root, "plain"));
    const plain = await test.openRepository(join(test.root, "plain"));
    await expect(test.worktrees.create(plain, { name: "x", base: null })).rejects.toEqual(
      fault("no_repository"),
    );
  });

  it("of a repository without a commit", async () => {
    const empty = join(test.root, "empty");
    mkdirSync(empty);
    test.git(empty, "init", "--quiet");
    const id = await test.openRepository(empty);
    await expect(test.worktrees.create(id, { name: "x", base: null })).rejects.toEqual(fault("no_commit"));
  });

  it("without git", async () => {
    test.environment.PATH = join(test.root, "bin");
    await expect(create("x")).rejects.toEqual(fault("git_missing"));
  });

  it("in a place that is a link", async () => {
    mkdirSync(join(test.root, "elsewhere"));
    symlinkSync(join(test.root, "elsewhere"), join(test.home, "worktrees"));
    await expect(create("x")).rejects.toEqual(fault("worktree_place"));
    expectNothing();
    expect(readdirSync(join(test.root, "elsewhere"))).toEqual([]);
  });

  it("when git fails half-way, and nothing of it is left", async () => {
    // The branch is there and the folder not.
    test.wrapGit(
      `case "$*" in *"worktree add"*) "$real" -C '${test.repository}' branch x; exit 9;; esac\nexec "$real" "$@"`,
    );
    await expect(create("x")).rejects.toEqual(fault("git_refused"));
    expectNothing();
    // All of it is there.
    test.wrapGit(`case "$*" in *"worktree add"*) "$real" "$@"; exit 9;; esac\nexec "$real" "$@"`);
    await expect(create("x")).rejects.toEqual(fault("git_refused"));
    expectNothing();
    test.unwrapGit();
    expect((await create("x")).branch).toBe("x");
  });

  it("when git fails, but if it is there all the same and cannot be taken away, it is listed", async () => {
    test.wrapGit(
      `case "$*" in *"worktree add"*) "$real" "$@"; exit 9;; *"worktree remove"*) exit 9;; esac\nexec "$real" "$@"`,
    );
    await expect(create("x")).rejects.toEqual(fault("git_refused"));
    await expect.poll(() => test.opened).toHaveLength(1);
    expect(test.workspaces.list().map(({ name }) => name)).toEqual(["engine", "x"]);
  });

  it("when somebody makes the branch in that moment, and theirs stays", async () => {
    test.wrapGit(
      `case "$*" in *"worktree add"*) "$real" -C '${test.repository}' branch x;; esac\nexec "$real" "$@"`,
    );
    await expect(create("x")).rejects.toEqual(fault("git_refused"));
    expect(test.branches()).toEqual(["trunk", "x"]);
    expect(test.ledger.worktrees.list()).toEqual([]);
  });
});

describe("Holdfast dies", () => {
  /** What a run of Holdfast that dies now leaves in the ledger. */
  function record(name: string): { path: string; branch: string; base: string } {
    const path = join(test.home, "worktrees", "engine-00000000", name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const base = test.git(test.repository, "rev-parse", "HEAD");
    const repository = join(test.repository, ".git");
    test.ledger.worktrees.making({ path, parentWorkspaceId: workspaceId, repository, branch: name, base });
    return { path, branch: name, base };
  }
  const add = ({ path, branch, base }: ReturnType<typeof record>) =>
    test.git(test.repository, "worktree", "add", "--quiet", "-b", branch, path, base);
  const names = () => test.workspaces.list().map(({ name }) => name);

  it("before git was asked: the record goes", async () => {
    record("x");
    test.restart();
    await test.worktrees.settle();
    expectNothing();
    expect(names()).toEqual(["engine"]);
  });

  it("before it was a workspace: it becomes one", async () => {
    const { path } = record("x");
    add({ path, branch: "x", base: "HEAD" });
    test.restart();
    await test.worktrees.settle();
    expect(names()).toEqual(["engine", "x"]);
    expect(test.ledger.worktrees.get(path)).toMatchObject({ state: "made" });
    await test.worktrees.settle();
    expect(names()).toEqual(["engine", "x"]);
  });

  it("while git makes it: it is left alone until git is done", async () => {
    const made = record("x");
    add(made);
    test.git(test.repository, "worktree", "lock", "--reason", "initializing", made.path);
    test.restart();
    await test.worktrees.settle();
    expect(test.registered()).toEqual([made.path]);
    expect(names()).toEqual(["engine"]);
    test.git(test.repository, "worktree", "unlock", made.path);
    expect(test.owed()).toEqual(["worktree_unfinished"]);
    await test.retry();
    expect(test.owed()).toEqual([]);
    expect(names()).toEqual(["engine", "x"]);
  });

  it("while git has made the branch alone: it is left to git, which goes on, or has died with Holdfast", async () => {
    const { path, branch, base } = record("x");
    const other = record("other");
    for (const each of [branch, other.branch]) test.git(test.repository, "branch", each, base);
    test.restart();
    await test.worktrees.settle();
    expect(test.owed()).toEqual(["worktree_unfinished", "worktree_unfinished"]);
    test.git(test.repository, "worktree", "add", "--quiet", path, branch);
    await test.retry();
    expect(names()).toEqual(["engine", "x"]);
    test.clock.advance(30_000);
    await test.retry();
    expect([test.owed(), test.registered(), names()]).toEqual([[], [path], ["engine", "x"]]);
  });

  it("and git with it: what there is of it is taken away after a while", async () => {
    const made = record("x");
    add(made);
    test.git(test.repository, "worktree", "lock", "--reason", "initializing", made.path);
    test.clock.advance(filesLimitMs);
    test.restart();
    await test.worktrees.settle();
    expectNothing();
    expect(existsSync(made.path)).toBe(false);
  });
});
