// Holdfast goes away while scripts run. It ends in bounded time whatever they do, nothing of them is left, and the next start
// shows what became of them. What they had begun in threads is as if the person had begun it.

import { expect, type Holdfast, type Sandbox, test } from "./support/app";
import { CellsPage } from "./support/cellsPage";
import { type ModelServer, partOf, reply, streamed } from "./support/modelServer";
import { commandsWith, describeProcess } from "./support/processes";
import { answerQuitWith, pressQuit, quit, quitQuestions } from "./support/quitQuestion";

interface Case {
  what: string;
  source: string;
  /** The state that it shows meanwhile. */
  state: "running" | "waiting for answer";
  /** It does what it is named for. */
  underWay(world: World): Promise<void>;
}

interface World {
  sandbox: Sandbox;
  model: ModelServer;
  cells: CellsPage;
}

/** Found on a command line, and only on this one. */
const longSleep = "86399";

const cases: Case[] = [
  {
    what: "waits for a turn",
    source: `const { threadId } = await tools.startThread({ text: "Take your time." });
      text("begun"); await tools.waitForTurn({ threadId }); text("over");`,
    state: "running",
    underWay: async ({ sandbox, model }) => {
      await model.gate("asked").reached;
      await expect.poll(() => sandbox.ledger.runningTexts()).toContain("It takes ");
    },
  },
  {
    what: "never comes back",
    source: 'text("begun"); while (true) {}',
    state: "running",
    underWay: async () => {},
  },
  {
    what: "has a command running",
    source: `text("begun"); await tools.runCommand({ command: ["sleep", "${longSleep}"] }); text("over");`,
    state: "running",
    underWay: async ({ sandbox }) => {
      await expect.poll(() => sleeping(sandbox).length, "the command").toBeGreaterThan(0);
    },
  },
  {
    what: "has asked the person",
    source: 'text("begun"); await tools.ask({ question: "Go on?" }); text("over");',
    state: "waiting for answer",
    underWay: async ({ cells }) => {
      await expect(cells.question).toContainText("Go on?");
    },
  },
];

function sleeping(sandbox: Sandbox) {
  return commandsWith(longSleep, sandbox.processes());
}

async function begin({ source, state, underWay }: Case, holdfast: Holdfast, world: Omit<World, "cells">) {
  world.model.queue(reply(partOf("It takes "), [world.model.hold("asked")], streamed("a while.")));
  const cells = new CellsPage(holdfast);
  await cells.open();
  await cells.beginOwn(source);
  await expect(cells.output).toContainText("begun");
  await expect(cells.runs.getByRole("option").first()).toHaveAccessibleName(
    new RegExp(`^New script.*, ${state}, `),
  );
  await underWay({ ...world, cells });
}

/** The run is shown as what became of it, with what it had written. */
async function expectEnded(holdfast: Holdfast, state: "stopped" | "cut off"): Promise<void> {
  const cells = new CellsPage(holdfast);
  await cells.open();
  await cells.run("New script", state).click();
  await expect(cells.output).toContainText("begun");
  await expect(cells.output).not.toContainText("over");
  await expect(cells.shownRun).toContainText(
    state === "stopped" ? "Holdfast was ended while it ran." : "Holdfast went away while it ran.",
  );
  await expect(cells.question).toHaveCount(0);
  await expect(cells.activity.getByRole("article", { name: /pending/ })).toHaveCount(0);
  await expect(holdfast.pendingCleanup).toHaveCount(0);
}

