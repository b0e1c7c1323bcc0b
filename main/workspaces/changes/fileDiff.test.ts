import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { linesOf, TestRepository } from "./testRepository";

let repository: TestRepository;

beforeEach(() => {
  repository = new TestRepository();
});

afterEach(() => repository.remove());

describe("the difference of a file", () => {
  test("lines with their numbers, in hunks", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    repository.write("file", `${lines.join("\n")}\n`);
    repository.commit();
    lines[4] = "changed";
    lines.splice(20, 1, "new 1", "new 2");
    repository.write("file", `${lines.join("\n")}\n`);
    const { content, wholeOnly, oldMode, newMode } = await repository.diff("file", "unstaged");
    expect({ wholeOnly, oldMode, newMode }).toEqual({
      wholeOnly: null,
      oldMode: "100644",
      newMode: "100644",
    });
    if (content.kind !== "text") throw new Error(content.kind);
    expect(content).toMatchObject({ added: 3, removed: 2, left: null });
    expect(content.hunks.map(({ oldStart, newStart }) => [oldStart, newStart])).toEqual([
      [2, 2],
      [18, 18],
    ]);
    expect(
      content.hunks[1]?.lines.map(({ kind, oldLine, newLine, text }) => [kind, oldLine, newLine, text]),
    ).toEqual([
      ["context", 18, 18, "line 18"],
      ["context", 19, 19, "line 19"],
      ["context", 20, 20, "line 20"],
      ["removed", 21, null, "line 21"],
      ["added", null, 21, "new 1"],
      ["added", null, 22, "new 2"],
      ["context", 22, 23, "line 22"],
      ["context", 23, 24, "line 23"],
      ["context", 24, 25, "line 24"],
    ]);
  });

  test("line ends are kept as they are", async () => {
    repository.write("file", "one\r\ntwo\nthree");
    repository.commit();
    repository.write("file", "one\ntwo\nthree\n");
    expect(linesOf(await repository.diff("file", "unstaged"))).toEqual([
      "-one\r",
      "+one",
      " two",
      "-three\\",
      "+three",
    ]);
  });

  test("staged, not staged, and both together", async () => {
    repository.write("file", "one\n");
    repository.commit();
    repository.write("file", "two\n");
    repository.git("add", "file");
    repository.write("file", "three\n");
    expect(linesOf(await repository.diff("file", "staged"))).toEqual(["-one", "+two"]);
    expect(linesOf(await repository.diff("file", "unstaged"))).toEqual(["-two", "+three"]);
    expect(linesOf(await repository.diff("file", "head"))).toEqual(["-one", "+three"]);
  });

  test("what is new, deleted, renamed, emptied, a link, or the same", async () => {
    repository.write("gone", "one\n");
    repository.write("old", "a\nb\nc\nd\n");
    repository.write("same", "one\n");
    repository.commit();
    rmSync(join(repository.root, "gone"));
    repository.git("mv", "old", "new");
    repository.write("new", "a\nb\nc\nd\ne\n");
    repository.git("add", "new");
    repository.write("untracked", "x\n");
    repository.write("empty", "");
    symlinkSync("/etc/passwd", join(repository.root, "link"));
    expect(await repository.diff("gone", "unstaged")).toMatchObject({ oldMode: "100644", newMode: null });
    const renamed = await repository.diff("new", "staged", "old");
    expect(renamed).toMatchObject({ oldPath: "old" });
    expect(linesOf(renamed)).toEqual([" b", " c", " d", "+e"]);
    expect(await repository.diff("untracked", "unstaged")).toMatchObject({
      oldMode: null,
      newMode: "100644",
    });
    expect(await repository.diff("untracked", "head")).toMatchObject({ oldMode: null, newMode: "100644" });
    expect(await repository.diff("empty", "unstaged")).toMatchObject({
      content: { kind: "text", hunks: [] },
    });
    expect(linesOf(await repository.diff("link", "unstaged"))).toEqual(["+/etc/passwd\\"]);
    expect((await repository.diff("link", "unstaged")).wholeOnly).toContain("link");
    expect((await repository.diff("same", "unstaged")).content.kind).toBe("same");
    expect((await repository.diff("never there", "unstaged")).content.kind).toBe("same");
    // Nothing was written for a look.
    expect(repository.git("count-objects")).toMatch(/^\d+ objects/);
    expect(repository.git("status", "--porcelain", "--", "untracked")).toBe("?? untracked");
  });

  test("binary files and pictures", async () => {
    repository.write("data.bin", Buffer.from([0, 1, 2]));
    repository.commit();
    repository.write("data.bin", Buffer.from([0, 1]));
    repository.write("picture.PNG", Buffer.from([0x89, 0, 1, 2]));
    expect((await repository.diff("data.bin", "unstaged")).content).toEqual({
      kind: "binary",
      image: false,
      oldBytes: 3,
      newBytes: 2,
    });
    expect((await repository.diff("picture.PNG", "unstaged")).content).toEqual({
      kind: "binary",
      image: true,
      oldBytes: null,
      newBytes: 4,
    });
    repository.git("add", "picture.PNG");
    expect((await repository.diff("picture.PNG", "staged")).content).toMatchObject({ newBytes: 4 });
  });

  test("text that is not in UTF-8 is shown, and only whole", async () => {
    repository.write("latin", Buffer.from("gr\xfc\xdfe\n", "latin1"));
    expect(linesOf(await repository.diff("latin", "unstaged"))).toEqual(["+gr��e"]);
    expect((await repository.diff("latin", "unstaged")).wholeOnly).toContain("UTF-8");
  });

  test("a long difference comes in two steps, and a very long one is not shown to its end", async () => {
    const ask = (whole: boolean) =>
      repository.changes.diff("w", { path: "long", oldPath: null, comparison: { with: "unstaged" } }, whole);
    repository.write("long", "line\n".repeat(10_000));
    const first = await ask(false);
    expect(first.content).toMatchObject({ kind: "text", left: "more", added: 10_000 });
    expect(linesOf(first)).toHaveLength(3_000);
    const all = await ask(true);
    expect(all).toMatchObject({ fingerprint: first.fingerprint, content: { left: null } });
    expect(linesOf(all)).toHaveLength(10_000);
    repository.write("long", "line\n".repeat(100_000));
    expect((await ask(true)).content).toMatchObject({ left: "too long", added: 100_000 });
  });

  test("the same difference has the same fingerprint, another one has not", async () => {
    repository.write("file", "one\n");
    const one = await repository.diff("file", "unstaged");
    expect((await repository.diff("file", "unstaged")).fingerprint).toBe(one.fingerprint);
    repository.write("file", "two\n");
    expect((await repository.diff("file", "unstaged")).fingerprint).not.toBe(one.fingerprint);
  });

  test("paths lead nowhere else", async () => {
    repository.write("file", "one\n");
    repository.commit();
    for (const path of [
      "../outside",
      "/etc/passwd",
      ".git/config",
      "a/.GIT/x",
      "a//b",
      "./file",
      "a\0b",
      "a/..",
    ]) {
      await expect(repository.diff(path, "unstaged")).rejects.toMatchObject({ code: "path_outside" });
    }
  });

  test("a person's settings for differences change nothing", async () => {
    repository.write("file", "a\n\nb\n");
    repository.commit();
    for (const [name, value] of [
      ["diff.noprefix", "true"],
      ["diff.mnemonicPrefix", "true"],
      ["diff.suppressBlankEmpty", "true"],
      ["diff.context", "0"],
      ["color.ui", "always"],
      ["diff.wordRegex", "."],
      ["diff.orderFile", "/nowhere"],
    ] as const) {
      repository.git("config", "--global", name, value);
    }
    repository.write("file", "a\n\nc\n");
    expect(linesOf(await repository.diff("file", "unstaged"))).toEqual([" a", " ", "-b", "+c"]);
  });
});
