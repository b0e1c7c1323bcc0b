// Holdfast is killed while terminals run in environments: the next start says so, and ends what still runs of them. With real
// exec-servers, one elsewhere and one of Holdfast's own.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { test as base, expect } from "./support/app";
import { BuildBox } from "./support/buildBox";
import { addEnvironmentByFile } from "./support/environments";
import { isAlive } from "./support/processes";

const test = base.extend<{ box: BuildBox }>({
  box: async ({ sandbox }, use) => {
    const box = await BuildBox.make(sandbox.temporary);
    await box.register(await box.start("A"));
    await use(box);
    await sandbox.endAll();
    await box.end();
  },
});

const status = (page: Page) => page.getByRole("status", { name: "Terminal", exact: true });
const terminals = (page: Page) => page.getByRole("tablist", { name: "Terminals" }).getByRole("tab");
const command = "echo $$ > pid; exec sleep 1000";
/** Much less than an exec-server waits for somebody to come back. */
const soon = { timeout: 10_000 };

async function run(page: Page, folder: string): Promise<number> {
  await page.getByRole("tab", { name: "Terminal", exact: true }).click();
  await page.getByRole("textbox", { name: "Folder", exact: true }).fill(folder);
  await page.getByRole("textbox", { name: "Command", exact: true }).fill(command);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const pid = () => {
    try {
      return Number(readFileSync(path.join(folder, "pid"), "utf8"));
    } catch {
      // Not written yet.
      return 0;
    }
  };
  await expect.poll(pid).toBeGreaterThan(0);
  return pid();
}

async function expectLost(page: Page, folder: string): Promise<void> {
  await expect(terminals(page)).toHaveAccessibleName(`${command}, lost`);
  await expect(status(page)).toContainText("Lost: Holdfast went away while it ran.");
  await expect(status(page)).toContainText(folder);
}

test("elsewhere: what ran is listed as lost, and ended", async ({ sandbox, codexHome, box }) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await addEnvironmentByFile(first, "build-box", box.registryPath);
  const pid = await run(first.page, box.folder);
  await sandbox.kill(first);
  expect(isAlive(pid)).toBe(true);

  const second = await sandbox.launch({ environment });
  await expect.poll(() => isAlive(pid), soon).toBe(false);
  await expectLost(second.page, box.folder);
});

test("on this machine: the exec-server that goes on is asked, and no other is started", async ({
  sandbox,
  codexHome,
  box,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await first.sidebar.getByRole("button", { name: /^Environments/ }).click();
  await first.button("Run one on this machine").click();
  const handle = await sandbox.ledger.onlyExecServer();
  const pid = await run(first.page, box.folder);
  await sandbox.kill(first);
  expect(isAlive(pid)).toBe(true);

  const second = await sandbox.launch({ environment });
  await expect.poll(() => isAlive(pid), soon).toBe(false);
  await expectLost(second.page, box.folder);
  expect(isAlive(handle.pid)).toBe(true);

  await sandbox.kill(second);
  process.kill(handle.pid, "SIGKILL");
  await expect.poll(() => isAlive(handle.pid)).toBe(false);
  const third = await sandbox.launch({ environment });
  await third.sidebar.getByRole("button", { name: /^Environments/ }).click();
  await expect(third.page.getByRole("status", { name: "Environment", exact: true })).toHaveText(
    /stopped|failed/,
  );
  expect(sandbox.ledger.execServers()).toHaveLength(1);
});
