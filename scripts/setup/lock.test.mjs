// The lock against real processes: what is tested is what happens when they die.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withSetupLock } from "./lock.mjs";
import { readProcess } from "./processes.mjs";

const lockModule = new URL("./lock.mjs", import.meta.url).href;

let folder = "";
let lockFile = "";
/** @type {import("node:child_process").ChildProcess[]} */
let children = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "holdfast-lock-"));
  lockFile = path.join(folder, "lock");
  children = [];
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  rmSync(folder, { recursive: true });
});

/**
 * Runs a program in which `withLock` is at hand; its first line of output has come when this resolves.
 * @param {string} program
 */
async function start(program) {
  const withLock = `const withLock = (task) => withSetupLock(task, ${JSON.stringify(lockFile)});`;
  const text = `import { withSetupLock } from ${JSON.stringify(lockModule)};\n${withLock}\n${program}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", text], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  children.push(child);
  const [line] = await once(child.stdout, "data");
  return { child, line: String(line).trim() };
}

/** Holds the lock until its input ends. */
const holder = `await withLock(async () => {
  console.log("held");
  for await (const _ of process.stdin);
});`;

describe("withSetupLock", () => {
  test("gives back the lock after the task, also after a failure", async () => {
    expect(await withSetupLock(async () => existsSync(lockFile), lockFile)).toBe(true);
    expect(existsSync(lockFile)).toBe(false);
    const failing = withSetupLock(() => Promise.reject(new Error("no")), lockFile);
    await expect(failing).rejects.toThrow("no");
    expect(existsSync(lockFile)).toBe(false);
  });

  test("lets one process in at a time", async () => {
    const counter = path.join(folder, "counter");
    writeFileSync(counter, "0");
    const add = `import { readFileSync, writeFileSync } from "node:fs";
      for (let i = 0; i < 5; i += 1) await withLock(async () => {
        const count = Number(readFileSync(${JSON.stringify(counter)}, "utf8"));
        await new Promise(setImmediate);
        writeFileSync(${JSON.stringify(counter)}, String(count + 1));
      });
      console.log("done");`;
    await Promise.all([start(add), start(add), start(add)]);
    expect(readFileSync(counter, "utf8")).toBe("15");
  });

  test("waits for a holder that lives", async () => {
    const { child } = await start(holder);
    let entered = false;
    const waiting = withSetupLock(async () => {
      entered = true;
    }, lockFile);
    await new Promise(setImmediate);
    expect(entered).toBe(false);
    child.stdin?.end();
    await waiting;
    expect(entered).toBe(true);
  });

  test("takes over from a holder that was killed, and ends what it had started", async () => {
    const { child, line } = await start(`import { spawn } from "node:child_process";
      await withLock(async () => {
        const orphan = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
        console.log(orphan.pid);
        for await (const _ of process.stdin);
      });`);
    const orphan = Number(line);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(existsSync(lockFile)).toBe(true);
    if (process.platform === "linux") expect(readProcess(orphan)).toBeDefined();
    expect(await withSetupLock(async () => readProcess(orphan), lockFile)).toBeUndefined();
    expect(existsSync(lockFile)).toBe(false);
  });

  test.runIf(process.platform === "linux")(
    "does not take a process for the holder that only has its id",
    async () => {
      writeFileSync(lockFile, JSON.stringify({ pid: process.pid, startTime: "1" }));
      expect(await withSetupLock(async () => "in", lockFile)).toBe("in");
    },
  );

  test("does not leave its marker to what is started afterwards", async () => {
    expect(await withSetupLock(async () => process.env.HOLDFAST_SETUP, lockFile)).toBe(lockFile);
    expect(process.env.HOLDFAST_SETUP).toBeUndefined();
  });
});
