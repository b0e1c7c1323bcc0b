// Threads that codex is unloading, or cannot open because another program holds its lock (behaviour: Residency).

import { test as base, expect } from "../support/app";
import { expectNothingLoaded, loadedThreads } from "../support/codexClient";
import { type HeldLock, holdCoordinationLock } from "../support/coordinationLock";
import { message, reply } from "../support/modelServer";
import { refusals, stagedEnvironment, stageUnload } from "../support/staged";

const test = base.extend<{ holdLock: () => Promise<HeldLock> }>({
  holdLock: async ({ codexHome }, use) => {
    const locks: HeldLock[] = [];
    await use(async () => {
      const lock = await holdCoordinationLock(codexHome.path);
      locks.push(lock);
      return lock;
    });
    for (const lock of locks) await lock.release();
  },
});
test.use({ codexHomeOptions: { topLines: ["thread_unload_delay_secs = 0"] } });

test("a thread that is opened at the moment codex unloads it is loaded anew, with all of its history", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path, ...(await stagedEnvironment()) };
  const holdfast = await sandbox.launch({ environment });
  model.queue(reply(message("The first answer.")));
  await holdfast.newThread();
  await holdfast.send("First.");
  const row = holdfast.thread(/^First\./);
  await expect(row).toHaveAccessibleName(/, idle/);
  const handle = await sandbox.ledger.onlyRunning();
  const socketPath = handle.socketPath ?? "";
  // codex takes a few milliseconds for it: the moment is met more often than not, and what follows holds either way.
  await expect(async () => {
    await holdfast.newThread();
    await expect(row).toHaveAccessibleName(/, not loaded/);
    await stageUnload(socketPath);
    await row.click();
    await expect(holdfast.article("Agent")).toHaveText(["The first answer."]);
    await expect(row).toHaveAccessibleName(/, idle/);
    await expect(holdfast.button("Retry")).toHaveCount(0);
    expect(await refusals(socketPath), "codex was just unloading it").toBeGreaterThan(0);
  }).toPass({ timeout: 60_000 });
  expect(await loadedThreads(handle)).toHaveLength(1);

  model.queue(reply(message("The second answer.")));
  await holdfast.send("Second.");
  await expect(holdfast.article("Agent")).toHaveText(["The first answer.", "The second answer."]);
  await expect(holdfast.article("You")).toHaveText(["First.", "Second."]);
  expect(JSON.stringify(model.requests[1]?.body.input)).toContain("The first answer.");
});

test("a message that is sent to a thread at the moment codex unloads it arrives once", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path, ...(await stagedEnvironment()) };
  const holdfast = await sandbox.launch({ environment });
  model.queue(reply(message("The first answer.")), reply(message("The second answer.")));
  await holdfast.newThread();
  await holdfast.send("First.");
  const row = holdfast.thread(/^First\./);
  await expect(row).toHaveAccessibleName(/, idle/);
  const handle = await sandbox.ledger.onlyRunning();
  await holdfast.newThread();
  await expect(row).toHaveAccessibleName(/, not loaded/);
  await stageUnload(handle.socketPath ?? "");
  await row.click();
  await holdfast.send("Second.");
  await expect(holdfast.article("Agent")).toHaveText(["The first answer.", "The second answer."]);
  expect(model.requests).toHaveLength(2);
});

test("while another program holds the lock: unloading ends, a thread that waits holds up nothing, and comes when it is free", async ({
  holdfast,
  holdLock,
  model,
  sandbox,
}) => {
  model.queue(reply(message("Kept.")), reply(message("Beside it.")), reply(message("Still going.")));
  await holdfast.newThread();
  await holdfast.send("Keep this.");
  const kept = holdfast.thread(/^Keep this\./);
  await expect(kept).toHaveAccessibleName(/, idle/);
  const handle = await sandbox.ledger.onlyRunning();
  const lock = await holdLock();
  await holdfast.newThread();
  await expect(kept, "unloaded all the same").toHaveAccessibleName(/, not loaded/);
  await expectNothingLoaded(handle);

  await kept.click();
  // One can read, write, and look at something else, meanwhile.
  await expect(holdfast.article("Agent")).toHaveText(["Kept."]);
  await holdfast.message.fill("Written while it waits.");
  await holdfast.newThread();
  await expect(holdfast.message).toBeEditable();
  await kept.click();
  await expect(holdfast.message).toHaveText("Written while it waits.");
  await expect(holdfast.page.getByText("codex does not answer")).toBeVisible({ timeout: 20_000 });
  await lock.release();
  await expect(holdfast.article("Agent")).toHaveText(["Kept."]);
  await expect(holdfast.page.getByText("codex does not answer")).toHaveCount(0);
  await expect(kept).toHaveAccessibleName(/, idle/);
  await holdfast.button("Send").click();
  await expect(holdfast.article("You")).toHaveText(["Keep this.", "Written while it waits."]);
});
