import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

describe("a removal that is cut off", () => {
  const entry = () => join(test.repository, ".git", "worktrees", "x");

  /** As an earlier run has left it; `begun`: it was deleting already. */
  function cutOff(begun: boolean, discard = false): void {
    const { dev, ino } = statSync(made.path, { bigint: true });
    if (begun) test.ledger.worktrees.deleting(made.path, `${dev}:${ino}`);
    test.ledger.cleanups.record({
      id: `worktree:${made.path}`,
      kind: "worktree",
      subject: { path: made.path, workspaceId: made.workspaceId, discard, branch: "x" },
      reason: "",
    });
  }

  it("before anything was deleted goes on", async () => {
    cutOff(false);
    test.restart();
    await test.retry();
    expectGone();
  });

  it("before anything was deleted is given up when something lives there by then", async () => {
    cutOff(false);
    test.restart();
    test.sessions.add(made.workspaceId);
    await test.retry();
    await expectWhole();
    expect(test.told).toEqual([expect.stringContaining("was not removed")]);
  });

  it("before anything was deleted is given up when there is work by then", async () => {
    cutOff(false);
    test.write(within("new"), "work");
    test.restart();
    await test.retry();
    await expectWhole();
  });

  it.each([
    ["a file", () => rmSync(within("readme"))],
    [
      "what git ignores, and by what it knows that",
      () => {
        test.write(within("ignored"), "no work");
        rmSync(within(".gitignore"));
      },
    ],
    ["what makes it a worktree", () => rmSync(within(".git"))],
    ["all of the folder", () => rmSync(made.path, { recursive: true })],
    ["git's entry", () => [rmSync(within(".git")), rmSync(entry(), { recursive: true })]],
    ["all", () => [rmSync(made.path, { recursive: true }), rmSync(entry(), { recursive: true })]],
  ])("after %s was deleted goes on, and until then nothing begins there", async (_, lose) => {
    cutOff(true);
    lose();
    test.restart();
    await expect(test.workspaces.presentFolder(made.workspaceId)).rejects.toEqual(fault("worktree_removing"));
    await test.retry();
    expectGone();
  });

  it("while it was written down that it is owed goes on", async () => {
    cutOff(true);
    test.ledger.cleanups.succeeded(`worktree:${made.path}`);
    test.restart();
    await test.worktrees.settle();
    expectGone();
  });

  it("goes on without what somebody has done in it since", async () => {
    cutOff(true);
    rmSync(within("src"), { recursive: true });
    test.write(within("new"), "work");
    test.restart();
    await test.retry();
    await expectWhole();
    expect(existsSync(within("src", "deep", "file"))).toBe(true);
  });

  it("keeps what was to be discarded once more", async () => {
    test.write(within("a"), "work");
    test.write(within("b"), "work");
    cutOff(true, true);
    rmSync(within("a"));
    test.restart();
    await test.retry();
    expectGone();
    const refs = test.git(test.repository, "for-each-ref", "--format=%(refname)", "refs/holdfast/");
    expect(test.git(test.repository, "ls-tree", "--name-only", refs)).toContain("b");
  });

  it("by git itself is owed, and tried again", async () => {
    test.wrapGit('case "$*" in *"worktree remove"*) kill -9 $$;; esac\nexec "$real" "$@"');
    await expect(remove()).rejects.toEqual(fault("git_broken"));
    expect(test.owed()).toEqual(["git_broken"]);
    await expect(test.workspaces.presentFolder(made.workspaceId)).rejects.toEqual(fault("worktree_removing"));
    test.unwrapGit();
    await test.retry();
    expectGone();
  });

  it("after git has taken it off its list: the rest of the folder is deleted", async () => {
    // As when something writes in the folder while git deletes it.
    test.wrapGit(
      `case "$*" in *"worktree remove"*) rm -r '${entry()}' '${within(".git")}' '${within("readme")}'; exit 255;; esac\nexec "$real" "$@"`,
    );
    await remove();
    test.unwrapGit();
    expectGone();
  });

  it("leaves a folder that has come in its place", async () => {
    cutOff(true);
    rmSync(entry(), { recursive: true });
    renameSync(made.path, join(test.root, "moved"));
    test.write(within("other"), "somebody else's");
    test.restart();
    await test.retry();
    expect(readdirSync(made.path)).toEqual(["other"]);
    expect(test.ledger.worktrees.list()).toEqual([]);
  });
});
