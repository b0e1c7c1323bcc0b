import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { silentLog } from "../../../log";
import { mostPrinted } from "./printed";
import { readSetupLog, SetupLog, setupLogPath } from "./setupLog";
import { TestStarts } from "./testStarts";

let test: TestStarts;

beforeEach(() => {
  test = new TestStarts();
  return test.open();
});

afterEach(() => test.remove());

const setUp = (script: string) => test.starts.setSetup(test.engine, { script, copies: [] });
const worktreeId = () =>
  test.worktrees.workspaces.list().find(({ name }) => name === "fix-limiter")?.id ?? "";
const logText = () => readFileSync(test.starts.logPath(worktreeId()) ?? "", "utf8");

it("what a set-up has printed is still there when its thread has begun, and after a restart", async () => {
  setUp("echo one; echo two");
  await test.begin();
  await test.until(() => test.begun.size === 1);
  expect(logText()).toBe("one\ntwo\n[ended with exit code 0]\n");
  expect(statSync(test.starts.logPath(worktreeId()) ?? "").mode & 0o777).toBe(0o600);
  await test.restart();
  expect(logText()).toContain("one\ntwo\n");
});

it("of a set-up that has failed it is shown after a restart, and the next one takes its place", async () => {
  setUp("printf broken; exit 7");
  await test.begin();
  await test.until(() => test.phases[0] === "stopped");
  expect(logText()).toBe("broken\n[ended with exit code 7]\n");
  await test.restart();
  expect(await test.output()).toBe("broken\n[ended with exit code 7]\n");
  setUp("echo mended");
  test.starts.again(test.only.startId);
  await test.until(() => test.begun.size === 1);
  expect(logText()).toBe("mended\n[ended with exit code 0]\n");
});

it("there is none of what is no worktree of Holdfast's, wherever its name leads", async () => {
  mkdirSync(join(test.worktrees.home, "logs"), { recursive: true });
  writeFileSync(setupLogPath(join(test.worktrees.home, "logs"), test.engine), "another's");
  expect(test.starts.logPath(test.engine)).toBe(null);
  expect(test.starts.logPath("../../holdfast")).toBe(null);
});

it("of a flood the end is kept", async () => {
  const logs = join(test.worktrees.home, "logs");
  const log = new SetupLog(setupLogPath(logs, "w"), silentLog);
  const all = `${"x".repeat(mostPrinted)}the end`;
  for (let at = 0; at < all.length; at += 50_000) log.add(all.slice(at, at + 50_000));
  await log.end(all.slice(-mostPrinted), {
    how: "stopped",
    exitCode: null,
    signal: null,
    durationMs: 1,
    fault: null,
  });
  expect(readSetupLog(logs, "w").endsWith("xthe end\n[stopped]\n")).toBe(true);
  expect(statSync(log.path).size).toBeLessThan(mostPrinted + 100);
});

it("a log that cannot be written keeps no thread from beginning", async () => {
  rmSync(join(test.worktrees.home, "logs"), { recursive: true, force: true });
  writeFileSync(join(test.worktrees.home, "logs"), "a file in its place");
  const log = new SetupLog(setupLogPath(join(test.worktrees.home, "logs"), "w"), silentLog);
  log.add("words");
  await log.end("words", { how: "done", exitCode: null, signal: null, durationMs: 1, fault: null });
  expect(readSetupLog(join(test.worktrees.home, "logs"), "w")).toBe("");
});
