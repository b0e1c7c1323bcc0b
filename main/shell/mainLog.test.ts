import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import { MainLog, type MainLogOptions } from "./mainLog";

let folder = "";
let path = "";
const open: MainLog[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-log-"));
  path = join(folder, "main.log");
});
afterEach(async () => {
  for (const log of open.splice(0)) log.close();
  await rm(folder, { recursive: true, force: true });
});

function makeLog(options: Partial<MainLogOptions> = {}) {
  const log = new MainLog({ path, clock: new ManualClock(), ...options });
  open.push(log);
  return log;
}

async function linesOf(file: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(file, "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe("the main log", () => {
  it("writes one JSON object a line, at once, for its owner only", async () => {
    const log = makeLog();
    log.info("Started", { pid: 5 });
    log.warn("Odd\nindeed");
    expect(await linesOf(path)).toEqual([
      { at: "2023-11-14T22:13:20.000Z", level: "info", message: "Started", facts: { pid: 5 } },
      { at: "2023-11-14T22:13:20.000Z", level: "warn", message: "Odd\nindeed" },
    ]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("goes on in a file that is there, and closes it to others", async () => {
    await writeFile(path, '{"message":"before"}\n');
    await chmod(path, 0o644);
    makeLog().info("after");
    expect((await linesOf(path)).map((line) => line.message)).toEqual(["before", "after"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("begins a new file when one is full, and keeps three in all", async () => {
    const log = makeLog({ fileBytes: 1000 });
    for (let nth = 0; nth < 100; nth += 1) log.info(`line ${nth}`, { filler: "x".repeat(100) });
    expect((await readdir(folder)).sort()).toEqual(["main.log", "main.log.1", "main.log.2"]);
    const kept: unknown[] = [];
    for (const name of ["main.log.2", "main.log.1", "main.log"]) {
      expect((await stat(join(folder, name))).size).toBeLessThanOrEqual(1000);
      kept.push(...(await linesOf(join(folder, name))).map((line) => line.message));
    }
    const first = 100 - kept.length;
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, nth) => `line ${first + nth}`));
    expect(kept.length).toBeGreaterThan(10);
  });

  it("begins a new file when the one that is there at the start is full already", async () => {
    await writeFile(path, "x".repeat(2000));
    makeLog({ fileBytes: 1000 }).info("new");
    expect((await linesOf(path)).map((line) => line.message)).toEqual(["new"]);
    expect((await stat(`${path}.1`)).size).toBe(2000);
  });

  it("writes no secrets: not by the name of a field, not by the look of a value", async () => {
    const log = makeLog();
    log.info("key sk-abcdefghijklmnop given", {
      apiKey: "hunter2hunter2",
      headers: { Authorization: "Basic aHVudGVyMg==", accept: "x" },
      line: "curl -H 'Authorization: Bearer hunter2hunter2'",
      totalTokens: 12,
      threadKey: "kept",
    });
    const text = await readFile(path, "utf8");
    for (const secret of ["abcdefghijklmnop", "hunter2hunter2", "aHVudGVyMg"])
      expect(text).not.toContain(secret);
    expect((await linesOf(path))[0]).toMatchObject({ facts: { totalTokens: 12, threadKey: "kept" } });
  });

  it("writes errors with their cause, and a fault with its code", async () => {
    const log = makeLog();
    log.error("Failed", { error: new Fault("code_here", "words", { cause: new TypeError("deep") }) });
    expect((await linesOf(path))[0]).toMatchObject({
      facts: {
        error: {
          name: "Fault",
          code: "code_here",
          message: "words",
          cause: { name: "TypeError", message: "deep" },
        },
      },
    });
  });

  it("takes any fact: endless, huge, odd", async () => {
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    makeLog().info("Odd", {
      endless,
      huge: "x".repeat(1_000_000),
      many: Array.from({ length: 100_000 }, (_, nth) => nth),
      bytes: new Uint8Array(1000),
      big: 10n,
      call: () => {},
      map: new Map([["a", 1]]),
      nothing: undefined,
      never: new Date(Number.NaN),
    });
    const [line] = await linesOf(path);
    expect(line).toMatchObject({ facts: { big: "10", bytes: "(1000 bytes)", map: [["a", 1]] } });
    expect((await stat(path)).size).toBeLessThan(20_000);
  });

  it("that cannot be written complains once, throws nothing, and says what was lost when it works again", async () => {
    const complaints: string[] = [];
    const inTheWay = join(folder, "later");
    const log = makeLog({ path: join(inTheWay, "main.log"), complain: (line) => complaints.push(line) });
    log.info("one");
    log.error("two");
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(inTheWay);
    await mkdir(inTheWay);
    log.info("three");
    expect(await linesOf(join(inTheWay, "main.log"))).toMatchObject([
      { message: "Lines of this log were lost", facts: { lost: 2 } },
      { message: "three" },
    ]);
  });

  it("writes nothing after it is closed, and can be closed twice", async () => {
    const log = makeLog();
    log.info("one");
    log.close();
    log.close();
    log.info("two");
    expect(await linesOf(path)).toHaveLength(1);
  });
});
