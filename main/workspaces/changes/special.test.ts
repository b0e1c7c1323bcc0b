// Changes in repositories with something special about them: sparse checkouts, entries of the index that no tree has, merges
// under way, programs that say too much, and names that changed from a file to a folder.

import { linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { notMoved } from "./moving";
import { linesOf, TestRepository } from "./testRepository";

let repository: TestRepository;
beforeEach(() => {
  repository = new TestRepository();
});
afterEach(() => repository.remove());

function hook(name: string, script: string): void {
  repository.program(name, script);
  repository.git("config", "core.hooksPath", join(repository.base, "bin"));
}

function commit(message: string, what: "staged" | "everything") {
  return repository.changes.commit("w", crypto.randomUUID(), { message, what, amend: false });
}

describe("a commit of everything that a hook refuses", () => {
  test("leaves a sparse checkout sparse", async () => {
    repository.write("in/file", "1\n");
    repository.write("out/file", "1\n");
    repository.commit();
    repository.git("sparse-checkout", "set", "--cone", "in");
    repository.write("in/file", "2\n");
    hook("pre-commit", "exit 1");
    await expect(commit("x", "everything")).rejects.toMatchObject({ code: "commit_refused" });
    expect(repository.git("ls-files", "-t")).toBe("H in/file\nS out/file");
    expect(repository.git("status", "--porcelain")).toBe("M in/file");
  });

  test("keeps what is only announced, and what is said to be unchanged", async () => {
    repository.write("file", "1\n");
    repository.write("held", "1\n");
    repository.commit();
    repository.git("update-index", "--assume-unchanged", "held");
    repository.write("new", "1\n");
    repository.git("add", "--intent-to-add", "new");
    repository.write("file", "2\n");
    hook("pre-commit", "exit 1");
    await expect(commit("x", "everything")).rejects.toMatchObject({ code: "commit_refused" });
    expect(repository.git("ls-files", "-v")).toBe("H file\nh held\nH new");
    expect(repository.git("diff", "--cached", "--name-only")).toBe("");
  });

  test("leaves nothing staged where nothing was ever", async () => {
    repository.write("file", "1\n");
    hook("pre-commit", "exit 1");
    await expect(commit("x", "everything")).rejects.toMatchObject({ code: "commit_refused" });
    expect(repository.git("status", "--porcelain")).toBe("?? file");
    expect(repository.has(".git/index.lock")).toBe(false);
  });

  test("is put back when the hook itself holds the index for a moment", async () => {
    repository.write("file", "1\n");
    repository.commit();
    repository.write("file", "2\n");
    hook("pre-commit", "(sleep 0.6; rm .git/index.lock) >/dev/null 2>&1 & touch .git/index.lock; exit 1");
    await expect(commit("x", "everything")).rejects.toMatchObject({ code: "commit_refused" });
    expect(repository.git("status", "--porcelain")).toBe("M file");
  });
});

test("everything is not committed while there are conflicts, and they stay", async () => {
  repository.write("file", "1\n");
  repository.commit();
  repository.git("checkout", "--quiet", "-b", "other");
  repository.write("file", "2\n");
  repository.commit();
  repository.git("checkout", "--quiet", "trunk");
  repository.write("file", "3\n");
  repository.commit();
  expect(() => repository.git("merge", "--quiet", "other")).toThrow();
  await expect(commit("x", "everything")).rejects.toMatchObject({ code: "has_conflicts" });
  expect(repository.git("status", "--porcelain")).toBe("UU file");
});

test("a message is kept in the letters that it has, whatever git is set to", async () => {
  repository.git("config", "i18n.commitEncoding", "ISO-8859-1");
  repository.write("file", "1\n");
  expect(await commit("Grüße, 漢字", "everything")).toMatchObject({ subject: "Grüße, 漢字" });
});

test("a hook may say a lot in one line: the end of it is kept, and nothing waits", async () => {
  hook(
    "pre-commit",
    "i=0; while [ $i -lt 2000 ]; do printf 'a-a-a-a-a-a-a-a-äöü漢字-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a'; i=$((i+1)); done",
  );
  repository.write("file", "1\n");
  const { output } = await commit("x", "everything");
  expect(output.length).toBeLessThanOrEqual(64 * 1024);
  expect(output).toContain("äöü漢字");
  expect(output).not.toContain("\ufffd");
});

test("a new file outside of a sparse checkout is shown, and told why it is not staged", async () => {
  repository.write("in/file", "1\n");
  repository.write("out/file", "1\n");
  repository.commit();
  repository.git("sparse-checkout", "set", "--cone", "in");
  repository.write("out/new", "1\n");
  expect(linesOf(await repository.diff("out/new", "unstaged"))).toEqual(["+1"]);
  await expect(repository.changes.stage("w", ["out/new"])).rejects.toMatchObject({
    code: "outside_sparse",
    message: expect.stringContaining("out/new"),
  });
});

test("a file comes back where an empty folder is, and not where something is in it", async () => {
  repository.write("thing", "1\n");
  repository.commit();
  rmSync(join(repository.root, "thing"));
  mkdirSync(join(repository.root, "thing", "inner"), { recursive: true });
  await expect(repository.changes.discard("w", ["thing"])).rejects.toMatchObject({
    code: "folder_in_the_way",
  });
  rmSync(join(repository.root, "thing", "inner"), { recursive: true });
  await repository.changes.discard("w", ["thing"]);
  expect(readFileSync(join(repository.root, "thing"), "utf8")).toBe("1\n");
});

describe("what was discarded is brought back", () => {
  test("over a file that git has written anew meanwhile", async () => {
    repository.write("file", "1\n");
    repository.commit();
    repository.write("file", "2\n");
    const id = await repository.changes.discard("w", ["file"]);
    rmSync(join(repository.root, "file"));
    repository.git("checkout", "file");
    await repository.changes.undoDiscard("w", id);
    expect(readFileSync(join(repository.root, "file"), "utf8")).toBe("2\n");
  });

  test("once more, where it was cut off with a file under both of its names", async () => {
    for (const name of ["file", "other"]) repository.write(name, "1\n");
    repository.commit();
    for (const name of ["file", "other"]) repository.write(name, "2\n");
    const id = await repository.changes.discard("w", ["file", "other"]);
    const { store = "", entries = [] } = repository.ledger.discards.get(id) ?? {};
    const kept = entries.find(({ path }) => path === "file")?.kept ?? "";
    rmSync(join(repository.root, "file"));
    linkSync(join(store, kept), join(repository.root, "file"));
    await repository.changes.undoDiscard("w", id);
    for (const name of ["file", "other"])
      expect(readFileSync(join(repository.root, name), "utf8")).toBe("2\n");
    expect(await repository.changes.discards("w")).toEqual([]);
  });

  test("never over a file that git only passes over, not after a crash either", async () => {
    repository.write("held", "1\n");
    repository.commit();
    repository.write("held", "2\n");
    repository.write("new", "1\n");
    const id = await repository.changes.discard("w", ["held", "new"]);
    const { discards } = repository.ledger;
    const entries = discards.get(id)?.entries ?? [];
    // As a crash has left it.
    discards.setEntries(
      id,
      entries.map((entry) => ({ ...entry, left: null })),
    );
    repository.git("update-index", "--assume-unchanged", "held");
    repository.write(".gitignore", "new\n");
    for (const name of ["held", "new"]) {
      rmSync(join(repository.root, name), { force: true });
      repository.write(name, "made since\n");
      await expect(repository.changes.undoDiscard("w", id)).rejects.toMatchObject({
        code: "changed_meanwhile",
      });
      expect(readFileSync(join(repository.root, name), "utf8")).toBe("made since\n");
      rmSync(join(repository.root, name));
    }
    await repository.changes.undoDiscard("w", id);
    expect(readFileSync(join(repository.root, "new"), "utf8")).toBe("1\n");
  });
});

test("a file that is not moved since the disk is full, as the system says it", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, copyfile"), { code: "ENOSPC" });
  expect(notMoved("/there/file", full)).toMatchObject({
    code: "disk_full",
    retryable: true,
    path: "/there/file",
  });
  expect(notMoved("/there/file", new Error("no"))).toMatchObject({ code: "file_not_moved" });
});
