import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { linesOf, TestRepository } from "./testRepository";

let repository: TestRepository;

beforeEach(() => {
  repository = new TestRepository();
});

afterEach(() => repository.remove());

/** The first column of `git status`, by path. */
async function sides(): Promise<string[]> {
  const { files } = await repository.list();
  return files.map(({ path, staged, unstaged, conflict }) => {
    return `${staged?.kind ?? "-"} ${unstaged?.kind ?? "-"} ${conflict ?? ""}${path}`;
  });
}

async function choose(
  step: "stagePart" | "unstagePart" | "discardPart",
  path: string,
  parts: { hunk: number; lines: number[] | null }[],
) {
  const side = step === "unstagePart" ? "staged" : "unstaged";
  const { fingerprint } = await repository.diff(path, side);
  return repository.changes[step]("w", { path, oldPath: null, fingerprint, parts });
}

const staged = (path: string) => repository.gitBytes("cat-file", "blob", `:${path}`).toString("latin1");
const onDisk = (path: string) => readFileSync(join(repository.root, path), "latin1");

describe("whole files", () => {
  test("are staged and unstaged, new and deleted ones too, before the first commit too", async () => {
    const names = ["-dash", "new\nline", "ünï code", ":(top)x", "a*b"];
    for (const name of names) repository.write(name, "x\n");
    await repository.changes.stage("w", names);
    expect(await sides()).toEqual([...names].sort().map((name) => `added - ${name}`));
    await repository.changes.unstage("w", ["-dash", "a*b"]);
    expect((await sides()).filter((each) => each.startsWith("-"))).toEqual([
      "- untracked -dash",
      "- untracked a*b",
    ]);
    repository.commit();
    rmSync(join(repository.root, "a*b"));
    await repository.changes.stage("w", ["a*b"]);
    expect(await sides()).toEqual(["deleted - a*b"]);
    await repository.changes.unstage("w", null);
    expect(await sides()).toEqual(["- deleted a*b"]);
  });

  test("a renamed file is unstaged as one", async () => {
    repository.write("old", "a\nb\nc\nd\n");
    repository.commit();
    repository.git("mv", "old", "new");
    await repository.changes.unstage("w", ["new"]);
    expect(await sides()).toEqual(["- deleted old", "- untracked new"]);
  });

  test("all: but no repository within, and no conflict that is not solved is unstaged", async () => {
    repository.write("file", "1\n");
    repository.commit();
    repository.git("checkout", "--quiet", "-b", "other");
    repository.write("file", "2\n");
    repository.commit();
    repository.git("checkout", "--quiet", "trunk");
    repository.write("file", "3\n");
    repository.commit();
    expect(() => repository.git("merge", "--quiet", "other")).toThrow();
    repository.write("more", "x\n");
    repository.git("add", "more");
    await repository.changes.unstage("w", null);
    expect(await sides()).toEqual(["- - both modifiedfile", "- untracked more"]);
    await expect(repository.changes.unstage("w", ["file"])).rejects.toMatchObject({ code: "has_conflicts" });
    await expect(repository.changes.discard("w", ["file"])).rejects.toMatchObject({ code: "has_conflicts" });
    repository.git("init", "--quiet", "within");
    repository.write("within/x", "x");
    await repository.changes.stage("w", null);
    expect((await repository.list()).operation).toBe("merge");
    expect(await sides()).toEqual(["modified - file", "added - more", "- untracked within/"]);
    await expect(repository.changes.stage("w", ["within/"])).rejects.toMatchObject({
      code: "other_repository",
    });
  });

  test("what has gone meanwhile is told", async () => {
    await expect(repository.changes.stage("w", ["never"])).rejects.toMatchObject({
      code: "changed_meanwhile",
    });
    await expect(repository.changes.discard("w", ["never"])).rejects.toMatchObject({
      code: "changed_meanwhile",
    });
  });

  test("a lock of somebody else is waited for, named, and left alone", async () => {
    repository.write("file", "x\n");
    const lock = join(repository.root, ".git", "index.lock");
    writeFileSync(lock, "");
    await expect(repository.changes.stage("w", ["file"])).rejects.toMatchObject({
      code: "repository_locked",
      path: lock,
      message: expect.stringContaining(lock),
    });
    expect(existsSync(lock)).toBe(true);
    const staging = repository.changes.stage("w", ["file"]);
    rmSync(lock);
    await staging;
    expect(await sides()).toEqual(["added - file"]);
  });
});

