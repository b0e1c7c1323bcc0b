import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fields } from "./fields";
import { StatusReader } from "./status";
import { TestRepository } from "./testRepository";

let repository: TestRepository;

beforeEach(() => {
  repository = new TestRepository();
});

afterEach(() => repository.remove());

const nothing = { oldPath: null, added: null, removed: null, binary: false, modes: null, bytes: null };

describe("the list of changes", () => {
  test("a repository without a commit", async () => {
    repository.write("new", "one\ntwo");
    repository.write("staged", "one\n");
    repository.git("add", "staged");
    const list = await repository.list();
    expect(list).toMatchObject({ root: repository.root, prefix: "", branch: "trunk", head: null, more: 0 });
    expect(list).toMatchObject({ upstream: null, remotes: [], operation: null });
    expect(list.files).toEqual([
      {
        path: "staged",
        exactName: true,
        staged: { ...nothing, kind: "added", added: 1, removed: 0 },
        unstaged: null,
        conflict: null,
        submodule: false,
        repository: false,
      },
      expect.objectContaining({
        path: "new",
        unstaged: { ...nothing, kind: "untracked", added: 2, removed: 0, bytes: 7 },
      }),
    ]);
  });

  test("each kind of change, staged and not", async () => {
    for (const name of ["both", "gone", "gone staged", "mode", "moved", "kind"]) {
      repository.write(name, `${name}\nhas\nsome\nlines\n`);
    }
    repository.write("picture", Buffer.from([0, 1, 2]));
    repository.commit("first\n\nwith more");
    repository.write("both", "both\nhas\nmore\nlines\n");
    repository.git("add", "both");
    repository.write("both", "both\nhas\nmore\nlines\nand one\n");
    rmSync(join(repository.root, "gone"));
    repository.git("rm", "--quiet", "gone staged");
    repository.git("mv", "moved", "moved away");
    repository.write("picture", Buffer.from([0, 1, 3]));
    repository.git("update-index", "--chmod=+x", "mode");
    rmSync(join(repository.root, "kind"));
    symlinkSync("both", join(repository.root, "kind"));
    const list = await repository.list();
    expect(list.head).toMatchObject({ message: "first\n\nwith more", isPushed: false });
    const seen = new Map(list.files.map(({ path, staged, unstaged }) => [path, { staged, unstaged }]));
    expect(seen.get("both")).toEqual({
      staged: { ...nothing, kind: "modified", added: 1, removed: 1 },
      unstaged: { ...nothing, kind: "modified", added: 1, removed: 0 },
    });
    expect(seen.get("gone")).toMatchObject({ staged: null, unstaged: { kind: "deleted", removed: 4 } });
    expect(seen.get("gone staged")).toMatchObject({ staged: { kind: "deleted" }, unstaged: null });
    expect(seen.get("moved away")?.staged).toEqual({
      ...nothing,
      kind: "renamed",
      oldPath: "moved",
      added: 0,
      removed: 0,
    });
    expect(seen.get("picture")?.unstaged).toEqual({ ...nothing, kind: "modified", binary: true });
    expect(seen.get("mode")?.staged).toMatchObject({
      kind: "modified",
      modes: { old: "100644", new: "100755" },
    });
    expect(seen.get("kind")?.unstaged?.kind).toBe("type changed");
    expect(seen.has("moved")).toBe(false);
  });

  test("a merge with conflicts", async () => {
    repository.write("file", "one\n");
    repository.write("left", "one\n");
    repository.commit();
    repository.git("checkout", "--quiet", "-b", "other");
    repository.write("file", "two\n");
    rmSync(join(repository.root, "left"));
    repository.commit();
    repository.git("checkout", "--quiet", "trunk");
    repository.write("file", "three\n");
    repository.write("left", "changed\n");
    repository.commit();
    expect(() => repository.git("merge", "--quiet", "other")).toThrow();
    const list = await repository.list();
    expect(list.operation).toBe("merge");
    expect(
      list.files.map(({ path, conflict, staged, unstaged }) => [path, conflict, staged, unstaged]),
    ).toEqual([
      ["file", "both modified", null, null],
      ["left", "deleted by them", null, null],
    ]);
    expect(await repository.diff("file", "unstaged")).toMatchObject({
      content: { kind: "text", added: 4 },
      wholeOnly: expect.stringContaining("conflicts"),
    });
  });

  test("how far the branch is from its upstream, and whether its commit is there", async () => {
    const remote = join(repository.base, "remote.git");
    repository.write("file", "one\n");
    repository.commit();
    repository.git("init", "--quiet", "--bare", remote);
    repository.git("remote", "add", "origin", remote);
    repository.git("push", "--quiet", "--set-upstream", "origin", "trunk");
    expect(await repository.list()).toMatchObject({
      remotes: ["origin"],
      upstream: { name: "origin/trunk", distance: { ahead: 0, behind: 0 } },
      head: { isPushed: true },
    });
    repository.commit();
    expect(await repository.list()).toMatchObject({
      upstream: { distance: { ahead: 1, behind: 0 } },
      head: { isPushed: false },
    });
    repository.git("update-ref", "-d", "refs/remotes/origin/trunk");
    expect((await repository.list()).upstream).toEqual({ name: "origin/trunk", distance: null });
    repository.git("checkout", "--quiet", "--detach");
    expect(await repository.list()).toMatchObject({ branch: null, upstream: null });
  });

  test("a workspace further down sees the whole repository", async () => {
    repository.write("packages/app/file", "one\n");
    repository.commit();
    repository.write("packages/app/file", "two\n");
    repository.write("above", "one\n");
    repository.folder = join(repository.root, "packages", "app");
    const list = await repository.list();
    expect(list).toMatchObject({ root: repository.root, prefix: "packages/app/" });
    expect(list.files.map(({ path }) => path)).toEqual(["packages/app/file", "above"]);
    expect((await repository.diff("packages/app/file", "unstaged")).content.kind).toBe("text");
  });

  test("a worktree is a repository of its own here", async () => {
    repository.write("file", "one\n");
    repository.commit();
    const folder = join(repository.base, "beside");
    repository.git("worktree", "add", "--quiet", "-b", "beside", folder);
    writeFileSync(join(folder, "file"), "two\n");
    expect((await repository.list()).files).toEqual([]);
    repository.folder = folder;
    expect(await repository.list()).toMatchObject({
      root: folder,
      branch: "beside",
      files: [{ path: "file" }],
    });
  });

  test("names of every kind", async () => {
    const names = [
      "-dash",
      "with space",
      "quo\"te'",
      "tab\tand\nline",
      "ünïcode ✓",
      ":(glob)**",
      "a*b",
      "back\\slash",
    ];
    for (const name of names) repository.write(name, "x\n");
    const bytes = Buffer.concat([Buffer.from(`${repository.root}/bad-`), Buffer.from([0xff, 0xfe])]);
    writeFileSync(bytes, "x\n");
    const { files } = await repository.list();
    expect(files.filter(({ exactName }) => exactName).map(({ path }) => path)).toEqual(
      [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
    expect(files.filter(({ exactName }) => !exactName)).toMatchObject([{ path: "bad-��" }]);
    for (const name of names) {
      expect(await repository.diff(name, "unstaged")).toMatchObject({
        content: { added: 1 },
        wholeOnly: null,
      });
    }
  });

  test("a file of 80 GB is not read, and a pipe is not waited for", async () => {
    repository.write("huge", "");
    truncateSync(join(repository.root, "huge"), 80 * 1024 ** 3);
    expect(await repository.file("huge")).toMatchObject({
      unstaged: { kind: "untracked", bytes: 80 * 1024 ** 3, added: null },
    });
    expect((await repository.diff("huge", "unstaged")).content).toEqual({
      kind: "too large",
      bytes: 80 * 1024 ** 3,
    });
  });

  test("more files than are listed are counted, in whatever pieces they come", () => {
    const reader = new StatusReader(2);
    const fields = new Fields((field) => reader.take(field));
    const output = Buffer.from(["# branch.oid x", "? one", "? two", "? three", "? four", ""].join("\0"));
    for (const byte of output) fields.add(Buffer.from([byte]));
    expect(reader.status.files.map(({ path }) => path)).toEqual(["one", "two"]);
    expect(reader.status.more).toBe(2);
  });

  test("submodules and repositories within are told apart, and not looked into", async () => {
    const inner = join(repository.base, "inner");
    mkdirSync(inner);
    repository.git("init", "--quiet", inner);
    repository.git("-C", inner, "commit", "--quiet", "--allow-empty", "-m", "x");
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "module");
    repository.commit();
    repository.git("-C", join(repository.root, "module"), "commit", "--quiet", "--allow-empty", "-m", "y");
    repository.git("init", "--quiet", join(repository.root, "embedded"));
    repository.write("embedded/file", "x");
    const list = await repository.list();
    expect(list.files).toMatchObject([
      { path: "module", submodule: true, unstaged: { kind: "modified" } },
      { path: "embedded/", repository: true, unstaged: { kind: "untracked", bytes: null } },
    ]);
    expect((await repository.diff("module", "unstaged")).content.kind).toBe("submodule");
  });

  test("against where the branch began", async () => {
    repository.write("file", "one\n");
    const base = repository.commit();
    repository.git("branch", "main");
    repository.write("moved", "a\nb\nc\nd\n");
    repository.write("file", "two\n");
    repository.commit();
    repository.git("mv", "moved", "away");
    repository.write("new", "n\n");
    const against = await repository.changes.listAgainst("w", "main");
    expect(against).toMatchObject({ base, more: 0 });
    expect(against.files).toMatchObject([
      { path: "away", change: { kind: "added", added: 4 } },
      { path: "file", change: { kind: "modified", added: 1, removed: 1 } },
      { path: "new", change: { kind: "untracked", added: 1 } },
    ]);
    const comparison = { with: "base", base: "main" } as const;
    const diff = await repository.changes.diff("w", { path: "new", oldPath: null, comparison }, false);
    expect(diff.content).toMatchObject({ kind: "text", added: 1 });
    for (const wrong of ["nowhere", "--output=x", "HEAD..main"]) {
      await expect(repository.changes.listAgainst("w", wrong)).rejects.toMatchObject({
        code: "base_unknown",
      });
    }
  });

  test("folders without a repository, and bare ones, say so", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-none-"));
    repository.folder = folder;
    expect(await repository.changes.list("w")).toMatchObject({
      state: "none",
      fault: { code: "no_repository" },
    });
    await expect(repository.diff("x", "unstaged")).rejects.toMatchObject({ code: "no_repository" });
    repository.git("init", "--quiet", "--bare", folder);
    expect(await repository.changes.list("w")).toMatchObject({
      state: "none",
      fault: { code: "bare_repository" },
    });
    rmSync(folder, { recursive: true });
  });

  test("nothing that a repository names is run to look at it", async () => {
    repository.write("file", "one\n");
    repository.write(".gitattributes", "file filter=evil diff=evil\n");
    repository.commit();
    const touch = `touch ${join(repository.base, "ran")}; cat`;
    for (const [name, value] of [
      ["filter.evil.clean", touch],
      ["filter.evil.smudge", touch],
      ["diff.evil.textconv", touch],
      ["diff.evil.command", touch],
      ["diff.external", touch],
      ["core.fsmonitor", touch],
      ["core.pager", touch],
    ] as const) {
      repository.git("config", name, value);
    }
    repository.program("post-index-change", "touch $base/ran");
    repository.git("config", "core.hooksPath", join(repository.base, "bin"));
    repository.write("file", "two\n");
    expect((await repository.file("file")).unstaged).toMatchObject({ added: 1, removed: 1 });
    expect((await repository.diff("file", "unstaged")).wholeOnly).toContain("converts");
    expect(repository.has("../ran")).toBe(false);
  });
});
