// Two windows on one thread: what is done in one is seen in the other, and neither is needed by the other.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, type Holdfast, test } from "./support/app";
import { message, partOf, reply, shell, streamed } from "./support/modelServer";
import { openWindow } from "./support/openWindow";
import { answerQuitWith } from "./support/quitQuestion";

const clickLate = `{
  const buttons = [...document.querySelectorAll("fieldset[aria-label='Approval request'] button")];
  const refuse = buttons.find((button) => /^(Decline|Stop)/.test(button.textContent));
  debugger;
  refuse.click();
}`;

/** As its own close button does. */
async function closeFront({ app, page }: Holdfast): Promise<void> {
  const window = await app.browserWindow(page);
  // Not within the call, which would be cut off by the end of the page.
  await window.evaluate((own) => void setImmediate(() => own.close()));
}

/** Two windows that show the thread of the first one. */
async function both(first: Holdfast, title: RegExp): Promise<Holdfast> {
  const second = await openWindow(first);
  await second.thread(title).click();
  await expect(second.article("You").first()).toBeVisible();
  return second;
}

test("an approval that one window answers goes away in the other, and both count it until then", async ({
  holdfast: first,
  model,
}) => {
  model.queue(
    reply(shell("echo outside", { escalate: { justification: "It must leave the sandbox." } })),
    reply(message("Done.")),
  );
  await first.newThread();
  await first.send("Ask me");
  await expect(first.approval).toContainText("echo outside");
  const second = await both(first, /^Ask me, waiting for approval/);
  await expect(second.approval).toContainText("echo outside");
  for (const { page } of [first, second]) await expect(page).toHaveTitle("(1) Ask me - Holdfast");
  await first.approval
    .getByRole("button", { name: /^Approve/ })
    .first()
    .click();
  for (const window of [first, second]) {
    await expect(window.approval).toHaveCount(0);
    await expect(window.conversation).toContainText("Done.");
    await expect(window.page).toHaveTitle("Ask me - Holdfast");
  }
});

test("a click that comes too late does nothing, and says so", async ({ holdfast: first, model, sandbox }) => {
  const mark = path.join(sandbox.workspace, "mark");
  model.queue(
    reply(shell(`touch ${mark}`, { escalate: { justification: "To leave a mark." } })),
    reply(message("The mark is there.")),
  );
  await first.newThread();
  await first.send("Ask me");
  const second = await both(first, /^Ask me, waiting for approval/);
  await expect(second.approval.getByRole("button", { name: /^Approve/ }).first()).toBeVisible();

  // Its page stands still between the moment of the click and what the click does: meanwhile the other window answers.
  const debug = await second.page.context().newCDPSession(second.page);
  await debug.send("Debugger.enable");
  const paused = new Promise((resolve) => debug.once("Debugger.paused", resolve));
  const clicked = debug.send("Runtime.evaluate", { expression: clickLate });
  await paused;
  await first.approval
    .getByRole("button", { name: /^Approve/ })
    .first()
    .click();
  await expect(first.approval).toHaveCount(0);
  await expect(first.conversation).toContainText("The mark is there.");
  await debug.send("Debugger.resume");
  expect((await clicked).exceptionDetails).toBeUndefined();
  await debug.detach();

  await expect(second.page.getByText("That request was no longer needed")).toBeVisible();
  await expect(second.approval).toHaveCount(0);
  await expect(second.conversation).toContainText("The mark is there.");
  expect(await readFile(mark, "utf8")).toBe("");
  await expect(second.thread(/^Ask me, idle/)).toBeVisible();
  expect(model.requests).toHaveLength(2);
});

test("closing the window that began a turn changes nothing for it", async ({ holdfast: first, model }) => {
  model.queue(reply(partOf("It goes "), [model.hold("on")], streamed("on and ends.")));
  await first.newThread();
  await first.send("Go on");
  await expect(first.conversation).toContainText("It goes");
  const second = await both(first, /^Go on, running/);
  await first.page.close();
  await expect(second.button("Stop")).toBeVisible();
  model.gate("on").release();
  await expect(second.article("Agent")).toHaveText("It goes on and ends.");
  await expect(second.thread(/^Go on, idle/)).toBeVisible();
  expect(model.requests).toHaveLength(1);
});

