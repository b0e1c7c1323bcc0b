import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../../fault";
import { gone, TestWorktrees, whole } from "./testWorktrees";
import type { MadeWorktree } from "./worktrees";

let test: TestWorktrees;
let made: MadeWorktree;

beforeEach(async () => {
  test = new TestWorktrees();
  test.write(join(test.repository, ".gitignore"), "ignored\n");
  test.write(join(test.repository, "src", "deep", "file"), "deep\n");
  test.commit();
  made = await test.make("x");
});

afterEach(() => {
  test.remove();
});

const remove = (how: { discard: boolean } = { discard: false }) =>
  test.worktrees.remove(made.workspaceId, how);
const check = () => test.worktrees.check(made.workspaceId);
const fault = (code: string) => expect.objectContaining({ code });
const within = (...segments: string[]) => join(made.path, ...segments);

function expectGone(): void {
  expect(test.leftOf(made)).toEqual(gone);
  expect(existsSync(dirname(made.path))).toBe(false);
}

/** It is as it was, and work can begin in it. */
async function expectWhole(): Promise<void> {
  expect(test.leftOf(made)).toEqual(whole);
  expect(await test.workspaces.presentFolder(made.workspaceId)).toBe(made.path);
}

describe("a worktree is removed", () => {
  it("when it is clean", async () => {
    test.write(within("ignored"), "no work");
    expect(await remove()).toEqual({ branch: "x", snapshot: null, folderKept: null });
    expectGone();
    expect([test.closed, test.told]).toEqual([[made.workspaceId], []]);
  });

  it("with commits of its own, which are on its branch", async () => {
    test.commit(made.path);
    const head = test.commit(made.path);
    expect(await check()).toMatchObject({
      branch: "x",
      unmerged: { count: 2, first: [{ sha: head, subject: "work" }, {}] },
    });
    await remove();
    expectGone();
    expect(test.git(test.repository, "rev-parse", "x")).toBe(head);
  });

  it("not with changed or untracked files, unless they are to be discarded", async () => {
    test.write(within("readme"), "changed\n");
    test.write(within("new", "file"), "untracked\n");
    test.write(within("ignored"), "no work");
    rmSync(within("src", "deep", "file"));
    expect(await check()).toEqual({
      branch: "x",
      changed: { count: 2, first: ["readme", "src/deep/file"] },
      untracked: { count: 1, first: ["new/file"] },
      ignored: { count: 1, first: ["ignored"] },
      unmerged: { count: 0, first: [] },
      folder: "there",
    });
    await expect(remove()).rejects.toEqual(
      expect.objectContaining({
        code: "worktree_has_work",
        message: expect.stringContaining("2 changed files, 1 untracked file"),
      }),
    );
    await expectWhole();
    const { snapshot } = await remove({ discard: true });
    expectGone();
    expect(snapshot).toBe("refs/holdfast/removed/x-20231114-221320");
    expect(test.told).toEqual([`The worktree x is removed. What was in it is kept as ${snapshot}.`]);
    const kept = (path: string) => test.git(test.repository, "show", `${snapshot}:${path}`);
    expect([kept("readme"), kept("new/file")]).toEqual(["changed", "untracked"]);
    expect(test.git(test.repository, "ls-tree", "-r", "--name-only", String(snapshot)).split("\n")).toEqual([
      ".gitignore",
      "new/file",
      "readme",
    ]);
    expect(test.git(test.repository, "rev-parse", `${snapshot}^`)).toBe(
      test.git(test.repository, "rev-parse", "x"),
    );
  });

  it("with what was staged and is in no file any more", async () => {
    test.write(within("readme"), "staged\n");
    test.git(made.path, "add", "readme");
    test.write(within("readme"), "on disk\n");
    const { snapshot } = await remove({ discard: true });
    const kept = (commit: string) => test.git(test.repository, "show", `${commit}:readme`);
    expect([kept(`${snapshot}`), kept(`${snapshot}^2`), kept(`${snapshot}^1`)]).toEqual([
      "on disk",
      "staged",
      "hello",
    ]);
  });

  it("in the middle of a merge with conflicts", async () => {
    test.write(within("readme"), "mine\n");
    test.commit(made.path);
    test.write(join(test.repository, "readme"), "theirs\n");
    test.commit();
    expect(() => test.git(made.path, "merge", "trunk")).toThrow();
    await expect(remove()).rejects.toEqual(fault("worktree_has_work"));
    const { snapshot } = await remove({ discard: true });
    expect(test.git(test.repository, "show", `${snapshot}:readme`)).toContain("<<<<<<<");
    expectGone();
  });

  it("with commits on no branch", async () => {
    test.git(made.path, "checkout", "--quiet", "--detach");
    const head = test.commit(made.path);
    expect(await check()).toMatchObject({ branch: null, unmerged: { count: 1 } });
    await expect(remove()).rejects.toEqual(fault("worktree_has_work"));
    const { snapshot } = await remove({ discard: true });
    expect(test.git(test.repository, "rev-parse", `${snapshot}^`)).toBe(head);
    expectGone();
  });

  it("before its first commit on another branch", async () => {
    test.git(made.path, "checkout", "--quiet", "--orphan", "fresh");
    await expect(remove()).rejects.toEqual(fault("worktree_has_work"));
    const { snapshot } = await remove({ discard: true });
    expect(test.git(test.repository, "show", `${snapshot}:readme`)).toBe("hello");
  });

  it("with changes that git was told not to look at", async () => {
    test.git(made.path, "update-index", "--assume-unchanged", "readme");
    test.git(made.path, "update-index", "--skip-worktree", "src/deep/file");
    expect(await check()).toMatchObject({ changed: { count: 0 } });
    test.write(within("readme"), "hidden\n");
    test.write(within("src", "deep", "file"), "hidden too\n");
    expect(test.git(made.path, "status", "--porcelain")).toBe("");
    expect(await check()).toMatchObject({ changed: { count: 2, first: ["readme", "src/deep/file"] } });
    await expect(remove()).rejects.toEqual(fault("worktree_has_work"));
    const { snapshot } = await remove({ discard: true });
    expect(test.git(test.repository, "show", `${snapshot}:src/deep/file`)).toBe("hidden too");
    expectGone();
  });

  it("when it is sparse, with what is outside of it", async () => {
    test.git(made.path, "sparse-checkout", "set", "--cone", "src");
    await expectWhole();
    test.write(within("else", "file"), "outside\n");
    expect(await check()).toMatchObject({ changed: { count: 0 }, untracked: { count: 1 } });
    const { snapshot } = await remove({ discard: true });
    expect(test.git(test.repository, "show", `${snapshot}:else/file`)).toBe("outside");
    expect(test.git(test.repository, "show", `${snapshot}:readme`)).toBe("hello");
    expectGone();
  });

  it("and its links are not followed", async () => {
    test.write(join(test.root, "outside", "file"), "precious");
    symlinkSync(join(test.root, "outside"), within("link"));
    symlinkSync(join(test.root, "outside"), within("ignored"));
    const { snapshot } = await remove({ discard: true });
    expect(readdirSync(join(test.root, "outside"))).toEqual(["file"]);
    expect(test.git(test.repository, "cat-file", "-p", `${snapshot}:link`)).toBe(join(test.root, "outside"));
    expectGone();
  });

  it("whatever the person has told git not to show", async () => {
    test.git(made.path, "config", "status.showUntrackedFiles", "no");
    test.write(within("new"), "untracked\n");
    await expect(remove()).rejects.toEqual(fault("worktree_has_work"));
    await expectWhole();
  });

  it("once, when it is asked for twice", async () => {
    const both = await Promise.all([remove(), remove()]);
    expect(both).toEqual([both[0], both[0]]);
    expectGone();
    await expect(remove()).rejects.toEqual(fault("not_our_worktree"));
  });

  it("and its empty `.git` of a sandbox is no repository", async () => {
    mkdirSync(within("src", ".git"));
    mkdirSync(within(".codex"));
    await remove();
    expectGone();
  });
});

