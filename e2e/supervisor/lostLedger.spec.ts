// The ledger is lost while an app-server of an earlier run lives: it is found all the same, and ended. The whole home is lost while
// Holdfast lives: it is said, and nothing goes on.

import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "../support/app";
import { message, partOf, reply, streamed } from "../support/modelServer";
import { commandsWith, describeProcess, isAlive } from "../support/processes";

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

test("the home is removed under a living Holdfast: it says so and ends what runs, and what was written stays to be copied", async ({
  sandbox,
  holdfast,
  model,
}) => {
  model.queue(reply(partOf("It takes "), [model.hold("never")], streamed("a while.")));
  await holdfast.newThread();
  await holdfast.send("Take your time.");
  await expect(holdfast.article("Agent")).toHaveText("It takes");
  const servers = () => commandsWith(" app-server ", sandbox.processes());
  expect(servers()).toHaveLength(1);
  await holdfast.message.fill("Not sent yet.");

  await rm(sandbox.home, { recursive: true, maxRetries: 5 });
  const gone = /own data is not there any more/;
  await expect(holdfast.page.getByText(gone).first()).toBeVisible({ timeout: 40_000 });
  await expect
    .poll(() => [...servers(), ...commandsWith("watchdog.cjs", sandbox.processes())].map(describeProcess), {
      message: "what it had started",
      timeout: 20_000,
    })
    .toEqual([]);
  await expect(holdfast.message).toHaveText("Not sent yet.");
  await expect(holdfast.article("Agent")).toHaveText(/^It takes/);
  // Nothing is begun that nobody could find again.
  await holdfast.restartCodex();
  await expect(holdfast.page.getByText(gone).last()).toBeVisible();
  expect(servers()).toEqual([]);
});