test("Stop in one window is seen in the other", async ({ holdfast: first, model }) => {
  model.queue(reply(partOf("It goes "), [model.hold("never")]));
  await first.newThread();
  await first.send("Go on");
  const second = await both(first, /^Go on, running/);
  await model.gate("never").reached;
  await second.button("Stop").click();
  for (const window of [first, second]) {
    await expect(window.thread(/^Go on, interrupted/)).toBeVisible();
    await expect(window.conversation).toContainText("It goes");
    await expect(window.button("Stop")).toHaveCount(0);
  }
});

test("what is queued in one window is listed in the other, and sent once", async ({
  holdfast: first,
  model,
}) => {
  model.queue(
    reply(partOf("First "), [model.hold("first")], streamed("answer.")),
    reply(message("Second answer.")),
  );
  await first.newThread();
  await first.send("One");
  const second = await both(first, /^One, running/);
  await model.gate("first").reached;
  await first.message.fill("and then two");
  await first.button("Queue").click();
  for (const window of [first, second]) {
    await window.tab("Follow-ups").click();
    await expect(window.page.getByRole("tabpanel", { name: "Follow-ups" })).toContainText("and then two");
  }
  model.gate("first").release();
  for (const window of [first, second]) {
    await expect(window.conversation).toContainText("Second answer.");
    await expect(window.article("You")).toHaveText([/One/, /and then two/]);
  }
  expect(model.requests).toHaveLength(2);
});

test("going back in one window goes back in the other, and its message is in both drafts", async ({
  holdfast: first,
  model,
}) => {
  model.queue(reply(message("First answer.")), reply(message("Second answer.")));
  await first.newThread();
  await first.send("First question");
  await expect(first.conversation).toContainText("First answer.");
  await first.send("Second question");
  await expect(first.conversation).toContainText("Second answer.");
  const second = await both(first, /^First question, idle/);
  await expect(second.article("You")).toHaveCount(2);
  await expect(first.thread(/^First question, idle/)).toBeVisible();
  const end = first.conversation.getByRole("region", { name: /^End of turn/ }).last();
  await end.hover();
  await end.getByRole("button", { name: "From here" }).click();
  await first.page.getByRole("menuitem", { name: /^Edit and send again/ }).click();
  await first.page.getByRole("button", { name: "Go back and edit" }).click();
  for (const window of [first, second]) {
    await expect(window.article("You")).toHaveText([/First question/]);
    await expect(window.message).toHaveValue("Second question");
  }
  model.queue(reply(message("Another answer.")));
  await second.button("Send").click();
  for (const window of [first, second]) {
    await expect(window.conversation).toContainText("Another answer.");
    await expect(window.message).toHaveValue("");
  }
});

test("both windows are closed in mid-turn and opened again: the turn has gone on", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  model.queue(reply(partOf("It goes "), [model.hold("on")], streamed("on and ends.")));
  const first = await sandbox.launch({ environment });
  await first.newThread();
  await first.send("Go on");
  await expect(first.conversation).toContainText("It goes");
  const second = await both(first, /^Go on, running/);
  const codex = (await sandbox.ledger.onlyRunning()).pid;
  await answerQuitWith(first, "Keep Running");
  await closeFront(second);
  await expect.poll(() => first.app.windows().length).toBe(1);
  const ended = new Promise((resolve) => first.app.process().once("exit", resolve));
  await closeFront(first);
  await ended;
  model.gate("on").release();

  const again = await sandbox.launch({ environment });
  await again.thread(/^Go on, idle/).click();
  const beside = await both(again, /^Go on, idle/);
  for (const window of [again, beside]) {
    await expect(window.article("Agent")).toHaveText("It goes on and ends.");
    await expect(window.article("You")).toHaveCount(1);
  }
  expect((await sandbox.ledger.onlyRunning()).pid).toBe(codex);
  expect(model.requests).toHaveLength(1);
});
