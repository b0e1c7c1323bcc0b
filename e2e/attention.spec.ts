// What Holdfast tells the person while they look elsewhere, and that it brings them there.

import { agentsV2, scriptTeam, spawn, whenAnswered } from "./support/agentTeam";
import { expect, test } from "./support/app";
import { chooseFromMenu } from "./support/menu";
import { failure, message, partOf, reply, shell, streamed } from "./support/modelServer";
import { Desktop } from "./support/notifications";

test.use({ codexHomeOptions: { extraLines: agentsV2 } });

test("what ends or asks in front is not told; elsewhere it is told once, a click goes there, and an answer takes it away", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const desktop = await Desktop.launch(sandbox, "desktop", { environment: { CODEX_HOME: codexHome.path } });
  const { holdfast } = desktop;
  await desktop.look("here");
  model.queue(
    reply(partOf("It goes "), [model.hold("first")], streamed("on.\n\nAll **twelve** tests pass.")),
    reply(message("In front of you.")),
    reply(shell("echo outside", { escalate: { justification: "It must leave the sandbox." } })),
  );
  await holdfast.newThread();
  await holdfast.send("First");
  await model.gate("first").reached;
  await holdfast.newThread();
  await holdfast.send("Second");
  await expect(holdfast.thread(/^Second, idle/)).toBeVisible();
  model.gate("first").release();

  await expect
    .poll(() => desktop.notifications())
    .toEqual([{ title: "First", body: "It goes on. All twelve tests pass.", isThere: true }]);
  await expect(holdfast.thread(/^First, idle, unread|^First, unread/)).toBeVisible();
  await desktop.click("First");
  await expect(holdfast.conversation).toContainText("All twelve tests pass.");

  await holdfast.send("Ask me");
  await expect(holdfast.approval).toBeVisible();
  await expect.poll(() => desktop.tray()).toContain("Needs you (1)");
  expect(await desktop.notifications(), "the card is in front").toHaveLength(1);
  model.queue(
    reply(message("Done.")),
    reply(shell("echo again", { escalate: { justification: "Once more." } })),
    reply(message("Done again.")),
    failure(500, "The model is on fire."),
  );
  await holdfast.approval.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(holdfast.thread(/^First, idle/)).toBeVisible();

  await desktop.look("away");
  await holdfast.send("Ask me again");
  await expect
    .poll(async () => (await desktop.notifications()).at(-1))
    .toEqual({ title: "First", body: "Waiting for approval to run: echo again", isThere: true });
  await holdfast.thread(/^Second/).click();
  await desktop.pickInTray("First: Waiting for approval to run: echo again");
  await expect(holdfast.approval).toContainText("echo again");
  await desktop.look("away");
  await holdfast.approval.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(holdfast.conversation).toContainText("Done again.");
  await expect
    .poll(async () => (await desktop.notifications()).map(({ body, isThere }) => [body, isThere]))
    .toEqual([
      ["It goes on. All twelve tests pass.", true],
      ["Waiting for approval to run: echo again", false],
      ["Done again.", true],
    ]);

  await holdfast.thread(/^Second/).click();
  await holdfast.send("Fail");
  await expect
    .poll(async () => (await desktop.notifications()).slice(3))
    .toEqual([{ title: "Second", body: expect.stringMatching(/^Failed: .+/), isThere: true }]);
  await desktop.look("here");
  await expect.poll(async () => (await desktop.notifications()).at(-1)?.isThere).toBe(false);
  expect(await desktop.notifications(), "none more when it is looked at").toHaveLength(4);

  // What an agent asks is told once, by its name, and a click goes to its card.
  scriptTeam(model, {
    lead: [
      reply(spawn("tester", "[tester] Run the tests.")),
      whenAnswered(1, reply(message("All is tested."))),
    ],
    tester: [
      reply(shell("echo tested", { escalate: { justification: "It must leave the sandbox." } })),
      reply(message("All tests pass.")),
    ],
  });
  await holdfast.newThread();
  await desktop.look("away");
  await holdfast.send("[lead] Get it tested.");
  const asked = {
    title: "tester, agent of [lead] Get it tested.",
    body: "Waiting for approval to run: echo tested",
  };
  await expect
    .poll(async () => (await desktop.notifications()).slice(4))
    .toEqual([{ ...asked, isThere: true }]);
  await holdfast.thread(/^Second/).click();
  await desktop.click(asked.title);
  await expect(holdfast.approval).toContainText("echo tested");
  await desktop.look("away");
  await holdfast.approval.getByRole("button", { name: "Approve", exact: true }).click();
  const ended = "[lead] Get it tested.";
  await expect
    .poll(async () => (await desktop.notifications()).slice(4))
    .toEqual([
      { ...asked, isThere: true },
      { title: ended, body: "All is tested.", isThere: true },
    ]);

  // Archived meanwhile: the click comes to it all the same.
  await holdfast.thread(/^Second/).click();
  await holdfast
    .thread(/^\[lead\] Get it tested\./)
    .first()
    .click({ button: "right" });
  await holdfast.page.getByRole("menuitem", { name: "Archive" }).click();
  await expect(holdfast.thread(/^\[lead\] Get it tested\./)).toHaveCount(0);
  expect(await desktop.notifications(), "nothing more is told").toHaveLength(6);
  await desktop.click(ended);
  await expect(holdfast.conversation).toContainText("All is tested.");
});

