// Follow-ups when everything goes away: each is sent once and in order, whatever was killed or cut in which moment. What the
// model is asked is the proof.

import { expect, type Holdfast, type Sandbox, test } from "./support/app";
import { cutConnectionsAt, cuttableEnvironment, mendConnections } from "./support/cuttable";
import { createFakeCodex } from "./support/fakeCodex/scenario";
import { asked, FollowUpsTab } from "./support/followUps";
import { type ModelServer, message, partOf, reply, streamed } from "./support/modelServer";
import { isAlive } from "./support/processes";

const three = ["one", "two", "three"];

async function begin(holdfast: Holdfast, model: ModelServer): Promise<void> {
  model.queue(reply(partOf("I am at it. "), [model.hold("turn")], streamed("Now I am done.")));
  await holdfast.newThread();
  await holdfast.send("Begin.");
  await expect(holdfast.conversation).toContainText("I am at it.");
}

async function socketOf(sandbox: Sandbox): Promise<string> {
  return (await sandbox.ledger.onlyRunning()).socketPath ?? "";
}

/** Nothing waits any more, and nothing runs that could ask for more. */
async function expectAllSent(holdfast: Holdfast): Promise<void> {
  await expect(holdfast.conversation).toContainText("The last answer.");
  await expect(holdfast.thread(/^Begin\., idle/)).toBeVisible();
  await expect(new FollowUpsTab(holdfast).strip).toHaveCount(0);
}

function answer(model: ModelServer, last: string): void {
  model.handle(({ lastUserText }) => reply(message(lastUserText === last ? "The last answer." : "Yes.")));
}

test("Holdfast and codex are killed in mid-turn: the follow-ups are sent once, in order, after the next start", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await begin(first, model);
  const tab = new FollowUpsTab(first);
  await tab.open();
  await tab.queue(...three);
  await tab.expectOrder(...three);
  await sandbox.ledger.untilThreadIsRemembered();
  const handle = await sandbox.ledger.onlyRunning();
  answer(model, "three");

  await sandbox.kill(first);
  process.kill(handle.pid, "SIGKILL");
  await expect.poll(() => isAlive(handle.pid)).toBe(false);
  const second = await sandbox.launch({ environment });

  await expectAllSent(second);
  expect(asked(model)).toEqual(["Begin.", ...three]);
  await expect(second.article("You").filter({ hasText: /^(one|two|three)$/ })).toHaveText(three);
});

test("Holdfast alone is killed: codex goes on with them, and the next start sends none again", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await begin(first, model);
  const tab = new FollowUpsTab(first);
  await tab.open();
  await tab.queue(...three);
  await tab.expectOrder(...three);
  await sandbox.ledger.untilThreadIsRemembered();
  answer(model, "three");

  await sandbox.kill(first);
  model.gate("turn").release();
  await model.request(3);
  const second = await sandbox.launch({ environment });

  await expectAllSent(second);
  expect(asked(model)).toEqual(["Begin.", ...three]);
  await expect(second.article("You")).toHaveText(["Begin.", ...three]);
});

for (const what of ["request", "answer"] as const) {
  const lost = what === "request" ? "before codex has" : "between codex and the answer to";

  test(`the connection is cut ${lost} turn/start: the message is sent once`, async ({
    sandbox,
    codexHome,
    model,
  }) => {
    const environment = { CODEX_HOME: codexHome.path, ...(await cuttableEnvironment()) };
    const holdfast = await sandbox.launch({ environment });
    model.queue(reply(message("Here I am.")));
    await holdfast.newThread();
    await holdfast.send("Begin.");
    await expect(holdfast.conversation).toContainText("Here I am.");
    await expect(holdfast.thread(/^Begin\., idle/)).toBeVisible();
    const socket = await socketOf(sandbox);
    answer(model, "once");

    await cutConnectionsAt(socket, what, "turn/start");
    await holdfast.send("once");
    await expect(holdfast.session).toContainText("reconnecting");
    await mendConnections(socket);
    await expect(holdfast.session).toContainText(/^connected/);
    await sentAgainIfUndelivered(holdfast);

    await expectAllSent(holdfast);
    expect(asked(model)).toEqual(["Begin.", "once"]);
    await expect(holdfast.article("You")).toHaveText(["Begin.", "once"]);
  });
}

test("the connection is cut between codex and the answer to thread/queue/add: the follow-up is sent once, in its place", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path, ...(await cuttableEnvironment()) };
  const holdfast = await sandbox.launch({ environment });
  await begin(holdfast, model);
  const socket = await socketOf(sandbox);
  const tab = new FollowUpsTab(holdfast);
  await tab.open();
  await tab.queue("one");
  await tab.expectOrder("one");
  answer(model, "three");

  await cutConnectionsAt(socket, "answer", "thread/queue/add");
  await tab.queue("two");
  await expect(holdfast.session).toContainText("reconnecting");
  await mendConnections(socket);
  await expect(holdfast.session).toContainText(/^connected/);
  await tab.expectOrder("one", "two");
  await tab.queue("three");
  await tab.expectOrder(...three);

  model.gate("turn").release();
  await expectAllSent(holdfast);
  expect(asked(model)).toEqual(["Begin.", ...three]);
  await expect(holdfast.article("You")).toHaveText(["Begin.", ...three]);
});