for (const one of cases) {
  test(`quit while a script ${one.what}: it ends, nothing is left, and the run was stopped`, async ({
    sandbox,
    codexHome,
    model,
  }) => {
    const environment = { CODEX_HOME: codexHome.path };
    const first = await sandbox.launch({ environment });
    await begin(one, first, { sandbox, model });
    await answerQuitWith(first, "Stop and Quit");
    const app = first.app.process();
    await pressQuit(first);
    await expect.poll(() => app.exitCode, { message: "exit code", timeout: 15_000 }).toBe(0);
    await expect.poll(() => sandbox.processes().map(describeProcess)).toEqual([]);
    expect(sandbox.ledger.states()).toEqual([]);
    expect(sandbox.ledger.openCleanups()).toEqual([]);

    const second = await sandbox.launch({ environment });
    await expectEnded(second, "stopped");
  });

  test(`Holdfast is killed while a script ${one.what}: the run was cut off, and nothing of it is left`, async ({
    sandbox,
    codexHome,
    model,
  }) => {
    const environment = { CODEX_HOME: codexHome.path };
    const first = await sandbox.launch({ environment });
    await begin(one, first, { sandbox, model });
    await sandbox.kill(first);
    // codex ends what was asked for over a connection that is gone.
    await expect.poll(() => sleeping(sandbox).map(describeProcess), "commands").toEqual([]);

    const second = await sandbox.launch({ environment });
    await expectEnded(second, "cut off");
  });
}

test("the system ends Holdfast while scripts of every kind run: all end, and nothing of them is left", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  for (const one of cases) await begin(one, first, { sandbox, model });
  const app = first.app.process();
  app.kill("SIGTERM");
  await expect.poll(() => app.exitCode, { message: "exit code", timeout: 15_000 }).toBe(143);
  await expect.poll(() => sandbox.processes().map(describeProcess)).toEqual([]);
  expect(sandbox.ledger.openCleanups()).toEqual([]);

  const second = await sandbox.launch({ environment });
  const cells = new CellsPage(second);
  await cells.open();
  await expect(cells.runs.getByRole("option", { name: /^New script.*, stopped, / })).toHaveCount(
    cases.length,
  );
  await expect(cells.runs.getByRole("option")).toHaveCount(cases.length);
});

test("the thread of a script that was cut off goes on, and is shown as begun by it", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const [waiting] = cases;
  if (!waiting) throw new Error("there is no such case");
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await begin(waiting, first, { sandbox, model });
  const handle = await sandbox.ledger.onlyRunning();
  await sandbox.kill(first);

  const second = await sandbox.launch({ environment });
  await second.thread(/^Take your time\., running/).click();
  expect(await sandbox.ledger.onlyRunning()).toEqual(handle);
  await expect(second.article("Script").getByRole("button", { name: "New script" })).toBeVisible();
  model.gate("asked").release();
  await expect(second.thread(/^Take your time\., idle/)).toBeVisible();
  await expect(second.article("Agent")).toHaveText("It takes a while.");
  expect(model.requests).toHaveLength(1);
  await expectEnded(second, "cut off");
});

test("Cancel: the script goes on, and the question has named it", async ({ holdfast, sandbox, model }) => {
  const asking = cases.find(({ state }) => state === "waiting for answer");
  if (!asking) throw new Error("there is no such case");
  await begin(asking, holdfast, { sandbox, model });
  await answerQuitWith(holdfast, "Cancel");
  await pressQuit(holdfast);
  await expect.poll(async () => (await quitQuestions(holdfast)).length).toBe(1);
  const [question] = await quitQuestions(holdfast);
  expect(question?.detail).toContain("Scripts, which end with Holdfast: “New script”.");
  const cells = new CellsPage(holdfast);
  await cells.answer("Go on?", "Yes.");
  await expect(cells.run("New script", "completed")).toBeVisible();
  await expect(cells.output).toContainText("over");
});

test("Keep Running: the script is stopped and its turn goes on", async ({ sandbox, codexHome, model }) => {
  const [waiting] = cases;
  if (!waiting) throw new Error("there is no such case");
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await begin(waiting, first, { sandbox, model });
  await answerQuitWith(first, "Keep Running");
  expect(await quit(first), "exit code").toBe(0);

  const second = await sandbox.launch({ environment });
  model.gate("asked").release();
  await second.thread(/^Take your time\./).click();
  await expect(second.article("Agent")).toHaveText("It takes a while.");
  await expectEnded(second, "stopped");
});
