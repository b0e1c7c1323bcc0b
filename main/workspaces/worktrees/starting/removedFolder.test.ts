// A worktree that is removed, from outside, while its set-up script runs.

import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { processStartTime } from "../../../supervisor/processTree";
import { TestStarts } from "./testStarts";

let test: TestStarts;

beforeEach(() => {
  test = new TestStarts();
  return test.open();
});

afterEach(() => test.remove());

it.each([
  ["deleted", (folder: string) => rmSync(folder, { recursive: true })],
  ["replaced", (folder: string) => [renameSync(folder, `${folder}-2`), mkdirSync(folder)]],
])("it is %s: the script is ended with all that it has started, and that is said", async (how, take) => {
  const started = join(test.worktrees.root, "started");
  execFileSync("mkfifo", [started]);
  const script = `sleep 600 & echo $! > '${started}'; wait`;
  test.starts.setSetup(test.engine, { script, copies: [] });
  const key = await test.begin();
  const pid = Number(await readFile(started, "utf8"));
  const { workspaces } = test.worktrees;
  take(workspaces.list().find(({ name }) => name === "fix-limiter")?.path ?? "none");
  await test.until(() => test.phases[0] === "stopped");
  expect(processStartTime(pid)).toBeNull();
  expect(test.only.state).toMatchObject({
    ending: { how: "folder gone", fault: { code: "setup_no_folder" } },
  });
  expect(test.begun.has(key)).toBe(false);
  expect(test.worktrees.branches()).toContain("fix-limiter");
  const isGone = () => workspaces.list().some(({ gone }) => gone);
  await vi.waitFor(() => expect(isGone()).toBe(how === "deleted"));
});