describe("parts of a file", () => {
  const before = Array.from({ length: 20 }, (_, index) => `${index + 1}`);
  const text = (lines: string[]) => `${lines.join("\n")}\n`;

  test("hunks and lines are staged and unstaged exactly", async () => {
    repository.write("file", text(before));
    repository.commit();
    const after = [...before];
    after.splice(2, 2, "three", "four");
    after.splice(15, 0, "new");
    repository.write("file", text(after));
    await choose("stagePart", "file", [{ hunk: 1, lines: null }]);
    const second = [...before];
    second.splice(15, 0, "new");
    expect(staged("file")).toBe(text(second));
    // "-3 -4 +three +four" are the lines 2 to 5 of the first hunk.
    await choose("stagePart", "file", [{ hunk: 0, lines: [2, 4] }]);
    second[2] = "three";
    expect(staged("file")).toBe(text(second));
    expect(onDisk("file")).toBe(text(after));
    await choose("unstagePart", "file", [{ hunk: 1, lines: null }]);
    second.splice(15, 1);
    expect(staged("file")).toBe(text(second));
    await choose("unstagePart", "file", [{ hunk: 0, lines: null }]);
    expect(staged("file")).toBe(text(before));
    expect(await sides()).toEqual(["- modified file"]);
  });

  test("of new and of deleted files", async () => {
    repository.write("new", "a\nb\nc\n", 0o755);
    await choose("stagePart", "new", [{ hunk: 0, lines: [0, 2] }]);
    expect(staged("new")).toBe("a\nc\n");
    expect(repository.git("ls-files", "--stage", "new")).toMatch(/^100755/);
    await choose("unstagePart", "new", [{ hunk: 0, lines: null }]);
    expect(await sides()).toEqual(["- untracked new"]);
    repository.commit();
    rmSync(join(repository.root, "new"));
    await choose("stagePart", "new", [{ hunk: 0, lines: [1] }]);
    expect(staged("new")).toBe("a\nc\n");
    await choose("stagePart", "new", [{ hunk: 0, lines: null }]);
    expect(await sides()).toEqual(["deleted - new"]);
    await choose("unstagePart", "new", [{ hunk: 0, lines: [0] }]);
    expect(staged("new")).toBe("a\n");
    await choose("discardPart", "new", [{ hunk: 0, lines: null }]);
    expect(onDisk("new")).toBe("a\n");
  });

  test("line ends and the end of the file stay as they are", async () => {
    repository.write("file", "a\r\nb\nc");
    repository.commit();
    repository.write("file", "a\nb\r\nc\nd");
    await choose("stagePart", "file", [{ hunk: 0, lines: [0, 1] }]);
    expect(staged("file")).toBe("c");
    await choose("unstagePart", "file", [{ hunk: 0, lines: null }]);
    expect(staged("file")).toBe("a\r\nb\nc");
    // Only "+d", without the change of the line before it.
    const { fingerprint } = await repository.diff("file", "unstaged");
    const lines = linesOf(await repository.diff("file", "unstaged"));
    const parts = [{ hunk: 0, lines: [lines.indexOf("+d\\")] }];
    await repository.changes.stagePart("w", { path: "file", oldPath: null, fingerprint, parts });
    expect(staged("file")).toBe("a\r\nb\nc\nd");
  });

  test("is refused once anything of it has changed, in the file or in the index", async () => {
    repository.write("file", text(before));
    repository.commit();
    repository.write("file", text(["0", ...before]));
    const { fingerprint } = await repository.diff("file", "unstaged");
    const part = { path: "file", oldPath: null, fingerprint, parts: [{ hunk: 0, lines: null }] };
    repository.write("file", text(["00", ...before]));
    const refused = { code: "changed_meanwhile", retryable: true };
    for (const step of ["stagePart", "discardPart"] as const) {
      await expect(repository.changes[step]("w", part)).rejects.toMatchObject(refused);
    }
    repository.write("file", text(["0", ...before]));
    // The same lines would still fit.
    repository.write("other", "");
    repository.git(
      "update-index",
      "--cacheinfo",
      `100644,${repository.git("hash-object", "-w", "other")},file`,
    );
    await expect(repository.changes.stagePart("w", part)).rejects.toMatchObject(refused);
    expect(staged("file")).toBe("");
    expect(onDisk("file")).toBe(text(["0", ...before]));
  });

  test("no line, no such hunk, and what is no text are refused in words", async () => {
    repository.write("file", "a\n");
    repository.write("binary", Buffer.from([0]));
    symlinkSync("file", join(repository.root, "link"));
    await expect(choose("stagePart", "file", [{ hunk: 0, lines: [] }])).rejects.toMatchObject({
      code: "nothing_chosen",
    });
    await expect(choose("stagePart", "file", [{ hunk: 7, lines: null }])).rejects.toMatchObject({
      code: "changed_meanwhile",
    });
    for (const path of ["binary", "link"]) {
      await expect(choose("stagePart", path, [{ hunk: 0, lines: null }])).rejects.toMatchObject({
        code: "only_whole",
      });
    }
  });

  test("in a folder whose line ends git converts, they are kept there", async () => {
    repository.git("config", "core.autocrlf", "true");
    repository.write("file", "a\r\nb\r\nc\r\n");
    repository.commit();
    repository.write("file", "A\r\nb\r\nC\r\n");
    await choose("stagePart", "file", [{ hunk: 0, lines: [0, 1] }]);
    expect(staged("file")).toBe("A\nb\nc\n");
    await choose("discardPart", "file", [{ hunk: 0, lines: null }]);
    expect(onDisk("file")).toBe("A\r\nb\r\nc\r\n");
    repository.write("new", "x\r\ny\r\n");
    await choose("stagePart", "new", [{ hunk: 0, lines: [0] }]);
    expect(staged("new")).toBe("x\n");
  });
});

