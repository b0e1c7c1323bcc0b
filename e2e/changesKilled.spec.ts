// Holdfast is killed in the middle of what it does in a repository: nothing of that goes on, nothing is lost, and it is said.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { listProcesses } from "../scripts/setup/processes.mjs";
import { test as base, expect } from "./support/app";
import { ChangesPage } from "./support/changesPage";
import { commandsWith } from "./support/processes";

const test = base.extend<{ git: (...args: string[]) => string }>({
  git: [
    async ({ sandbox }, use) => {
      const git = (...args: string[]) =>
        execFileSync("git", ["-C", sandbox.workspace, ...args], { encoding: "utf8" }).trimEnd();
      git("config", "user.name", "Ada");
      git("config", "user.email", "ada@example.org");
      git("add", "--all");
      git("commit", "--quiet", "--message", "Begin");
      await use(git);
    },
    { auto: true },
  ],
});

test("killed while a commit's hook runs: the hook is ended, nothing is committed, and the message is kept", async ({
  sandbox,
  codexHome,
  git,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  const waits = `sleep 4009.${process.pid}`;
  const waiting = () => commandsWith(waits, listProcesses());
  const hook = path.join(sandbox.workspace, ".git/hooks/pre-commit");
  writeFileSync(hook, `#!/bin/sh\n${waits} & wait\n`, { mode: 0o755 });
  writeFileSync(path.join(sandbox.workspace, "limits.txt"), "burst = 60\n");
  const before = new ChangesPage(first.page);
  await before.open();
  await before.page.getByRole("textbox", { name: "Commit message" }).fill("Raise the limit");
  await before.button(/^Commit/).click();
  await expect.poll(waiting).toHaveLength(1);
  await sandbox.kill(first);
  expect(waiting(), "what a commit runs does not end with Holdfast").toHaveLength(1);

  const second = await sandbox.launch({ environment });
  const said = second.page.getByRole("status").filter({ hasText: "cut off when Holdfast went away" });
  await expect(said).toContainText("Nothing is committed.");
  await second.page.screenshot({ path: test.info().outputPath("cut-off.png") });
  expect(waiting()).toEqual([]);
  const after = new ChangesPage(second.page);
  await expect(after.page.getByRole("textbox", { name: "Commit message" })).toHaveValue("Raise the limit");
  await expect(after.group(/^Not staged, 1/)).toBeVisible();
  expect(git("diff", "--cached", "--name-only")).toBe("");
  expect(sandbox.ledger.openCleanups()).toEqual([]);

  // The page goes away while the next one is made: its message does not stay as if it were still to be used.
  writeFileSync(hook, `#!/bin/sh\nwhile [ ! -e '${sandbox.temporary}/go' ]; do sleep 0.05; done\n`, {
    mode: 0o755,
  });
  await after.button(/^Commit/).click();
  await expect(after.button("Cancel the commit")).toBeVisible();
  await after.page.reload();
  await expect(after.page.getByRole("textbox", { name: "Commit message" })).toHaveValue("Raise the limit");
  writeFileSync(path.join(sandbox.temporary, "go"), "");
  await expect(after.page.getByRole("textbox", { name: "Commit message" })).toHaveValue("");
  expect(git("log", "--format=%s")).toBe("Raise the limit\nBegin");
});
