import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterEach, expect, it, vi } from "vitest";
import { inProject } from "./project.mjs";
import { saying } from "./report.mjs";

afterEach(() => vi.useRealTimers());

/**
 * One that has ended and that nobody has asked about yet is still listed.
 * @param {number} pid
 */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

it("what a program has started is ended with it when the script is interrupted", async () => {
  const module = JSON.stringify(inProject("scripts", "setup", "command.mjs"));
  const script = `
    import { run } from ${module};
    const shell = "sleep 300 & echo $! >&2; echo $$ >&2; wait";
    await run("sh", ["-c", shell], { showErrors: true }).catch(() => process.exit(1));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  /** @type {number[]} */
  const pids = [];
  for await (const line of createInterface({ input: child.stderr })) {
    pids.push(Number(line));
    if (pids.length === 2) break;
  }
  expect(pids.map(isAlive)).toEqual([true, true]);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([1, null]);
  await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), { timeout: 30_000 });
});

it("what takes long is said to go on, and how long it took at the end", async () => {
  vi.useFakeTimers();
  /** @type {string[]} */
  const said = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  /** @type {(value: string) => void} */
  let finish = () => {};
  const result = saying("Making it", () => new Promise((resolve) => (finish = resolve)));
  await vi.advanceTimersByTimeAsync(31_000);
  finish("made");
  expect(await result).toBe("made");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual([
    "holdfast: Making it ...\n",
    "holdfast: Making it: 15 s so far\n",
    "holdfast: Making it: 30 s so far\n",
    "holdfast: Making it: done in 31.0 s\n",
  ]);
});
