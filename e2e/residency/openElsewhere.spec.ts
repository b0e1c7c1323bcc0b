// A thread that another codex has open (behaviour: Residency): it can be read, forked, and tried again, as often as one likes,
// and nothing is left over from it.

import path from "node:path";
import { test as base, expect } from "../support/app";
import { openCodexClient } from "../support/codexClient";
import { message, partOf, reply } from "../support/modelServer";
import { processesOfHandle } from "../support/processes";
import { startStrangerCodex } from "../support/realCodex";

interface Holder {
  /** Another codex opens the thread and keeps it. */
  open(threadId: string): Promise<void>;
  /** A message is sent there. */
  send(threadId: string, text: string): Promise<void>;
  end(): Promise<void>;
}

const test = base.extend<{ holder: Holder }>({
  holder: async ({ codexHome, sandbox }, use) => {
    const socketPath = path.join(sandbox.temporary, "other.sock");
    const codex = await startStrangerCodex(codexHome.path, socketPath);
    const client = await openCodexClient({ socketPath });
    await use({
      open: async (threadId) => {
        // codex lets go of a thread a moment after it has said so.
        await expect(async () => {
          await client.rpc.request("thread/resume", { threadId, excludeTurns: true });
        }).toPass({ timeout: 15_000 });
      },
      send: async (threadId, text) => {
        const input = [{ type: "text" as const, text, text_elements: [] }];
        await client.rpc.request("turn/start", { threadId, input });
      },
      end: () => codex.end(),
    });
    client.close();
    await codex.end();
  },
});
test.use({ codexHomeOptions: { topLines: ["thread_unload_delay_secs = 0"] } });

test("a thread that another codex has open can be read, retried ten times, forked, and used once it is free", async ({
  holdfast,
  holder,
  model,
  sandbox,
}) => {
  model.queue(reply(message("From before.")));
  await holdfast.newThread();
  await holdfast.send("Before.");
  const only = holdfast.thread(/^Before\./);
  await expect(only).toHaveAccessibleName(/, idle/);
  // The copy will have the same title.
  const rowId = (await only.getAttribute("id")) ?? "";
  const row = only.and(holdfast.page.locator(`[id="${rowId}"]`));
  const handle = await sandbox.ledger.onlyRunning();
  await holdfast.newThread();
  await expect(row).toHaveAccessibleName(/, not loaded/);
  await holder.open(rowId.replace(/^row-/, ""));

  await row.click();
  const said = holdfast.page.getByRole("note").filter({ hasText: "Another program has this thread open" });
  await expect(said).toBeVisible();
  await expect(holdfast.article("Agent")).toHaveText(["From before."]);
  await expect(row).toHaveAccessibleName(/, not loaded/);
  const processes = processesOfHandle(handle).map(({ pid }) => pid);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await holdfast.button("Retry").click();
    await expect(holdfast.button("Retry")).toBeEnabled();
    await expect(said).toBeVisible();
  }
  expect(processesOfHandle(handle).map(({ pid }) => pid)).toEqual(processes);
  await expect(holdfast.session).toContainText(/^connected/);

  await holdfast.button("Fork").click();
  await expect(said).toHaveCount(0);
  await expect(holdfast.article("Agent")).toHaveText(["From before."]);
  model.queue(reply(message("In the copy.")));
  await holdfast.send("Go on in the copy.");
  await expect(holdfast.article("Agent")).toHaveText(["From before.", "In the copy."]);

  await row.click();
  await expect(said).toBeVisible();
  await holder.end();
  await holdfast.button("Retry").click();
  await expect(said).toHaveCount(0);
  model.queue(reply(message("In the original.")));
  await holdfast.send("Go on here.");
  await expect(holdfast.article("Agent")).toHaveText(["From before.", "In the original."]);
});

test("a turn that goes on in the other program is not called interrupted, and ends there with that program", async ({
  holdfast,
  holder,
  model,
}) => {
  model.queue(reply(message("From before.")), reply(partOf("I begin"), [model.hold("there")]));
  await holdfast.newThread();
  await holdfast.send("Before.");
  const row = holdfast.thread(/^Before\./);
  await expect(row).toHaveAccessibleName(/, idle/);
  const threadId = ((await row.getAttribute("id")) ?? "").replace(/^row-/, "");
  await holdfast.newThread();
  await expect(row).toHaveAccessibleName(/, not loaded/);
  await holder.open(threadId);
  await holder.send(threadId, "Sent over there.");
  await model.gate("there").reached;

  await row.click();
  await expect(holdfast.article("You")).toHaveText(["Before.", "Sent over there."]);
  await expect(holdfast.conversation).toContainText("The other program may still be at work in this turn.");
  await expect(holdfast.conversation).not.toContainText(/interrupted|stopped/i);
  // Nothing can be sent, so nothing can be sent again.
  await expect(holdfast.button("Retry")).toHaveCount(1);

  await holder.end();
  await holdfast.button("Retry").click();
  await expect(holdfast.conversation).toContainText("The turn was stopped before its end.");
  await expect(holdfast.conversation).not.toContainText("The other program");
});