describe("discarding", () => {
  test("files go back to what is staged, and come back as they were", async () => {
    repository.write("file", "one\n");
    repository.write("gone", "x\n");
    repository.write("tool", "t\n", 0o755);
    repository.commit();
    repository.write("file", "two\n");
    repository.git("add", "file");
    repository.write("file", "three\n");
    repository.write("new/deep", "n\n", 0o700);
    symlinkSync("/etc/passwd", join(repository.root, "link"));
    rmSync(join(repository.root, "gone"));
    chmodSync(join(repository.root, "tool"), 0o644);
    const all = ["file", "new/deep", "link", "gone", "tool"];
    const discardId = await repository.changes.discard("w", all);
    expect(await sides()).toEqual(["modified - file"]);
    expect([onDisk("file"), onDisk("gone")]).toEqual(["two\n", "x\n"]);
    expect(repository.has("new/deep") || repository.has("link")).toBe(false);
    expect(statSync(join(repository.root, "tool")).mode & 0o100).toBe(0o100);
    expect(await repository.changes.discards("w")).toMatchObject([
      { discardId, paths: all, files: 5, part: false },
    ]);
    await repository.changes.undoDiscard("w", discardId);
    expect(await sides()).toEqual([
      "modified modified file",
      "- deleted gone",
      "- modified tool",
      "- untracked link",
      "- untracked new/deep",
    ]);
    expect([onDisk("file"), onDisk("new/deep")]).toEqual(["three\n", "n\n"]);
    expect(statSync(join(repository.root, "new/deep")).mode & 0o777).toBe(0o700);
    expect(await repository.changes.discards("w")).toEqual([]);
    await expect(repository.changes.undoDiscard("w", discardId)).rejects.toMatchObject({
      code: "discard_unknown",
    });
  });

  test("what was changed since is not overwritten, and nothing of that step is brought back", async () => {
    repository.write("one", "1\n");
    repository.write("two", "2\n");
    repository.commit();
    repository.write("one", "11\n");
    repository.write("two", "22\n");
    const discardId = await repository.changes.discard("w", ["one", "two"]);
    repository.write("two", "mine\n");
    await expect(repository.changes.undoDiscard("w", discardId)).rejects.toMatchObject({
      code: "changed_meanwhile",
      path: join(repository.root, "two"),
    });
    expect([onDisk("one"), onDisk("two")]).toEqual(["1\n", "mine\n"]);
    // As the fault says.
    const again = await repository.changes.discard("w", ["two"]);
    await repository.changes.undoDiscard("w", discardId);
    expect([onDisk("one"), onDisk("two")]).toEqual(["11\n", "22\n"]);
    rmSync(join(repository.root, "two"));
    await repository.changes.undoDiscard("w", again);
    expect(onDisk("two")).toBe("mine\n");
  });

  test("parts of a file", async () => {
    repository.write("file", "a\nb\nc\n", 0o755);
    repository.commit();
    repository.write("file", "A\nb\nC\n");
    const discardId = await choose("discardPart", "file", [{ hunk: 0, lines: [0, 1] }]);
    expect(onDisk("file")).toBe("a\nb\nC\n");
    expect(statSync(join(repository.root, "file")).mode & 0o777).toBe(0o755);
    await repository.changes.undoDiscard("w", discardId as string);
    expect(onDisk("file")).toBe("A\nb\nC\n");
    repository.write("new", "x\ny\n");
    const whole = await choose("discardPart", "new", [{ hunk: 0, lines: null }]);
    expect(repository.has("new")).toBe(false);
    await repository.changes.undoDiscard("w", whole as string);
    expect(onDisk("new")).toBe("x\ny\n");
  });

  test("a folder that has become a link leads nowhere", async () => {
    const outside = join(repository.base, "outside");
    repository.write("folder/file", "1\n");
    repository.commit();
    repository.write("../outside/file", "precious\n");
    rmSync(join(repository.root, "folder"), { recursive: true });
    symlinkSync(outside, join(repository.root, "folder"));
    await expect(repository.changes.discard("w", ["folder/file"])).rejects.toMatchObject({
      code: "path_outside",
    });
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("precious\n");
    expect(await repository.changes.discards("w")).toEqual([]);
  });

  test("when git cannot write what is staged, everything is where it was", async () => {
    repository.write("file", "1\n");
    repository.commit();
    repository.write("file", "2\n");
    repository.program(
      "git",
      `case " $* " in *" checkout-index "*) echo no >&2; exit 1;; esac; exec ${repository.realGit} "$@"`,
    );
    await expect(repository.changes.discard("w", ["file"])).rejects.toMatchObject({ code: "git_refused" });
    expect(onDisk("file")).toBe("2\n");
    expect(await repository.changes.discards("w")).toEqual([]);
  });

  test("cut off in the middle, it can be brought back", async () => {
    repository.write("file", "1\n");
    repository.commit();
    repository.write("file", "2\n");
    const discardId = await repository.changes.discard("w", ["file"]);
    const record = repository.ledger.discards.get(discardId);
    if (!record) throw new Error("not on record");
    // Written before the first file was moved; nothing was written down after.
    repository.ledger.discards.setEntries(
      discardId,
      record.entries.map((entry) => ({ ...entry, left: null })),
    );
    rmSync(join(repository.root, "file"));
    expect(await sides()).toEqual(["- deleted file"]);
    await repository.changes.undoDiscard("w", discardId);
    expect(onDisk("file")).toBe("2\n");
  });
});

test("twenty commits of the person go through while windows look all the time", async () => {
  repository.write("file", "1\n");
  repository.commit();
  let isOver = false;
  const looking = (async () => {
    while (!isOver) await repository.list();
  })();
  for (let index = 0; index < 20; index++) {
    repository.write("file", `${index}\n`);
    await repository.gitInBackground("commit", "--quiet", "--all", "-m", "work");
  }
  isOver = true;
  await looking;
  expect(repository.git("rev-list", "--count", "HEAD")).toBe("21");
});
