import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TestWorktrees, whole } from "./testWorktrees";
import type { MadeWorktree } from "./worktrees";

let test: TestWorktrees;
let made: MadeWorktree;
let head: string;

beforeEach(async () => {
  test = new TestWorktrees();
  made = await test.make("x");
  test.write(join(made.path, "new"), "committed\n");
  head = test.commit(made.path);
  rmSync(made.path, { recursive: true });
});

afterEach(() => {
  test.remove();
});

const fault = (code: string) => expect.objectContaining({ code });
const recreate = () => test.worktrees.recreate(made.workspaceId);

async function expectThere(): Promise<void> {
  expect(test.leftOf(made)).toEqual(whole);
  expect(readFileSync(join(made.path, "new"), "utf8")).toBe("committed\n");
  expect(test.git(made.path, "rev-parse", "HEAD")).toBe(head);
  expect(await test.workspaces.presentFolder(made.workspaceId)).toBe(made.path);
}

it("a worktree whose folder has gone is made again from its branch", async () => {
  await test.workspaces.refresh(made.workspaceId);
  expect(test.workspaces.get(made.workspaceId).gone).toBe(true);
  await recreate();
  await expectThere();
  expect(test.workspaces.get(made.workspaceId).gone).toBe(false);
});

it("also when git does not list it any more, or an empty folder is in its place", async () => {
  test.git(test.repository, "worktree", "prune");
  mkdirSync(made.path, { recursive: true });
  await recreate();
  await expectThere();
});

it("not over something that is there", async () => {
  test.write(join(made.path, "mine"), "mine\n");
  await expect(recreate()).rejects.toEqual(fault("worktree_there"));
  expect(readFileSync(join(made.path, "mine"), "utf8")).toBe("mine\n");
});

it("not when somebody has locked it, or has its branch elsewhere, or the branch is gone", async () => {
  test.git(test.repository, "worktree", "lock", "--reason", "on a stick", made.path);
  await expect(recreate()).rejects.toEqual(fault("worktree_locked"));
  test.git(test.repository, "worktree", "unlock", made.path);
  test.git(test.repository, "worktree", "prune");
  test.git(test.repository, "checkout", "--quiet", "x");
  await expect(recreate()).rejects.toMatchObject({
    code: "git_refused",
    detail: expect.stringContaining("x"),
  });
  test.git(test.repository, "checkout", "--quiet", "trunk");
  test.git(test.repository, "branch", "--quiet", "-D", "x");
  await expect(recreate()).rejects.toEqual(fault("branch_gone"));
  expect(test.owed()).toEqual([]);
});

it("and one that was cut off in the middle is made anew", async () => {
  test.wrapGit(
    `case "$*" in *"worktree add"*) "$real" "$@"; "$real" -C ${test.repository} worktree lock --reason initializing ${made.path}; rm ${made.path}/new; kill -9 $$;; esac\nexec "$real" "$@"`,
  );
  await expect(recreate()).rejects.toEqual(fault("git_broken"));
  test.unwrapGit();
  test.restart();
  await test.retry();
  await expectThere();
});

it("of a repository that has gone, that is said", async () => {
  renameSync(test.repository, join(test.root, "elsewhere"));
  await expect(recreate()).rejects.toMatchObject({ code: expect.any(String) });
  expect(test.owed()).toEqual([]);
});
