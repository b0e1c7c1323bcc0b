// Jobs in the middle of which Holdfast is killed: nothing of them goes on, and what came of them is said.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { listProcesses } from "../../../scripts/setup/processes.mjs";
import { bundle, startProcess } from "../../ledger/testProcess";
import type { NewCommit } from "./commit";
import { TestRepository } from "./testRepository";

let folder: string;
let script: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-killed-job-"));
  script = await bundle(new URL("testKilledChanges.ts", import.meta.url), folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let repository: TestRepository;
beforeEach(() => {
  repository = new TestRepository();
});
afterEach(() => repository.remove());

const cleanupId = "job:job";
const everything: NewCommit = { message: "Raise it\n\nMore.", what: "everything", amend: false };
/** What no other process of this machine says. */
const waits = `sleep 4007.${process.pid}`;
const waiting = () => listProcesses().filter(({ command }) => command.includes(waits));
const names = (...args: string[]) => repository.git("diff", "--name-only", ...args).split("\n");
const kept = () => {
  try {
    return readdirSync(join(repository.root, ".git", "holdfast"));
  } catch {
    return [];
  }
};

/** Until `isThere`; then Holdfast is killed, and nothing else. */
async function killedWhile(
  does: { commit: NewCommit } | { push: string },
  isThere: () => boolean,
): Promise<void> {
  const { root, environment, base } = repository;
  const task = { ledger: join(base, "holdfast.db"), folder: root, environment, does, step: 0, when: "after" };
  const child = startProcess(script, [JSON.stringify(task)]);
  await expect.poll(isThere, { timeout: 20_000 }).toBe(true);
  await child.kill();
  expect(repository.cleanups.list().map(({ id }) => id)).toEqual([cleanupId]);
}

function hook(name: string, text: string): void {
  writeFileSync(join(repository.root, ".git", "hooks", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** Two files have changed, of which one is staged. */
async function change(): Promise<void> {
  for (const name of ["one", "two"]) repository.write(name, "1\n");
  repository.commit();
  for (const name of ["one", "two"]) repository.write(name, "2\n");
  await repository.changes.stage("w", ["one"]);
}

test("a commit whose hook runs: both are ended, nothing is committed, and what was staged is as before", async () => {
  await change();
  const head = repository.git("rev-parse", "HEAD");
  hook("pre-commit", `${waits} & wait`);
  await killedWhile({ commit: everything }, () => waiting().length > 0);
  expect(names("--cached"), "it was staged for the commit").toEqual(["one", "two"]);
  expect(waiting(), "nobody has ended it yet").toHaveLength(1);

  expect(await repository.cleanups.retry(cleanupId)).toBeNull();
  expect(waiting()).toEqual([]);
  expect(repository.git("rev-parse", "HEAD")).toBe(head);
  expect([names("--cached"), names()]).toEqual([["one"], ["two"]]);
  expect(repository.told).toEqual([
    "A commit in engine was cut off when Holdfast went away. Nothing is committed. Its message is still on the page Changes.",
  ]);
  expect(repository.committed).toEqual([]);
  expect(kept()).toEqual([]);
  expect(repository.cleanups.list()).toEqual([]);
});

test("a first commit: nothing was staged, and nothing is", async () => {
  repository.write("one", "1\n");
  hook("pre-commit", `${waits} & wait`);
  await killedWhile({ commit: everything }, () => waiting().length > 0);
  expect(await repository.cleanups.retry(cleanupId)).toBeNull();
  expect(repository.git("ls-files", "--cached")).toBe("");
});

test("a file that has changed since: what was staged for the commit is not thrown away", async () => {
  await change();
  hook("pre-commit", `${waits} & wait`);
  await killedWhile({ commit: everything }, () => waiting().length > 0);
  repository.write("two", "3\n");
  expect(await repository.cleanups.retry(cleanupId)).toBeNull();
  expect(repository.git("show", ":two")).toBe("2");
  expect(repository.told.join()).toContain("All that had changed is staged now.");
});

test("a commit that was there already is told as one, and its message is done", async () => {
  await change();
  hook("post-commit", `${waits} & wait`);
  await killedWhile({ commit: everything }, () => waiting().length > 0);
  expect(await repository.cleanups.retry(cleanupId)).toBeNull();
  expect(waiting()).toEqual([]);
  expect(repository.told).toEqual([
    "“Raise it” is committed in engine: that was done when Holdfast went away.",
  ]);
  expect(repository.committed).toEqual([everything.message]);
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(kept()).toEqual([]);
});

test("the same again, before what is left was ended: that is done first, and there is one commit", async () => {
  await change();
  hook(
    "pre-commit",
    `[ -e '${repository.base}/seen' ] || { touch '${repository.base}/seen'; ${waits} & wait; }`,
  );
  await killedWhile({ commit: everything }, () => waiting().length > 0);
  await repository.changes.commit("w", "second", everything);
  expect(waiting()).toEqual([]);
  expect(repository.git("rev-list", "--count", "HEAD")).toBe("2");
  expect(repository.told).toHaveLength(1);
  expect(repository.cleanups.list()).toEqual([]);
});

test("a push is ended, and said", async () => {
  await change();
  repository.git("init", "--quiet", "--bare", join(repository.base, "remote"));
  repository.git("remote", "add", "origin", join(repository.base, "remote"));
  hook("pre-push", `${waits} & wait`);
  await killedWhile({ push: "origin" }, () => waiting().length > 0);
  expect(await repository.cleanups.retry(cleanupId)).toBeNull();
  expect(waiting()).toEqual([]);
  expect(repository.told.join()).toMatch(/^Pushing \S+ from engine was cut off/);
});

test("where its folder is gone, there is nothing to say", async () => {
  await change();
  hook("pre-commit", `${waits} & wait`);
  await killedWhile({ commit: everything }, () => waiting().length > 0);
  rmSync(repository.root, { recursive: true });
  expect(await repository.cleanups.retry(cleanupId)).toBeNull();
  expect([waiting(), repository.told, repository.cleanups.list()]).toEqual([[], [], []]);
});