test("the connection is cut before codex has thread/queue/add: the follow-up is not lost, and sent once", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path, ...(await cuttableEnvironment()) };
  const holdfast = await sandbox.launch({ environment });
  await begin(holdfast, model);
  const socket = await socketOf(sandbox);
  const tab = new FollowUpsTab(holdfast);
  await tab.open();
  await tab.queue("one");
  await tab.expectOrder("one");
  answer(model, "two");

  await cutConnectionsAt(socket, "request", "thread/queue/add");
  await tab.queue("two");
  await expect(holdfast.session).toContainText("reconnecting");
  await mendConnections(socket);
  await expect(holdfast.session).toContainText(/^connected/);
  // While the thread is at work, nobody can say whether codex has it.
  await expect(tab.list.getByRole("listitem", { name: "two, 2 of 2, being handed over" })).toBeVisible();
  model.gate("turn").release();
  const undelivered = tab.panel.getByRole("list", { name: "Follow-ups that were not delivered" });
  await expect(undelivered).toContainText("two");
  await expect.poll(() => asked(model)).toEqual(["Begin.", "one"]);
  await undelivered.getByRole("button", { name: "Send again" }).click();

  await expectAllSent(holdfast);
  expect(asked(model)).toEqual(["Begin.", "one", "two"]);
  await expect(holdfast.article("You")).toHaveText(["Begin.", "one", "two"]);
});

test("the connection is cut between codex and the answer to thread/queue/delete: what was deleted does not come back", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path, ...(await cuttableEnvironment()) };
  const holdfast = await sandbox.launch({ environment });
  await begin(holdfast, model);
  const socket = await socketOf(sandbox);
  const tab = new FollowUpsTab(holdfast);
  await tab.open();
  await tab.queue(...three);
  await tab.expectOrder(...three);
  answer(model, "three");

  await cutConnectionsAt(socket, "answer", "thread/queue/delete");
  await tab.row("two").getByRole("button", { name: "Delete" }).click();
  await expect(holdfast.session).toContainText("reconnecting");
  await mendConnections(socket);
  await expect(holdfast.session).toContainText(/^connected/);
  await tab.expectOrder("one", "three");
  model.gate("turn").release();
  await expectAllSent(holdfast);
  await tab.expectNone();
  expect(asked(model)).toEqual(["Begin.", "one", "three"]);
  await expect(holdfast.article("You")).toHaveText(["Begin.", "one", "three"]);
});

/** What codex is known not to have is either sent again by itself, or is there to be sent again by the person. */
async function sentAgainIfUndelivered(holdfast: Holdfast): Promise<void> {
  const answered = holdfast.conversation.getByText("The last answer.");
  const again = holdfast.conversation.getByRole("button", { name: "Send again" });
  await expect(answered.or(again)).toBeVisible();
  if (await again.isVisible()) await again.click();
}

test("a codex without a queue: the ledger's outlives both, and is sent once, in order", async ({
  sandbox,
}) => {
  const codex = await createFakeCodex({
    without: ["thread/queue/"],
    turns: [[{ message: "At it.", unfinished: true }, { end: "never" }]],
  });
  try {
    const environment = { ...codex.environment, HOLDFAST_CODEX: codex.command, CODEX_HOME: codex.codexHome };
    const first = await sandbox.launch({ environment });
    await first.newThread();
    await first.send("Begin.");
    await expect(first.conversation).toContainText("At it.");
    const tab = new FollowUpsTab(first);
    await tab.open();
    await tab.queue(...three);
    await tab.expectOrder(...three);
    await expect(tab.panel).toContainText("only while it is open");
    await expect.poll(() => sandbox.ledger.runningTexts()).toContain("At it.");
    await sandbox.ledger.untilThreadIsRemembered();
    const handle = await sandbox.ledger.onlyRunning();
    await codex.setScenario({ without: ["thread/queue/"], turns: [[{ message: "Yes." }]] });

    await sandbox.kill(first);
    process.kill(handle.pid, "SIGKILL");
    await expect.poll(() => isAlive(handle.pid)).toBe(false);
    const second = await sandbox.launch({ environment });
    const tabNow = new FollowUpsTab(second);
    await expect(tabNow.strip).toHaveCount(0);
    const sent = async () =>
      (await codex.received("turn/start")).map(({ params }) => JSON.stringify(params?.input));
    await expect.poll(sent).toHaveLength(4);
    for (const [at, text] of three.entries()) expect((await sent())[at + 1]).toContain(`"${text}"`);
    await expect(second.article("Agent")).toHaveText([/^At it\./, "Yes.", "Yes.", "Yes."]);
    await expect(second.button("Send")).toBeVisible();
    expect(await sent()).toHaveLength(4);
    await sandbox.end(second);
    expect(await codex.bugs()).toEqual([]);
  } finally {
    await codex.remove();
  }
});
