import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestWorktrees } from "./testWorktrees";
import type { MadeWorktree } from "./worktrees";

let test: TestWorktrees;
let made: MadeWorktree;

beforeEach(async () => {
  test = new TestWorktrees();
  // Who the person is, as git has to know it for a commit of theirs.
  writeFileSync(join(test.root, "person", ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  test.write(join(test.repository, "other"), "other\n");
  test.commit();
  made = await test.make("x");
});

afterEach(() => {
  test.remove();
});

const fault = (code: string) => expect.objectContaining({ code });
const look = () => test.worktrees.checkMerge(made.workspaceId);
const merge = (part: Partial<Parameters<typeof test.worktrees.merge>[1]> = {}) =>
  test.worktrees.merge(made.workspaceId, { commit: null, into: "trunk", evenAtWork: false, ...part });
const inMain = (name: string) => readFileSync(join(test.repository, name), "utf8");
const main = (...args: string[]) => test.git(test.repository, ...args);
/** Everything of the main checkout that a person could tell a change by. */
const stateOfMain = () => [
  main("rev-parse", "HEAD"),
  main("symbolic-ref", "HEAD"),
  main("status", "--porcelain=v2", "--branch"),
  main("stash", "list"),
  existsSync(join(test.repository, ".git", "MERGE_HEAD")),
];

function commitInWorktree(file: string, text: string): string {
  test.write(join(made.path, file), text);
  return test.commit(made.path);
}

describe("a worktree's branch is merged into that of the main checkout", () => {
  it("by going forward where the other branch has nothing of its own", async () => {
    const head = commitInWorktree("readme", "changed\n");
    expect(await look()).toMatchObject({
      branch: "x",
      into: "trunk",
      mainPath: test.repository,
      ahead: { count: 1, first: [{ sha: head, subject: "work" }] },
      behind: 0,
      atWork: [],
    });
    expect(await merge()).toEqual({ into: "trunk", commits: 1, head, committed: null });
    expect([main("rev-parse", "HEAD"), inMain("readme"), test.owed()]).toEqual([head, "changed\n", []]);
    // Nothing is removed by itself.
    expect(existsSync(made.path)).toBe(true);
  });

  it("with a merge commit otherwise, and other files of the person's stay as they are", async () => {
    const head = commitInWorktree("readme", "changed\n");
    test.write(join(test.repository, "other"), "theirs\n");
    test.commit();
    test.write(join(test.repository, "other"), "not committed\n");
    test.write(join(test.repository, "new"), "untracked\n");
    expect(await look()).toMatchObject({ behind: 1, mainChanged: { count: 2, first: ["other", "new"] } });
    await merge();
    expect(main("log", "-1", "--format=%s")).toBe("Merge branch 'x' into trunk");
    expect(main("rev-parse", "HEAD^2")).toBe(head);
    expect([inMain("readme"), inMain("other"), inMain("new")]).toEqual([
      "changed\n",
      "not committed\n",
      "untracked\n",
    ]);
  });

  it("with what is not committed, if that is wished, and without it otherwise", async () => {
    test.write(join(made.path, "readme"), "changed\n");
    test.write(join(made.path, "new"), "new\n");
    expect(await look()).toMatchObject({
      changed: { count: 1 },
      untracked: { count: 1 },
      ahead: { count: 0 },
    });
    await expect(merge()).rejects.toEqual(fault("merge_nothing"));
    const { committed } = await merge({ commit: "Do it\n\nWell." });
    expect(committed).toEqual({ sha: main("rev-parse", "HEAD"), branch: "x", files: 2 });
    expect(main("log", "-1", "--format=%B").trim()).toBe("Do it\n\nWell.");
    expect([inMain("readme"), inMain("new")]).toEqual(["changed\n", "new\n"]);
  });
});

describe("nothing is merged, and everything is as it was,", () => {
  it.each([
    ["told before any file is touched", ""],
    ["with a git that cannot tell before", 'case "$*" in *merge-tree*) exit 129;; esac\nexec "$real" "$@"'],
  ])("with conflicts, %s", async (_, wrapper) => {
    commitInWorktree("readme", "ours\n");
    test.write(join(test.repository, "readme"), "theirs\n");
    test.commit();
    test.write(join(test.repository, "other"), "not committed\n");
    const before = stateOfMain();
    if (wrapper !== "") test.wrapGit(wrapper);
    await expect(merge()).rejects.toMatchObject({
      code: "merge_conflict",
      message: expect.stringContaining("in readme."),
      detail: "readme",
    });
    test.unwrapGit();
    expect(stateOfMain()).toEqual(before);
    expect([inMain("readme"), inMain("other"), test.owed()]).toEqual(["theirs\n", "not committed\n", []]);
  });

  it("when it would change a file that is not committed in the main checkout", async () => {
    commitInWorktree("readme", "ours\n");
    test.write(join(test.repository, "readme"), "in the middle of it\n");
    const before = stateOfMain();
    await expect(merge()).rejects.toMatchObject({
      code: "merge_refused",
      detail: expect.stringContaining("readme"),
    });
    expect([stateOfMain(), inMain("readme")]).toEqual([before, "in the middle of it\n"]);
  });

  it("when it conflicts with what was not committed: that is committed by then, and it is said where", async () => {
    test.write(join(made.path, "readme"), "ours\n");
    test.write(join(test.repository, "readme"), "theirs\n");
    test.commit();
    const before = stateOfMain();
    const said = await merge({ commit: "Do it" }).catch((error: unknown) => error);
    const sha = test.git(made.path, "rev-parse", "HEAD").slice(0, 7);
    expect(said).toMatchObject({
      code: "merge_conflict",
      hint: expect.stringContaining(
        `The file that was not committed is commit ${sha} on “x” now; that stays.`,
      ),
    });
    expect(test.git(made.path, "status", "--porcelain")).toBe("");
    test.write(join(made.path, "new"), "new\n");
    test.write(join(test.repository, "new"), "in the way\n");
    main("reset", "--quiet", "--hard", "HEAD~");
    const refused = await merge({ commit: "More" }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "merge_refused",
      message: "git did not merge it. “trunk” is as it was.",
      hint: expect.stringContaining("commit"),
    });
    expect(before).not.toEqual(stateOfMain());
  });

  it("when another branch is checked out than the person has seen, or none, or a merge is under way", async () => {
    commitInWorktree("readme", "ours\n");
    main("checkout", "--quiet", "-b", "else");
    await expect(merge()).rejects.toEqual(fault("merge_changed"));
    main("checkout", "--quiet", "--detach");
    await expect(look()).rejects.toEqual(fault("merge_main_branch"));
    main("checkout", "--quiet", "trunk");
    writeFileSync(join(test.repository, ".git", "MERGE_HEAD"), main("rev-parse", "HEAD"));
    await expect(merge()).rejects.toEqual(fault("merge_in_progress"));
  });

  it("with conflicts in the worktree that are not solved, if what is not committed is to be committed", async () => {
    const head = commitInWorktree("readme", "ours\n");
    test.write(join(test.repository, "readme"), "theirs\n");
    test.commit();
    // As the hint of a conflict says: the other branch is merged here first.
    expect(() => test.git(made.path, "merge", "--quiet", "trunk")).toThrow();
    const before = stateOfMain();
    await expect(merge({ commit: "Do it" })).rejects.toMatchObject({
      code: "merge_unsolved",
      detail: "readme",
    });
    expect([stateOfMain(), test.git(made.path, "rev-parse", "HEAD")]).toEqual([before, head]);
    expect(test.git(made.path, "status", "--porcelain")).toBe("UU readme");
    // Solved, it is that merge that is committed, and it becomes a part of the other branch.
    test.write(join(made.path, "readme"), "both\n");
    test.git(made.path, "add", "readme");
    await merge({ commit: "Do it" });
    expect([inMain("readme"), main("rev-parse", "HEAD^1")]).toEqual(["both\n", head]);
  });

  it("with conflicts in the main checkout that are not solved, of whatever", async () => {
    commitInWorktree("new", "new\n");
    test.write(join(test.repository, "readme"), "put aside\n");
    main("stash");
    test.write(join(test.repository, "readme"), "theirs\n");
    test.commit();
    expect(() => main("stash", "pop")).toThrow();
    const before = stateOfMain();
    await expect(look()).rejects.toMatchObject({ code: "merge_in_progress", detail: "readme" });
    await expect(merge()).rejects.toEqual(fault("merge_in_progress"));
    expect(stateOfMain()).toEqual(before);
  });

  it("while something is at work, unless the person knows of it", async () => {
    commitInWorktree("readme", "ours\n");
    test.atWork.add(await test.openRepository());
    expect(await look()).toMatchObject({ atWork: [{ where: "main", names: ["the thread “Busy”"] }] });
    await expect(merge()).rejects.toMatchObject({
      code: "merge_at_work",
      message: "At work: the thread “Busy” in the main checkout.",
    });
    await merge({ evenAtWork: true });
    expect(inMain("readme")).toBe("ours\n");
  });

  it("where the repository names programs of its own for it, or for its files", async () => {
    commitInWorktree("readme", "ours\n");
    main("config", "merge.theirs.driver", "touch ran");
    await expect(merge()).rejects.toEqual(fault("merge_programs"));
    main("config", "--unset", "merge.theirs.driver");
    main("config", "filter.crypt.clean", "touch ran");
    await expect(merge()).rejects.toEqual(fault("merge_programs"));
  });

  it("without a name for the person, what git says is told, and nothing is lost", async () => {
    writeFileSync(join(test.root, "person", ".gitconfig"), "[user]\n\tuseConfigOnly = true\n");
    test.write(join(made.path, "new"), "new\n");
    await expect(merge({ commit: "Do it" })).rejects.toEqual(fault("git_refused"));
    expect(readFileSync(join(made.path, "new"), "utf8")).toBe("new\n");
  });
});

describe("a merge that is cut off", () => {
  it("in its conflicts is taken back at the next start", async () => {
    commitInWorktree("readme", "ours\n");
    test.write(join(test.repository, "readme"), "theirs\n");
    test.commit();
    const before = stateOfMain();
    // git merges, and dies with Holdfast before anything else is asked of it.
    test.wrapGit(
      'case "$*" in *merge-tree*) exit 129;; *"merge --abort"*|*"merge-base"*) kill -9 $$;; esac\nexec "$real" "$@"',
    );
    await expect(merge()).rejects.toEqual(fault("git_broken"));
    expect(existsSync(join(test.repository, ".git", "MERGE_HEAD"))).toBe(true);
    test.unwrapGit();
    test.restart();
    await test.retry();
    expect([stateOfMain(), test.owed()]).toEqual([before, []]);
    expect(test.told).toEqual([expect.stringContaining("was cut off")]);
  });

  it("after it was done is only told", async () => {
    const head = commitInWorktree("readme", "ours\n");
    test.wrapGit(
      'case "$*" in *" merge --ff"*) "$real" "$@"; kill -9 $$;; *"merge-base"*) kill -9 $$;; esac\nexec "$real" "$@"',
    );
    await expect(merge()).rejects.toMatchObject({ retryable: true });
    test.unwrapGit();
    test.restart();
    await test.retry();
    expect([main("rev-parse", "HEAD"), test.owed()]).toEqual([head, []]);
    expect(test.told).toEqual([expect.stringContaining("is merged into trunk")]);
  });

  it("does not touch a merge of the person's own", async () => {
    const head = commitInWorktree("readme", "ours\n");
    const mergeHead = join(test.repository, ".git", "MERGE_HEAD");
    test.ledger.cleanups.record({
      id: `merge:${made.path}`,
      kind: "worktree merge",
      subject: {
        path: made.path,
        branch: "x",
        into: "trunk",
        mainPath: test.repository,
        head,
        intoHead: main("rev-parse", "HEAD"),
      },
      reason: "It was cut off.",
    });
    writeFileSync(mergeHead, `${main("rev-parse", "HEAD")}\n`);
    test.restart();
    await test.retry();
    expect([existsSync(mergeHead), test.owed()]).toEqual([true, []]);
  });
});
