// Files of a workspace, read piece by piece, and what is not read.

import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { endOfPiece, pieceBytes, presentFiles, readWorkspaceFile } from "./readFile";

let root: string;
let folder: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdfast-read-")));
  folder = join(root, "work");
  await mkdir(join(folder, "src"), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const fault = (code: string) => expect.objectContaining({ code });

describe("a file of the workspace", () => {
  it("is read by its path from the folder, or by its whole path", async () => {
    await writeFile(join(folder, "src", "a.ts"), "const é = 1;\n");
    const expected = { path: join("src", "a.ts"), text: "const é = 1;\n", nextByte: null, bytes: 14 };
    expect(await readWorkspaceFile(folder, "src/a.ts", 0)).toMatchObject(expected);
    expect(await readWorkspaceFile(folder, join(folder, "src", "a.ts"), 0)).toMatchObject(expected);
    expect(await readWorkspaceFile(folder, "src/../src/a.ts", 0)).toMatchObject(expected);
  });

  it("is read through a link, as long as that stays in the workspace", async () => {
    await writeFile(join(folder, "src", "a.ts"), "inside");
    await symlink(join(folder, "src"), join(folder, "linked"));
    expect(await readWorkspaceFile(folder, "linked/a.ts", 0)).toMatchObject({ text: "inside" });
  });

  it("is among those that are there; folders, what is gone and what lies elsewhere are not", async () => {
    await writeFile(join(folder, "src", "a.ts"), "a");
    await writeFile(join(root, "secret.ts"), "no");
    await symlink(join(root, "secret.ts"), join(folder, "leak.ts"));
    const whole = join(folder, "src", "a.ts");
    const asked = [
      "src/a.ts",
      "./src/a.ts",
      whole,
      "src",
      "src/b.ts",
      "../secret.ts",
      "leak.ts",
      "/etc/passwd",
      "a\0b",
    ];
    expect(await presentFiles(folder, asked)).toEqual(["src/a.ts", "./src/a.ts", whole]);
  });

  it("comes in pieces that end with a line, and together are the file", async () => {
    const line = `${"é".repeat(40)} and so on\n`;
    const whole = line.repeat(Math.ceil((pieceBytes * 2.5) / Buffer.byteLength(line)));
    await writeFile(join(folder, "long.txt"), whole);
    let text = "";
    let pieces = 0;
    for (let at: number | null = 0; at !== null; pieces += 1) {
      const piece = await readWorkspaceFile(folder, "long.txt", at);
      expect(piece.text).toMatch(/\n$/);
      text += piece.text;
      at = piece.nextByte;
    }
    expect(pieces).toBe(3);
    expect(text === whole).toBe(true);
  });

  it("is told to be no text when it is none", async () => {
    await writeFile(join(folder, "a.bin"), Buffer.from([1, 2, 0, 3]));
    await writeFile(join(folder, "latin.txt"), Buffer.from([0x63, 0xe9, 0x0a, 0x0a]));
    expect(await readWorkspaceFile(folder, "a.bin", 0)).toMatchObject({
      text: null,
      nextByte: null,
      bytes: 4,
    });
    expect(await readWorkspaceFile(folder, "latin.txt", 0)).toMatchObject({ text: null });
    await writeFile(join(folder, "empty"), "");
    expect(await readWorkspaceFile(folder, "empty", 0)).toMatchObject({ text: "", bytes: 0 });
  });
});

describe("what is not read", () => {
  it("lies outside, whatever way leads there", async () => {
    await writeFile(join(root, "secret"), "secret");
    await mkdir(join(root, "work-too"));
    await writeFile(join(root, "work-too", "a"), "a");
    await symlink(join(root, "secret"), join(folder, "link"));
    await symlink(root, join(folder, "up"));
    for (const path of ["../secret", join(root, "secret"), "link", "up/secret", "../work-too/a"]) {
      await expect(readWorkspaceFile(folder, path, 0), path).rejects.toThrow(fault("file_outside"));
    }
  });

  it("is gone, a folder, a pipe, or closed to us", async () => {
    await expect(readWorkspaceFile(folder, "gone.ts", 0)).rejects.toThrow(fault("file_gone"));
    await expect(readWorkspaceFile(folder, "src", 0)).rejects.toThrow(fault("not_a_file"));
    await symlink("turns", join(folder, "turns"));
    await expect(readWorkspaceFile(folder, "turns", 0)).rejects.toThrow(fault("file_gone"));
    if (process.platform === "win32") return;
    execFileSync("mkfifo", [join(folder, "pipe")]);
    await expect(readWorkspaceFile(folder, "pipe", 0)).rejects.toThrow(fault("not_a_file"));
    if (process.getuid?.() === 0) return;
    await writeFile(join(folder, "closed"), "x");
    await chmod(join(folder, "closed"), 0o000);
    await expect(readWorkspaceFile(folder, "closed", 0)).rejects.toThrow(fault("file_unreadable"));
  });

  it("does not answer in time", async () => {
    await writeFile(join(folder, "a"), "a");
    const clock = new ManualClock();
    const read = readWorkspaceFile(folder, "a", 0, clock);
    clock.advance(10_000);
    await expect(read).rejects.toThrow(fault("file_no_answer"));
  });
});

it("no character is ever cut in two", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
      fc.nat({ max: 60 }),
      (text, length) => {
        const bytes = Buffer.from(text, "utf8");
        const piece = bytes.subarray(0, Math.min(bytes.length, length + 4));
        const end = endOfPiece(piece);
        expect(end).toBeGreaterThan(0);
        const both = bytes.subarray(0, end).toString("utf8") + bytes.subarray(end).toString("utf8");
        expect(both).toBe(bytes.toString("utf8"));
      },
    ),
  );
});
