// Quit while agents are at work: the person is asked, the threads are named, and each answer does what it says.

import { expect, type Holdfast, test } from "../support/app";
import type { ModelServer } from "../support/modelServer";
import { message, partOf, reply, shell, streamed } from "../support/modelServer";
import { commandsWith, describeProcess, isAlive, processesOfHandle } from "../support/processes";
import { answerQuitWith, pressQuit, quit, quitQuestions } from "../support/quitQuestion";
import { launchAndQuit } from "../support/secondLaunch";

async function beginTurn(holdfast: Holdfast, model: ModelServer): Promise<void> {
  model.queue(reply(partOf("It takes "), [model.hold("asked")], streamed("a while.")));
  await holdfast.newThread();
  await holdfast.send("Take your time.");
  await expect(holdfast.article("Agent")).toHaveText("It takes");
}

test("Keep Running: the app ends, the turn goes on, and the next start has it", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await beginTurn(first, model);
  await expect.poll(() => sandbox.ledger.runningTexts()).toContain("It takes ");
  const handle = await sandbox.ledger.onlyRunning();
  await answerQuitWith(first, "Keep Running");
  expect(await quit(first), "exit code").toBe(0);
  expect(isAlive(handle.pid)).toBe(true);

  const second = await sandbox.launch({ environment });
  await second.thread(/^Take your time\., running/).click();
  await expect(second.article("Agent")).toContainText("It takes");
  expect(await sandbox.ledger.onlyRunning()).toEqual(handle);
  model.gate("asked").release();
  await expect(second.thread(/^Take your time\., idle/)).toBeVisible();
  await expect(second.article("Agent")).toHaveText("It takes a while.");
  await expect(second.article("You")).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});

test("quit as soon as the next start has a window: what goes on is found before anybody is asked", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await beginTurn(first, model);
  const handle = await sandbox.ledger.onlyRunning();
  const electron = first.app.process().spawnfile;
  await answerQuitWith(first, "Keep Running");
  await quit(first);

  const second = await launchAndQuit(sandbox, electron, environment);
  expect(second.exitCode, second.output).toBe(0);
  expect(isAlive(handle.pid), "codex").toBe(true);
  expect(second.asked).toContain("Take your time.");

  const third = await sandbox.launch({ environment });
  model.gate("asked").release();
  await third.thread(/^Take your time\., idle/).click();
  await expect(third.article("Agent")).toHaveText("It takes a while.");
  expect(model.requests).toHaveLength(1);
});

test("Stop and Quit: the turn is interrupted and nothing is left", async ({ sandbox, codexHome, model }) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  // A command that goes on while the agent does.
  model.queue(reply(shell("sleep 303", { yieldTimeMs: 300 })));
  await beginTurn(first, model);
  await answerQuitWith(first, "Stop and Quit");
  expect(await quit(first), "exit code").toBe(0);
  await expect.poll(() => sandbox.processes().map(describeProcess)).toEqual([]);
  expect(sandbox.ledger.states()).toEqual([]);

  const second = await sandbox.launch({ environment });
  await second.thread(/^Take your time\./).click();
  await expect(second.conversation).toContainText("Take your time.");
  await expect(second.thread(/^Take your time\., interrupted/)).toBeVisible();
  // codex keeps no answer that was stopped half-way; Holdfast does.
  await expect(second.article("Agent")).toContainText("It takes");
  await expect(second.conversation).toContainText("The turn was stopped because Holdfast was quit.");
  // Nothing was lost by a disconnect, and nothing has failed: it was stopped, as the person wanted.
  await expect(second.article("Command")).toContainText("stopped");
  await expect(second.article("Command")).not.toContainText("failed");
  await expect(second.conversation).not.toContainText("disconnect");
  model.queue(reply(message("Here I am again.")));
  await second.send("Go on.");
  await expect(second.conversation).toContainText("Here I am again.");
});

test("Cancel: everything is as before, and the question named the thread and what can be done", async ({
  holdfast,
  model,
  sandbox,
}) => {
  await beginTurn(holdfast, model);
  const handle = await sandbox.ledger.onlyRunning();
  await answerQuitWith(holdfast, "Cancel");
  await pressQuit(holdfast);
  await expect.poll(async () => (await quitQuestions(holdfast)).length).toBe(1);
  const [question] = await quitQuestions(holdfast);
  expect(question?.detail).toContain("Take your time.");
  expect(question?.buttons).toEqual(["Keep Running", "Stop and Quit", "Cancel"]);
  await expect(holdfast.thread(/^Take your time\., running/)).toBeVisible();
  model.gate("asked").release();
  await expect(holdfast.article("Agent")).toHaveText("It takes a while.");
  await expect(holdfast.thread(/^Take your time\., idle/)).toBeVisible();
  expect(await sandbox.ledger.onlyRunning()).toEqual(handle);
});

