// A window goes away while codex starts its thread, which waits for an MCP server (behaviour: Residency). The start is not
// undone, the message arrives once, and what nobody needs any more is unloaded, the MCP server with it.

import { test as base, expect } from "../support/app";
import { BlockedMcp, expectGone } from "../support/blockedMcp";
import { expectNothingLoaded, loadedThreads } from "../support/codexClient";
import { message, reply } from "../support/modelServer";
import { openWindow } from "../support/openWindow";

const test = base.extend<{ mcp: BlockedMcp }>({
  mcp: async ({ sandbox }, use) => {
    const mcp = new BlockedMcp(sandbox.temporary);
    await use(mcp);
    // Nothing waits for it when the test has failed before.
    mcp.release();
  },
  codexHomeOptions: async ({ mcp }, use) => {
    await use({ topLines: ["thread_unload_delay_secs = 1"], extraLines: mcp.configLines });
  },
});

test("a window is closed while an MCP server holds up the start of its thread", async ({
  holdfast: first,
  mcp,
  model,
  sandbox,
}) => {
  model.queue(reply(message("Started after all.")));
  await first.newThread();
  await first.send("Start, please.");
  const pid = await mcp.waiting();
  await expect(first.conversation).toContainText("Start, please.");
  const handle = await sandbox.ledger.onlyRunning();
  const second = await openWindow(first);
  await expect(second.sidebar).toBeVisible();

  // Closing waits neither for the MCP server nor for the deadline of what is asked of codex, and whoever is left can go on: a
  // thread cannot be started, but one can write.
  await first.page.close();
  await expect.poll(() => second.app.windows().length, { timeout: 8_000 }).toBe(1);
  await second.newThread();
  await second.message.fill("Meanwhile in the other window.");
  expect(model.requests).toHaveLength(0);

  mcp.release();
  const row = second.thread(/^Start, please\./);
  // It is idle for no longer than a second, which may go unseen.
  await model.request(0);
  await expect(row).toHaveAccessibleName(/, not loaded/);
  expect(model.requests, "delivered once").toHaveLength(1);
  await expectNothingLoaded(handle);
  await expectGone(pid);

  await row.click();
  await expect(second.article("You")).toHaveText(["Start, please."]);
  await expect(second.article("Agent")).toHaveText(["Started after all."]);
  await expect(row).toHaveAccessibleName(/, idle/);
  expect(await loadedThreads(handle)).toHaveLength(1);
  expect(model.requests).toHaveLength(1);
});

test("two windows show a thread that starts, and the one that started it is closed", async ({
  holdfast: first,
  mcp,
  model,
  sandbox,
}) => {
  model.queue(reply(message("For whoever is left.")));
  const second = await openWindow(first);
  await first.newThread();
  await first.message.fill("Who is left?");
  // The same new thread: nothing has been said in it yet.
  await second.newThread();
  await expect(second.message).toHaveText("Who is left?");
  await first.button("Send").click();
  await mcp.waiting();
  await expect(second.conversation).toContainText("Who is left?");
  await first.page.close();
  mcp.release();
  await expect(second.article("Agent")).toHaveText(["For whoever is left."]);
  await expect(second.article("You")).toHaveText(["Who is left?"]);
  const handle = await sandbox.ledger.onlyRunning();
  expect(await loadedThreads(handle), "it is shown").toHaveLength(1);
  expect(model.requests).toHaveLength(1);
});

test("a window that is closed before anything was sent leaves nothing behind in codex", async ({
  holdfast: first,
  mcp,
  model,
  sandbox,
}) => {
  await first.newThread();
  await first.message.fill("Not yet.");
  const handle = await sandbox.ledger.onlyRunning();
  const second = await openWindow(first);
  await expect(second.sidebar).toBeVisible();
  await first.page.close();
  expect(await loadedThreads(handle)).toEqual([]);
  expect(mcp.hasStarted).toBe(false);
  expect(model.requests).toHaveLength(0);
  await second.newThread();
  await expect(second.message).toHaveText("Not yet.");
});