describe("a worktree is not touched", () => {
  it("while something is at work there, or in a folder of it", async () => {
    test.atWork.add(made.workspaceId);
    await expect(remove()).rejects.toMatchObject({
      code: "worktree_at_work",
      message: "At work in this worktree: the thread “Busy”.",
    });
    test.atWork.clear();
    test.atWork.add((await test.workspaces.open(within("src"))).id);
    await expect(remove({ discard: true })).rejects.toEqual(fault("worktree_at_work"));
    expect(existsSync(within("readme"))).toBe(true);
    test.atWork.clear();
    await remove();
    expect(existsSync(made.path)).toBe(false);
  });

  it.runIf(process.platform === "linux")("while a program works in it, which is named", async () => {
    const child = spawn("sleep", ["600"], { cwd: within("src", "deep"), stdio: "ignore" });
    try {
      await once(child, "spawn");
      await expect(remove({ discard: true })).rejects.toMatchObject({
        code: "worktree_in_use",
        message: expect.stringContaining(`sleep (process ${child.pid})`),
      });
      await expectWhole();
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await remove();
    expectGone();
  });

  it("while its codex cannot be ended", async () => {
    test.whileClosing = async () => new Fault("still_there", "It does not end.");
    await expect(remove()).rejects.toEqual(fault("still_there"));
    await expectWhole();
  });

  it("and nothing begins in it while it is being removed", async () => {
    const asked: unknown[] = [];
    test.whileClosing = async (id) => {
      asked.push(await test.workspaces.presentFolder(id).catch((error: Fault) => error.code));
      test.write(within("late"), "written by a turn that was being ended");
      return null;
    };
    await expect(remove()).rejects.toEqual(fault("worktree_has_work"));
    expect(asked).toEqual(["worktree_removing"]);
    await expectWhole();
  });

  it("when work arrives after the look", async () => {
    test.wrapGit(
      `case "$*" in *"worktree remove"*) echo late > '${within("late")}';; esac\nexec "$real" "$@"`,
    );
    await expect(remove()).rejects.toEqual(fault("worktree_has_work"));
    test.unwrapGit();
    await expectWhole();
    expect(existsSync(within("late"))).toBe(true);
  });

  it("when it is locked", async () => {
    test.git(test.repository, "worktree", "lock", "--reason", "on a stick", made.path);
    await expect(remove({ discard: true })).rejects.toEqual(
      expect.objectContaining({ code: "worktree_locked", detail: "on a stick" }),
    );
    await expectWhole();
    rmSync(made.path, { recursive: true });
    await expect(remove()).rejects.toEqual(fault("worktree_locked"));
  });

  it("when another repository is in it, for that would be lost", async () => {
    test.makeRepository(within("clone"));
    await expect(remove({ discard: true })).rejects.toEqual(fault("worktree_has_repositories"));
    await expectWhole();
  });

  it("when another worktree is in it", async () => {
    test.git(made.path, "worktree", "add", "--quiet", "--detach", within("ignored"));
    await expect(remove({ discard: true })).rejects.toEqual(fault("worktree_has_repositories"));
    expect(existsSync(within("ignored", "readme"))).toBe(true);
  });

  it("when a submodule is checked out in it; one that is not is no hindrance", async () => {
    const library = test.makeRepository(join(test.root, "library"));
    const file = ["-c", "protocol.file.allow=always"];
    test.git(test.repository, ...file, "submodule", "--quiet", "add", library, "library");
    test.commit();
    made = await test.make("y");
    expect(readdirSync(within("library"))).toEqual([]);
    test.git(made.path, ...file, "submodule", "--quiet", "update", "--init");
    await expect(remove({ discard: true })).rejects.toEqual(fault("worktree_has_repositories"));
    expect(existsSync(within("library", "readme"))).toBe(true);
    made = await test.make("z");
    await remove();
    expect(existsSync(made.path)).toBe(false);
  });

  it("when a link has taken its place", async () => {
    const moved = join(test.root, "moved");
    renameSync(made.path, moved);
    symlinkSync(moved, made.path);
    await expect(remove({ discard: true })).rejects.toEqual(fault("worktree_replaced"));
    expect(readdirSync(moved)).toContain("readme");
    rmSync(made.path);
    symlinkSync(test.repository, made.path);
    await expect(remove({ discard: true })).rejects.toEqual(fault("worktree_replaced"));
    expect(readdirSync(test.repository)).toContain("readme");
  });

  it("when a link leads to its place", async () => {
    const parent = dirname(made.path);
    renameSync(parent, join(test.root, "moved"));
    symlinkSync(join(test.root, "moved"), parent);
    await expect(remove({ discard: true })).rejects.toEqual(fault("worktree_replaced"));
    expect(readdirSync(join(test.root, "moved", "x"))).toContain("readme");
  });

  it("when another repository has taken its place", async () => {
    rmSync(made.path, { recursive: true });
    test.makeRepository(made.path);
    await expect(remove({ discard: true })).rejects.toEqual(fault("worktree_not_recognised"));
    expect(readdirSync(made.path)).toContain("readme");
  });

  it("when its `.git` is gone, while git still lists it", async () => {
    rmSync(within(".git"));
    test.write(within("late"), "work");
    await expect(remove({ discard: true })).rejects.toEqual(fault("worktree_not_recognised"));
    expect(readdirSync(made.path)).toContain("late");
    rmSync(made.path, { recursive: true });
    await remove();
    expectGone();
  });

  it("when its workspace is somewhere else now", async () => {
    const moved = join(test.root, "moved");
    test.git(test.repository, "worktree", "move", made.path, moved);
    await test.workspaces.relocate(made.workspaceId, moved);
    await expect(remove({ discard: true })).rejects.toEqual(fault("not_our_worktree"));
    await expect(check()).rejects.toEqual(fault("not_our_worktree"));
    expect(readdirSync(moved)).toContain("readme");
  });

  it("when what is in it cannot be kept", async () => {
    test.write(within("new"), "work");
    test.wrapGit('case "$*" in *" add --all"*) exit 128;; esac\nexec "$real" "$@"');
    await expect(remove({ discard: true })).rejects.toEqual(fault("worktree_not_kept"));
    test.unwrapGit();
    await expectWhole();
  });

  it("when git is not installed", async () => {
    test.environment.PATH = join(test.root, "bin");
    await expect(remove()).rejects.toEqual(fault("git_missing"));
    test.unwrapGit();
    await expectWhole();
  });
});