test("turns that end while Holdfast is away are summed up in one notification and marked", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const { holdfast: first } = await Desktop.launch(sandbox, "first", { environment });
  const names = ["Alpha", "Beta", "Gamma"];
  for (const name of names) {
    model.queue(reply(partOf("It goes "), [model.hold(name)], streamed("on.")));
    await first.newThread();
    await first.send(name);
    await model.gate(name).reached;
  }
  await first.newThread();
  await expect(first.message).toBeFocused();
  // Not to one of the three, which would be seen then.
  await sandbox.ledger.untilNewThreadIsRemembered();
  await sandbox.kill(first);
  for (const name of names) model.gate(name).release();
  const after = await Desktop.launch(sandbox, "second", { environment });
  const second = after.holdfast;
  for (const name of names) await expect(second.thread(new RegExp(`^${name}.*unread`))).toBeVisible();
  await expect
    .poll(() => after.notifications())
    .toEqual([
      {
        title: "3 threads finished while Holdfast was away",
        body: expect.stringContaining("Beta"),
        isThere: true,
      },
    ]);
  await after.look("away");
  await after.look("here");
  expect(await after.notifications()).toHaveLength(1);
});

test("kept in the tray, Holdfast goes on without a window, keeps the machine awake, tells what happens, and comes back to it", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const desktop = await Desktop.launch(sandbox, "desktop", { environment: { CODEX_HOME: codexHome.path } });
  const { holdfast: first } = desktop;
  await chooseFromMenu(first, "settings");
  const dialog = first.page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("tab", { name: "Notifications" }).click();
  await dialog.getByRole("switch", { name: /^Keep Holdfast in the tray/ }).click();
  await dialog.getByRole("switch", { name: /^Show what it is about/ }).click();
  await expect(dialog.getByRole("switch", { name: /^Show what it is about/ })).not.toBeChecked();
  await dialog.getByRole("switch", { name: /^Keep this computer awake/ }).click();
  await expect(dialog.getByRole("switch", { name: /^Keep this computer awake/ })).toBeChecked();
  const isHeldAwake = () =>
    first.app.evaluate(({ powerSaveBlocker }) => [0, 1, 2, 3].some((id) => powerSaveBlocker.isStarted(id)));
  expect(await isHeldAwake()).toBe(false);
  await first.page.keyboard.press("Escape");
  model.queue(reply(partOf("It goes "), [model.hold("on")], streamed("on.")));
  await first.newThread();
  await first.send("Go on");
  await model.gate("on").reached;
  const closed = first.page.waitForEvent("close");
  const window = await first.app.browserWindow(first.page);
  await window.evaluate((own) => void setImmediate(() => own.close()));
  await closed;
  await expect.poll(() => desktop.tray()).toContain("Running (1)");
  await expect.poll(isHeldAwake).toBe(true);
  model.gate("on").release();
  await expect
    .poll(() => desktop.notifications())
    .toEqual([{ title: "Go on", body: "Finished", isThere: true }]);
  await expect.poll(isHeldAwake).toBe(false);
  const opened = first.app.waitForEvent("window");
  await desktop.click("Go on");
  const page = await opened;
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("It goes on.");
});
