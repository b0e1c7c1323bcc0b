// The ledger is lost while an app-server of an earlier run lives: it is found all the same, and ended.

import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "../support/app";
import { message, partOf, reply, streamed } from "../support/modelServer";
import { commandsWith, isAlive } from "../support/processes";

test("a damaged ledger: what ran is ended, the loss is said, and the thread can be used", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  model.queue(reply(partOf("It takes "), [model.hold("killed")], streamed("a while.")));
  await first.newThread();
  await first.send("Take your time.");
  await expect(first.article("Agent")).toHaveText("It takes");
  const handle = await sandbox.ledger.onlyRunning();
  await sandbox.kill(first);
  expect(isAlive(handle.pid), "the app-server goes on").toBe(true);
  for (const name of await readdir(sandbox.home)) {
    if (/-(wal|shm)$/.test(name)) await rm(path.join(sandbox.home, name));
  }
  await writeFile(path.join(sandbox.home, "holdfast.db"), "This is no database.".repeat(1_000));

  const second = await sandbox.launch({ environment });
  await expect(second.page.getByText(/database was damaged/).first()).toBeVisible();
  await expect(second.session).toContainText(/^connected/);
  await expect.poll(() => isAlive(handle.pid), "the app-server of the lost ledger").toBe(false);
  const fresh = await sandbox.ledger.onlyRunning();
  expect(commandsWith(" app-server ", sandbox.processes()).map(({ pid }) => pid)).toEqual([fresh.pid]);
  await second.thread(/^Take your time\./).click();
  model.queue(reply(message("Here I am again.")));
  await second.send("Go on.");
  await expect(second.conversation).toContainText("Here I am again.");
});