test("without anything at work nobody is asked, and nothing is left", async ({
  holdfast,
  model,
  sandbox,
}) => {
  model.queue(reply(message("Done already.")));
  await holdfast.newThread();
  await holdfast.send("Be quick.");
  await expect(holdfast.thread(/^Be quick\., idle/)).toBeVisible();
  // Answered with Cancel, a question would keep the app.
  await answerQuitWith(holdfast, "Cancel");
  expect(await quit(holdfast), "exit code").toBe(0);
  await expect.poll(() => sandbox.processes().map(describeProcess)).toEqual([]);
  expect(sandbox.ledger.states()).toEqual([]);
});

test("a command that an agent has left running is shown and can be stopped, also by the next start, and quit, deletion and reverting name it", async ({
  holdfast,
  codexHome,
  model,
  sandbox,
}) => {
  model.queue(
    reply(shell("echo up; sleep 301", { yieldTimeMs: 300 })),
    reply(shell("echo up too; sleep 302", { yieldTimeMs: 300 })),
    reply(message("Both are up.")),
  );
  await holdfast.newThread();
  await holdfast.send("Serve it.");
  await expect(holdfast.thread(/^Serve it\., idle, 2 commands left running/)).toBeVisible();
  const strip = holdfast.page.getByRole("region", { name: /commands? still runs?$/ });
  await expect(strip).toHaveAccessibleName("2 commands still run");
  const command = (words: string) => holdfast.article("Command").filter({ hasText: words });
  await expect(command("sleep 301")).toContainText("still runs");
  await strip.getByRole("button", { name: "Stop echo up; sleep 301" }).press("Enter");
  await expect(holdfast.message).toBeFocused();
  await expect(strip).toHaveAccessibleName("1 command still runs");
  await expect(command("sleep 301")).toContainText("stopped");
  const articles = (app: Holdfast) =>
    app.conversation
      .getByRole("article")
      .evaluateAll((all) => all.map((article) => article.getAttribute("aria-label")));
  const inOrder = await articles(holdfast);
  await expect(command("sleep 302").getByRole("button", { name: /^Stop/ })).toBeVisible();
  await holdfast.page.keyboard.press("ControlOrMeta+k");
  await holdfast.page.keyboard.type("kill");
  await expect(holdfast.page.getByRole("option").first()).toHaveAccessibleName(
    /^Stop the command .*sleep 302/,
  );
  await holdfast.page.keyboard.press("Escape");

  await holdfast.thread(/^Serve it\./).click();
  await holdfast.page.getByRole("tree", { name: "Threads" }).press("Shift+Delete");
  const question = holdfast.page.getByRole("alertdialog");
  await expect(question).toContainText("A command that still runs is ended: “echo up too; sleep 302”.");
  await question.getByRole("button", { name: "Cancel" }).click();
  const end = holdfast.conversation.getByRole("region", { name: /^End of turn/ }).last();
  await end.hover();
  await end.getByRole("button", { name: "From here" }).click();
  await holdfast.page.getByRole("menuitem", { name: /^Edit and send again/ }).click();
  await expect(question).toContainText("A command that still runs is ended: “echo up too; sleep 302”.");
  await question.getByRole("button", { name: "Cancel" }).click();

  await answerQuitWith(holdfast, "Cancel");
  await pressQuit(holdfast);
  await expect.poll(async () => (await quitQuestions(holdfast)).length).toBe(1);
  const [asked] = await quitQuestions(holdfast);
  expect(asked?.message).toBe("A command is still running. Keep it running without Holdfast?");
  expect(asked?.detail).toBe(
    "Commands left running, which can go on until no agent has been at work for 10 minutes: “echo up too; sleep 302”.",
  );
  expect(asked?.buttons).toEqual(["Keep Running", "Stop and Quit", "Cancel"]);

  // Kept, it goes on in the same codex, and the next start has it.
  const handle = await sandbox.ledger.onlyRunning();
  const served = () => commandsWith("sleep 302", processesOfHandle(handle)).map(describeProcess);
  const before = served();
  expect(before).not.toEqual([]);
  await answerQuitWith(holdfast, "Keep Running");
  expect(await quit(holdfast), "exit code").toBe(0);
  expect(served()).toEqual(before);

  const second = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  await expect(second.thread(/^Serve it\., idle, 1 command left running/)).toBeVisible();
  expect(await sandbox.ledger.onlyRunning()).toEqual(handle);
  await second.thread(/^Serve it\./).click();
  const stopped = second.article("Command").filter({ hasText: "sleep 301" });
  await expect(stopped).toContainText("stopped");
  await expect(stopped).not.toContainText("exit");
  expect(await articles(second)).toEqual(inOrder);
  expect(served()).toEqual(before);
  await second.page
    .getByRole("region", { name: "1 command still runs" })
    .getByRole("button", { name: "Stop echo up too; sleep 302" })
    .click();
  await expect(second.thread(/^Serve it\., idle/)).not.toHaveAccessibleName(/left running/);
  await expect.poll(served).toEqual([]);
  // Nothing is at work any more: nobody is asked, and nothing is left.
  await answerQuitWith(second, "Cancel");
  expect(await quit(second), "exit code").toBe(0);
  await expect.poll(() => sandbox.processes().map(describeProcess)).toEqual([]);
});
