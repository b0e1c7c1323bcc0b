// A window's page goes away in the middle of a message: main has everything, so there is neither a gap nor a repeat.

import type { Locator, Page } from "@playwright/test";
import { expect, type Holdfast, test } from "../support/app";
import type { ModelServer } from "../support/modelServer";
import { partOf, reply, streamed } from "../support/modelServer";
import { openNewEyes } from "../support/newEyes";

const parts = ["One potato, ", "two potato, three potato, ", "four, and that is all."] as const;
const whole = parts.join("");

async function sayTheFirstPart(holdfast: Holdfast, model: ModelServer): Promise<void> {
  const [first, second, third] = parts;
  model.queue(
    reply(partOf(first), [model.hold("first")], partOf(second), [model.hold("second")], streamed(third)),
  );
  await holdfast.newThread();
  await holdfast.send("Count them.");
  await expect(holdfast.article("Agent")).toHaveText(first.trim());
}

function agentOn(page: Page): Locator {
  return page.getByRole("log", { name: "Conversation" }).getByRole("article", { name: "Agent", exact: true });
}

async function expectTheRest(page: Page, model: ModelServer): Promise<void> {
  const agent = agentOn(page);
  await expect(agent).toHaveText(`${parts[0]}${parts[1]}`.trim());
  model.gate("second").release();
  await expect(page.getByRole("treeitem", { name: /^Count them\., idle/ })).toBeVisible();
  await expect(agent).toHaveText(whole);
  await expect(agent).toHaveCount(1);
  await expect(page.getByRole("article", { name: "You", exact: true })).toHaveText("Count them.");
}

test("a page that is reloaded in mid-stream shows the whole text once", async ({
  holdfast,
  model,
  sandbox,
}) => {
  await sayTheFirstPart(holdfast, model);
  const handle = await sandbox.ledger.onlyRunning();
  const reloaded = holdfast.page.reload();
  model.gate("first").release();
  await model.gate("second").reached;
  await reloaded;
  await expectTheRest(holdfast.page, model);
  expect((await sandbox.ledger.onlyRunning()).pid).toBe(handle.pid);
  expect(model.requests).toHaveLength(1);
});

test("a page whose renderer crashes in mid-stream comes back with the whole text once", async ({
  holdfast,
  model,
  sandbox,
}) => {
  await sayTheFirstPart(holdfast, model);
  const handle = await sandbox.ledger.onlyRunning();
  await sandbox.ledger.untilThreadIsRemembered();
  const crashed = holdfast.page.waitForEvent("crash");
  await holdfast.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
  await crashed;
  model.gate("first").release();
  await model.gate("second").reached;
  const eyes = await openNewEyes(holdfast.app, sandbox.home);
  await expectTheRest(eyes.page, model);
  await expect(eyes.page.getByRole("status", { name: "Session" })).toContainText(/^connected/);
  await eyes.close();
  expect((await sandbox.ledger.onlyRunning()).pid).toBe(handle.pid);
  expect(model.requests).toHaveLength(1);
});
