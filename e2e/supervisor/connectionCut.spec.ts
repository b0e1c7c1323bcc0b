// The connection to an app-server is cut in the middle of a message, and the app-server goes on.

import { expect, test } from "../support/app";
import { cutConnections, cuttableEnvironment, mendConnections } from "../support/cuttable";
import { drip } from "../support/drip";
import { message, partOf, reply, shell, streamed } from "../support/modelServer";

const missed = "Some text was missed while disconnected";

test("a connection cut in mid-stream: said, nothing vanishes, the missing stretch is marked and then filled", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path, ...(await cuttableEnvironment()) };
  const holdfast = await sandbox.launch({ environment });
  const after = drip(model, "after");
  model.queue(
    reply(
      partOf("Before the cut. "),
      [model.hold("cut")],
      partOf("During the cut. "),
      after.steps,
      [model.hold("last")],
      streamed("The end."),
    ),
  );
  await holdfast.newThread();
  await holdfast.send("Tell me.");
  await expect(holdfast.article("Agent")).toHaveText("Before the cut.");
  const handle = await sandbox.ledger.onlyRunning();
  const socket = handle.socketPath ?? "";

  await cutConnections(socket);
  await expect(holdfast.session).toContainText("reconnecting");
  await expect(holdfast.article("Agent")).toContainText("Before the cut.");
  await expect(holdfast.thread(/^Tell me\., running/)).toBeVisible();
  model.gate("cut").release();
  await model.gate("drip after0 ").reached;
  await mendConnections(socket);

  await expect(holdfast.session).toContainText(/^connected/);
  await expect(holdfast.article("Agent")).toContainText(missed);
  await expect(holdfast.article("Agent")).toContainText("Before the cut.");
  await expect(holdfast.article("Agent")).not.toContainText("During the cut.");
  await after.untilSeen(holdfast.article("Agent"));
  // What comes goes on after the mark.
  await expect(holdfast.article("Agent")).toHaveText(
    new RegExp(`^Before the cut\\.\\s*${missed}[^.]*\\.\\s*after\\d`),
  );
  after.releaseAll();
  model.gate("last").release();
  await expect(holdfast.thread(/^Tell me\., idle/)).toBeVisible();
  await expect(holdfast.article("Agent")).toHaveText(
    `Before the cut. During the cut. ${after.words}The end.`,
  );
  await expect(holdfast.article("Agent")).toHaveCount(1);
  await expect(holdfast.article("You")).toHaveCount(1);
  expect(await sandbox.ledger.onlyRunning()).toEqual(handle);

  model.queue(reply(message("It works as before.")));
  await holdfast.send("And now?");
  await expect(holdfast.conversation).toContainText("It works as before.");
});

test("a connection cut while an approval waits: it is there once afterwards, and the answer counts", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path, ...(await cuttableEnvironment()) };
  const holdfast = await sandbox.launch({ environment });
  model.queue(
    reply(shell("echo through the cut", { escalate: { justification: "To say so." } })),
    reply(message("It was said.")),
  );
  await holdfast.newThread();
  await holdfast.send("Say it.");
  await expect(holdfast.approval).toContainText("echo through the cut");
  const handle = await sandbox.ledger.onlyRunning();
  const socket = handle.socketPath ?? "";

  await cutConnections(socket);
  await expect(holdfast.session).toContainText("reconnecting");
  await mendConnections(socket);
  await expect(holdfast.session).toContainText(/^connected/);

  await expect(holdfast.approval).toHaveCount(1);
  await expect(holdfast.thread(/^Say it\., waiting for approval/)).toBeVisible();
  await holdfast.approval.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(holdfast.conversation).toContainText("It was said.");
  await expect(holdfast.approval).toHaveCount(0);
  await expect(holdfast.article("Command")).toHaveCount(1);
  await expect(holdfast.article("Command")).toContainText("exit 0");
  expect(model.requests).toHaveLength(2);
  expect(await sandbox.ledger.onlyRunning()).toEqual(handle);
});
