// A process that cannot be ended: it stays owned and shown, holds up only what must not pile up, and is ended once it can be.

import { expect, test } from "../support/app";
import { message, reply } from "../support/modelServer";
import { describeProcess, processesOfHandle } from "../support/processes";
import { growStubbornTree } from "../support/stubborn";

/** Ending a tree takes some rounds of some seconds before it is given up. */
const givesUp = { timeout: 40_000 };
/** After so many attempts the next one is a minute away. */
const rarelyTried = 4;
/** The words of the code `process_cleanup_pending`. */
const refused = "An earlier codex of this workspace has not ended yet, so no other one is started beside it.";

test("a handle that cannot be closed: shown, one replacement, the second refused, and gone with Retry now", async ({
  holdfast,
  model,
  sandbox,
}) => {
  test.setTimeout(240_000);
  const { page } = holdfast;
  model.queue(reply(message("Noted.")));
  await holdfast.newThread();
  await holdfast.send("Note this.");
  await expect(holdfast.thread(/^Note this\., idle/)).toBeVisible();
  const old = await sandbox.ledger.onlyRunning();
  await expect(holdfast.pendingCleanup).toHaveCount(0);
  const panel = page.getByRole("tabpanel", { name: "Cleanup" });
  const retry = panel.getByRole("button", { name: "Retry now" });
  const tree = await growStubbornTree(old.handleId);
  try {
    await holdfast.restartCodex();
    await expect(holdfast.pendingCleanup).toContainText("1", givesUp);
    await holdfast.tab("Cleanup").click();
    await expect(panel).toContainText(String(old.pid));
    await expect(retry).toBeVisible();
    expect(sandbox.ledger.openCleanups()).toHaveLength(1);

    // One replacement works as if nothing were owed.
    await expect(holdfast.session).toContainText(/^connected/, givesUp);
    await expect.poll(() => sandbox.ledger.states().sort()).toEqual(["retired", "running"]);
    const replacement = sandbox.ledger.notGone().find(({ state }) => state === "running");
    expect(replacement?.pid).toBeGreaterThan(0);
    const spawned = sandbox.ledger.handles().length;
    model.queue(reply(message("Noted by the next one.")));
    await holdfast.send("And this.");
    await expect(holdfast.conversation).toContainText("Noted by the next one.");

    // A second one does not: it is refused in words, and the codex that runs stays usable.
    await holdfast.restartCodex();
    const notifications = page.getByRole("region", { name: "Notifications" });
    await expect(notifications).toContainText(refused, givesUp);
    await expect(notifications.getByRole("button", { name: "Show cleanup" })).toBeVisible();
    await expect(notifications.getByRole("button", { name: "Retry cleanup" })).toBeVisible();
    expect(sandbox.ledger.handles(), "nothing more was spawned").toHaveLength(spawned);
    expect(sandbox.ledger.states().sort()).toEqual(["retired", "running"]);
    await expect(holdfast.session).toContainText(/^connected/);

    // Nor does one that takes the place of a codex that has died: it is said where the conversation is.
    process.kill(replacement?.pid ?? 0, "SIGKILL");
    await expect(holdfast.session).toContainText("cleanup", givesUp);
    await expect(page.getByRole("main")).toContainText(refused);
    await expect(page.getByRole("main").getByRole("button", { name: "Retry cleanup" }).first()).toBeVisible();
    expect(sandbox.ledger.handles(), "nothing more was spawned").toHaveLength(spawned);
    await expect.poll(() => sandbox.ledger.states()).toEqual(["retired"]);

    await panel.getByRole("button", { name: "Show log" }).click();
    await expect(page.getByRole("dialog")).toContainText("codex");
    await page.keyboard.press("Escape");

    // As long as the cause is there, trying again changes nothing. Then it is tried ever more rarely by itself.
    // The last attempt was the button's, at any rate: so the next one is as far away as can be.
    const attempts = () => sandbox.ledger.openCleanups()[0]?.attempts ?? 0;
    do {
      await expect(retry).toBeEnabled(givesUp);
      const before = attempts();
      await retry.click();
      await expect.poll(attempts, givesUp).toBeGreaterThan(before);
    } while (attempts() < rarelyTried);
    await expect(retry).toBeEnabled(givesUp);
    await expect(holdfast.pendingCleanup).toContainText("1");
  } finally {
    await tree.giveIn();
  }
  expect(processesOfHandle(old).length, "what has to be ended is still there").toBeGreaterThan(0);
  await expect(retry).toBeEnabled();
  const nextAttemptAtMs = sandbox.ledger.openCleanups()[0]?.nextAttemptAtMs ?? 0;
  await retry.click();
  await expect(holdfast.pendingCleanup).toHaveCount(0);
  expect(Date.now(), "it was the button").toBeLessThan(nextAttemptAtMs);
  await expect
    .poll(() => processesOfHandle(old).map(describeProcess), "nothing of the old handle is left")
    .toEqual([]);
  expect(sandbox.ledger.openCleanups()).toEqual([]);
  expect(sandbox.ledger.stateOf(old.handleId)).toBe("gone");

  await holdfast.restartCodex();
  await expect(holdfast.session).toContainText(/^connected/);
  await sandbox.ledger.onlyRunning();
  model.queue(reply(message("All is well.")));
  await holdfast.send("And now?");
  await expect(holdfast.conversation).toContainText("All is well.");
});

test("what could not be ended before the app was killed is owed at the next start, and ended once it can be", async ({
  sandbox,
  codexHome,
  model,
}) => {
  test.setTimeout(180_000);
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  model.queue(reply(message("Noted.")));
  await first.newThread();
  await first.send("Note this.");
  await expect(first.thread(/^Note this\., idle/)).toBeVisible();
  const old = await sandbox.ledger.onlyRunning();
  const tree = await growStubbornTree(old.handleId);
  try {
    await first.restartCodex();
    await expect(first.pendingCleanup).toContainText("1", givesUp);
    await sandbox.kill(first);
  } finally {
    await tree.giveIn();
  }
  const second = await sandbox.launch({ environment });
  await expect
    .poll(() => processesOfHandle(old).map(describeProcess), { message: "the old handle", ...givesUp })
    .toEqual([]);
  await expect.poll(() => sandbox.ledger.stateOf(old.handleId)).toBe("gone");
  await expect.poll(() => sandbox.ledger.openCleanups()).toEqual([]);
  await expect(second.pendingCleanup).toHaveCount(0);
});
