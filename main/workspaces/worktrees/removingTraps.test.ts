import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gone, TestWorktrees } from "./testWorktrees";
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
const names = () => test.workspaces.list().map(({ name }) => name);

function expectGone(): void {
  expect(test.leftOf(made)).toEqual(gone);
  expect(existsSync(dirname(made.path))).toBe(false);
}

describe("what is recorded as a worktree of ours, and is none", () => {
  /** As if the ledger had said so: with the workspace of that path. */
  function recordAt(path: string): string {
    const { id } = test.workspaces.add({ path, name: "trap", parentId: null });
    const repository = join(test.repository, ".git");
    test.ledger.worktrees.making({ path, parentWorkspaceId: id, repository, branch: "trap", base: "0" });
    test.ledger.worktrees.made(path, id);
    return id;
  }

  it.each([
    ["the main checkout", () => test.repository],
    ["a worktree of somebody else's", () => join(test.root, "foreign")],
    ["the folder of a repository's worktrees", () => dirname(made.path)],
    ["the place of all worktrees", () => join(test.home, "worktrees")],
    ["nothing", () => ""],
    ["dots", () => ".."],
    ["dots after our place", () => `${made.path}/../../../../engine`],
    ["a slash at the end", () => `${test.repository}/`],
    ["deeper in a worktree", () => within("src")],
  ])("%s is not touched", async (_, path) => {
    test.git(test.repository, "worktree", "add", "--quiet", "--detach", join(test.root, "foreign"));
    const before = [test.repository, join(test.root, "foreign"), made.path].map((each) => readdirSync(each));
    const id = recordAt(path());
    for (const discard of [false, true]) {
      await expect(test.worktrees.remove(id, { discard })).rejects.toEqual(fault("not_our_worktree"));
    }
    expect([test.repository, join(test.root, "foreign"), made.path].map((each) => readdirSync(each))).toEqual(
      before,
    );
    expect(test.registered()).toHaveLength(2);
  });

  it("a workspace that is no record's is not touched", async () => {
    const engine = await test.openRepository();
    await expect(test.worktrees.remove(engine, { discard: true })).rejects.toEqual(fault("not_our_worktree"));
    expect(readdirSync(test.repository)).toContain("readme");
  });
});

describe("of record, git's list and folder", () => {
  const dropRecord = () => test.ledger.worktrees.gone(made.path);
  const dropFolder = () => rmSync(made.path, { recursive: true });
  const dropEntry = () => rmSync(join(test.repository, ".git", "worktrees", "x"), { recursive: true });

  it("all: removed", async () => {
    await remove();
    expectGone();
  });

  it("record and list: git's entry goes", async () => {
    dropFolder();
    expect(await check()).toMatchObject({ folder: "gone", changed: { count: 0 } });
    await remove();
    expectGone();
  });

  it("record and folder: the folder stays, and that is told", async () => {
    test.write(within("new"), "work");
    dropEntry();
    expect(await check()).toMatchObject({ folder: "not listed" });
    expect(await remove()).toEqual({ branch: "x", snapshot: null, folderKept: made.path });
    expect(readdirSync(made.path)).toContain("new");
    expect(test.ledger.worktrees.list()).toEqual([]);
    expect(names()).toEqual(["engine"]);
    expect(test.told).toEqual([expect.stringContaining("Its folder stays")]);
  });

  it("record and an empty folder: both go", async () => {
    dropFolder();
    mkdirSync(made.path);
    dropEntry();
    expect(await remove()).toMatchObject({ folderKept: null });
    expectGone();
  });

  it("the record alone: it goes", async () => {
    dropFolder();
    dropEntry();
    await remove();
    expectGone();
  });

  it("the record and a folder of a repository that has gone: the folder stays", async () => {
    renameSync(test.repository, join(test.root, "elsewhere"));
    expect(await remove({ discard: true })).toMatchObject({ folderKept: made.path });
    expect(readdirSync(made.path)).toContain("readme");
  });

  it.each([
    ["list and folder", () => {}],
    ["the list alone", dropFolder],
    ["the folder alone", dropEntry],
    ["none", () => [dropFolder(), dropEntry()]],
  ])("without a record, %s: nothing is touched", async (_, drop) => {
    drop();
    dropRecord();
    const before = [test.registered(), existsSync(within("readme"))];
    await expect(remove({ discard: true })).rejects.toEqual(fault("not_our_worktree"));
    expect([test.registered(), existsSync(within("readme"))]).toEqual(before);
  });
});
