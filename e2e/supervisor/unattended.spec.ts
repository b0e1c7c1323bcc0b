// Holdfast is killed and does not come back: what it left running ends by itself, and a running turn is finished first.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "../support/app";
import { message, partOf, reply, streamed } from "../support/modelServer";
import { describeProcess, isAlive, processesOfHandle } from "../support/processes";
import { launchAgain } from "../support/secondLaunch";
import { setMinutes } from "../support/settings";

/** Three seconds. */
const soon = 0.05;
const endsSoon = { timeout: 40_000 };

test("an idle app-server that nobody comes back to ends by itself, and leaves nothing", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await setMinutes(first, { unattended: soon });
  model.queue(reply(message("Noted.")));
  await first.newThread();
  await first.send("Note this.");
  await expect(first.thread(/^Note this\., idle/)).toBeVisible();
  const handle = await sandbox.ledger.onlyRunning();

  // Looked at in the moment of the kill: Chromium's processes may take longer to end than it does.
  let isLeftRunning = false;
  first.app.process().once("exit", () => {
    isLeftRunning = isAlive(handle.pid);
  });
  await sandbox.kill(first);
  expect(isLeftRunning, "it is not ended at once").toBe(true);
  await expect
    .poll(() => sandbox.processes().map(describeProcess), { message: "all that is left", ...endsSoon })
    .toEqual([]);

  const second = await sandbox.launch({ environment });
  await second.thread(/^Note this\./).click();
  await expect(second.conversation).toContainText("Noted.");
  await expect.poll(() => sandbox.ledger.stateOf(handle.handleId)).toBe("gone");
});

test("an app-server with a running turn finishes it before it ends; one beside it, which is idle, does not wait", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const idleFolder = path.join(sandbox.workspace, "beside");
  await mkdir(idleFolder);
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment, args: [idleFolder] });
  await setMinutes(first, { unattended: soon });
  const idle = await sandbox.ledger.runningIn(idleFolder);
  await launchAgain(sandbox, first, [sandbox.workspace]);
  // It runs once the window shows its folder.
  const busy = await sandbox.ledger.runningIn(sandbox.workspace);
  model.queue(reply(partOf("It takes "), [model.hold("killed")], streamed("a while.")));
  await first.newThread();
  await first.send("Take your time.");
  await expect(first.article("Agent")).toHaveText("It takes");

  await sandbox.kill(first);
  await expect
    .poll(() => processesOfHandle(idle).map(describeProcess), { message: "the idle one", ...endsSoon })
    .toEqual([]);
  expect(isAlive(busy.pid), "the one at work goes on").toBe(true);
  model.gate("killed").release();
  await expect
    .poll(() => sandbox.processes().map(describeProcess), { message: "all that is left", ...endsSoon })
    .toEqual([]);

  const second = await sandbox.launch({ environment });
  await second.thread(/^Take your time\./).click();
  await expect(second.article("Agent")).toHaveText("It takes a while.");
  await expect(second.thread(/running/)).toHaveCount(0);
});
