// What is read from the system and from the log.

import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderSizes } from "./folderSizes";
import { logProblems } from "./logProblems";
import { allowedIn, residentBytesIn } from "./proc";

describe("the log", () => {
  const line = (level: string, message: string, facts?: object) =>
    JSON.stringify({ at: "2026-03-01T08:00:00.000Z", level, message, ...(facts && { facts }) });

  it("gives its warnings and errors, the newest first, and passes over what it cannot read", () => {
    const text = [
      'ut off in the middle","level":"error"}',
      line("info", "Started"),
      line("warn", "slow", { ms: 3 }),
      'not JSON but has "error" in it',
      line("error", "lost"),
      line("info", 'says "error" only'),
      "",
    ].join("\n");
    const { problems, more } = logProblems(text);
    expect(problems.map(({ level, text: words }) => [level, words])).toEqual([
      ["error", "lost"],
      ["warn", 'slow\n{\n  "ms": 3\n}'],
    ]);
    expect(more).toBe(0);
  });

  it("is bounded in number and in length", () => {
    const { problems, more } = logProblems(
      Array.from({ length: 130 }, () => line("warn", "w".repeat(9_000))).join("\n"),
    );
    expect(problems).toHaveLength(100);
    expect(more).toBe(30);
    expect(problems[0]?.text).toHaveLength(4_000);
  });
});

describe("what the system says", () => {
  it("of memory is in kilobytes, and missing for a process that has ended", () => {
    expect(residentBytesIn("Name:\tcodex\nVmRSS:\t  137524 kB\nThreads: 9\n")).toBe(137_524 * 1024);
    expect(residentBytesIn("Name:\tcodex\nState:\tZ (zombie)\n")).toBeNull();
  });

  it("of limits is the soft one", () => {
    const limits = "Limit   Soft Limit   Hard Limit   Units\nMax open files   1024   1048576   files\n";
    expect(allowedIn(limits)).toEqual([{ name: "Max open files", value: "1024" }]);
    expect(allowedIn("")).toEqual([]);
  });
});

describe("folders", () => {
  let home = "";
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "holdfast-folders-"));
    await mkdir(join(home, "logs", "old"), { recursive: true });
    await mkdir(join(home, "empty"));
    await writeFile(join(home, "logs", "main.log"), "x".repeat(3_000));
    await writeFile(join(home, "logs", "old", "a.log"), "x".repeat(500));
    await writeFile(join(home, "holdfast.db"), "x".repeat(100));
    await symlink(home, join(home, "logs", "round"));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it("are added up with what is in them, and links are not followed", async () => {
    const sizes = await folderSizes(home, { signal: new AbortController().signal });
    expect(sizes.map(({ name, files, incomplete }) => [name, files, incomplete])).toEqual([
      ["logs", 3, false],
      ["empty", 0, false],
      ["files beside these", 1, false],
    ]);
    expect(sizes[0]?.bytes).toBeGreaterThanOrEqual(3_500);
    expect(sizes[2]?.bytes).toBe(100);
  });

  it("that are too large, or take too long, say that there is more", async () => {
    const signal = new AbortController().signal;
    const [logs] = await folderSizes(home, { signal, mostFiles: 1 });
    expect(logs).toMatchObject({ name: "logs", files: 1, incomplete: true });
    const late = await folderSizes(home, { signal: AbortSignal.abort() });
    expect(late.find(({ name }) => name === "logs")).toMatchObject({ bytes: 0, incomplete: true });
  });

  it("that are not there are said to be incomplete", async () => {
    const sizes = await folderSizes(join(home, "no"), { signal: new AbortController().signal });
    expect(sizes).toMatchObject([{ bytes: 0, incomplete: true }]);
  });
});
