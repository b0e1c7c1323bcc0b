// An app-server is killed in the middle of a turn.

import { expect, test } from "../support/app";
import { message, partOf, reply, shell } from "../support/modelServer";
import { commandsWith, describeProcess, isAlive, processesOfHandle } from "../support/processes";

test("an app-server killed while its turn runs a command: interrupted, reaped, live again, nothing lost", async ({
  holdfast,
  model,
  sandbox,
}) => {
  // The second command goes on under pid 1 when codex is killed; both are outside the sandbox, which would take them along.
  model.queue(
    reply(
      message("First I wait.", "commentary"),
      shell("sleep 4711 & sleep 4712", { escalate: { justification: "To wait." }, yieldTimeMs: 30_000 }),
    ),
  );
  await holdfast.newThread();
  await holdfast.send("Wait for me.");
  await holdfast.approval.getByRole("button", { name: "Approve", exact: true }).click();
  const handle = await sandbox.ledger.onlyRunning();
  const sleeps = () => commandsWith("sleep 47", processesOfHandle(handle)).map((one) => one.command);
  await expect.poll(sleeps, "the commands run").toEqual(expect.arrayContaining(["sleep 4711", "sleep 4712"]));
  await expect(holdfast.article("Command")).toContainText("sleep 4711 & sleep 4712");
  await expect(holdfast.thread(/^Wait for me\., running/)).toBeVisible();

  process.kill(handle.pid, "SIGKILL");

  await expect(holdfast.thread(/^Wait for me\., interrupted/)).toBeVisible();
  await expect(holdfast.article("You")).toHaveText("Wait for me.");
  await expect(holdfast.article("Agent")).toHaveText(/First I wait\./);
  await expect(holdfast.article("Command")).toContainText("sleep 4711 & sleep 4712");
  await expect
    .poll(() => processesOfHandle(handle).map(describeProcess), "what the handle owned is gone")
    .toEqual([]);
  await expect.poll(() => sandbox.ledger.stateOf(handle.handleId)).toBe("gone");
  const next = await sandbox.ledger.onlyRunning();
  expect(next.handleId).not.toBe(handle.handleId);
  await expect(holdfast.session).toContainText(/^connected/);

  model.queue(reply(message("Here I am again.")));
  await holdfast.send("Go on.");
  await expect(holdfast.conversation).toContainText("Here I am again.");
  await expect(holdfast.thread(/^Wait for me\., idle/)).toBeVisible();
  await expect(holdfast.article("You")).toHaveCount(2);
  await expect(holdfast.article("Command")).toHaveCount(1);
});

test("an app-server killed in the middle of a message: the text so far stays, and is not said twice", async ({
  holdfast,
  model,
  sandbox,
}) => {
  model.queue(reply(partOf("The bucket holds one second"), [model.hold("never")]));
  await holdfast.newThread();
  await holdfast.send("How much?");
  await expect(holdfast.article("Agent")).toHaveText("The bucket holds one second");
  const handle = await sandbox.ledger.onlyRunning();

  process.kill(handle.pid, "SIGKILL");

  await expect(holdfast.thread(/^How much\?, interrupted/)).toBeVisible();
  await expect.poll(() => isAlive(handle.pid)).toBe(false);
  await sandbox.ledger.onlyRunning();
  await expect(holdfast.session).toContainText(/^connected/);
  await expect(holdfast.article("Agent")).toContainText("The bucket holds one second");
  await expect(holdfast.article("Agent")).toHaveCount(1);
  model.queue(reply(message("One second of tokens.")));
  await holdfast.button("Retry").click();
  await expect(holdfast.article("Agent")).toHaveText([
    /The bucket holds one second/,
    "One second of tokens.",
  ]);
  await expect(holdfast.article("You")).toHaveText(["How much?", "How much?"]);
});
