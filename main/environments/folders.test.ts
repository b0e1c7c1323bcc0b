import { writeFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixed, TestBook } from "./testBook";

let book: TestBook;
let id: string;
/** In which the exec-server was started. */
let folder: string;

beforeEach(async () => {
  book = new TestBook();
  const executor = await book.executor();
  folder = executor.folder;
  id = book.add(executor.url);
});

afterEach(async () => {
  await book.close();
});

describe("a folder", () => {
  it("is listed with its folders first, in paths of that system", async () => {
    await mkdir(join(folder, "z folder #1"));
    await writeFile(join(folder, "ä%20.txt"), "");
    await symlink(join(folder, "z folder #1"), join(folder, "link"));
    expect(await book.environments.list(id, null)).toEqual({
      path: folder,
      parent: join(folder, ".."),
      entries: [
        { name: "link", kind: "folder", path: join(folder, "link") },
        { name: "z folder #1", kind: "folder", path: join(folder, "z folder #1") },
        { name: "ä%20.txt", kind: "file", path: join(folder, "ä%20.txt") },
      ],
      more: 0,
      named: null,
    });
  });

  it("that is the root has none above it", async () => {
    expect(await book.environments.list(id, "/")).toMatchObject({ path: "/", parent: null });
  });

  it.each([
    ["with steps back in it", (path: string) => `${path}/empty/../../work/.`],
    ["with a slash at its end", (path: string) => `${path}//`],
  ])("%s is the folder that is meant", async (_what, written) => {
    await mkdir(join(folder, "empty"));
    expect(await book.environments.list(id, written(folder))).toMatchObject({
      path: folder,
      parent: join(folder, ".."),
      entries: [{ path: join(folder, "empty") }],
    });
  });

  it("with very much in it is listed in part, and it is said how much more there is", async () => {
    for (let count = 0; count < 5_003; count += 1) writeFileSync(join(folder, `f${count}`), "");
    const { entries, more } = await book.environments.list(id, folder);
    expect([entries.length, more]).toEqual([5_000, 3]);
    // What is named is listed, wherever it stands among them.
    const last = join(folder, "f999");
    const named = await book.environments.list(id, last);
    expect(entries.map(({ path }) => path)).not.toContain(last);
    expect(named).toMatchObject({ path: folder, named: { path: last, kind: "file" }, more: 2 });
    expect(named.entries.at(-1)).toEqual(named.named);
  });

  it("is shown for the path of a file in it", async () => {
    const path = join(folder, "ä%20.txt");
    await writeFile(path, "");
    const entry = { name: "ä%20.txt", kind: "file", path };
    const listed = { path: folder, entries: [entry], named: entry };
    expect(await book.environments.list(id, `${path}/`)).toMatchObject(listed);
  });

  it("whose links lead round in a circle is said by its path", async () => {
    const path = join(folder, "circle");
    await symlink(path, path);
    const fault = {
      code: "path_unreadable",
      message: `${path} cannot be read: its links lead round in a circle.`,
    };
    await expect(book.environments.list(id, path)).rejects.toMatchObject(fault);
  });

  it("that leads through a file is said in words", async () => {
    await writeFile(join(folder, "file"), "");
    const path = join(folder, "file", "below");
    const fault = {
      code: "path_unreadable",
      message: `${path} cannot be read: what it leads through is no folder.`,
      detail: expect.stringContaining("Not a directory"),
    };
    await expect(book.environments.list(id, path)).rejects.toMatchObject(fault);
    await expect(book.environments.readFile(id, path)).rejects.toMatchObject(fault);
  });

  it.each([
    ["is not there", "/no/such/folder", "not_found"],
    ["is half a path", "work", "path_not_absolute"],
  ])("that %s is a fault that says so", async (_what, path, code) => {
    const problem = { code, message: expect.stringContaining(`"${path}"`) };
    await expect(book.environments.list(id, path)).rejects.toMatchObject(problem);
  });
});

it("is looked into again where its executor was restarted while it was waited for, and a check goes on too", async () => {
  const [before, after] = [await book.executor(), await book.executor()];
  const restarted = book.environments.add("restarted", fixed(before.url, "same"), []);
  expect(await book.environments.list(restarted, null)).toMatchObject({ path: before.folder });
  book.environments.change(restarted, "restarted", fixed(after.url, "same"));
  const killing = before.kill();
  await book.until(() => book.view(restarted).connection.state === "reconnecting");
  expect(await book.environments.list(restarted, null)).toMatchObject({ path: after.folder });
  await killing;
  await book.environments.check(restarted);
  expect(book.view(restarted)).toMatchObject({ connection: { state: "connected" }, check: { fault: null } });
});

describe("a file", () => {
  it.each<[string, Buffer, string | null, string | null]>([
    ["text", Buffer.from("wörld\n"), "wörld\n", null],
    ["nothing", Buffer.alloc(0), "", null],
    ["bytes that are no text", Buffer.from([0x68, 0xff, 0xfe]), null, "no text"],
    ["half a character at its end", Buffer.from([0x68, 0xc3]), null, "no text"],
    ["a NUL", Buffer.from("a\0b"), null, "no text"],
    ["as much text as is shown", Buffer.alloc(1024 * 1024, "a"), "a".repeat(1024 * 1024), null],
    // Cut within a character, of which nothing is left then.
    ["more", Buffer.from(`a${"ü".repeat(600_000)}`), `a${"ü".repeat(128 * 1024 - 1)}`, "too long"],
    ["much that is no text", Buffer.alloc(2 * 1024 * 1024), null, "no text"],
  ])("with %s in it", async (_what, content, text, left) => {
    const path = join(folder, "a file");
    await writeFile(path, content);
    const read = await book.environments.readFile(id, path);
    expect(read).toMatchObject({ bytes: content.length, left });
    expect(read.text === text).toBe(true);
    expect(read.modifiedAtMs).toBeGreaterThan(0);
  });

  it("that is a pipe is not read: the next question would wait for ever", async () => {
    const path = join(folder, "pipe");
    expect(await run(["mkfifo", path])).toBe(0);
    expect(await book.environments.readFile(id, path)).toMatchObject({ text: null, left: "no file" });
    await book.environments.check(id);
    expect(book.view(id).check).toMatchObject({ fault: null });
  });

  it("that is a folder is none", async () => {
    await expect(book.environments.readFile(id, folder)).rejects.toMatchObject({ code: "not_a_file" });
  });
});

async function run(argv: [string, ...string[]]): Promise<number | null> {
  let exitCode: number | null = null;
  await new Promise<void>((resolve, reject) => {
    book.environments
      .get(id)
      .start(
        { argv, cwd: `file://${folder}`, env: {}, inherits: "core", terminal: false, input: false },
        (event) => {
          if (event.type === "exited") exitCode = event.exitCode;
          if (event.type === "closed") resolve();
          if (event.type === "lost") reject(event.fault);
        },
      )
      .catch(reject);
  });
  return exitCode;
}
