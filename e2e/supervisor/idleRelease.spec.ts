// A session that nothing needs is closed, its threads stay listed, and it comes back by itself.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "../support/app";
import { message, reply } from "../support/modelServer";
import { describeProcess, processesOfHandle } from "../support/processes";
import { launchAgain } from "../support/secondLaunch";
import { setMinutes } from "../support/settings";

test("a session that nothing needs is closed, and opening a thread of it brings it back", async ({
  sandbox,
  codexHome,
  model,
}) => {
  test.setTimeout(180_000);
  const other = path.join(sandbox.workspace, "borealis");
  await mkdir(other);
  const environment = { CODEX_HOME: codexHome.path };
  const settings = await sandbox.launch({ environment });
  // How soon codex unloads a thread is said when codex is started.
  await setMinutes(settings, { unload: 0, sessionIdle: 0.05 });
  await sandbox.end(settings);

  const holdfast = await sandbox.launch({ environment });
  model.queue(reply(message("Noted.")));
  await holdfast.newThread();
  await holdfast.send("Note this.");
  await expect(holdfast.thread(/^Note this\., idle/)).toBeVisible();
  const handle = await sandbox.ledger.runningIn(sandbox.workspace);
  // Now the window shows another workspace: the first session has nothing to do any more.
  await launchAgain(sandbox, holdfast, [other]);
  const shown = await sandbox.ledger.runningIn(other);
  await expect
    .poll(() => sandbox.ledger.stateOf(handle.handleId), { message: "the idle session", timeout: 90_000 })
    .toBe("gone");
  expect(processesOfHandle(handle).map(describeProcess)).toEqual([]);
  expect(sandbox.ledger.stateOf(shown.handleId), "the one that a window shows stays").toBe("running");

  await expect(holdfast.thread(/^Note this\., not loaded/)).toBeVisible();
  await holdfast.thread(/^Note this\./).click();
  await expect(holdfast.conversation).toContainText("Noted.");
  await expect(holdfast.session).toContainText(/^connected/);
  const back = await sandbox.ledger.runningIn(sandbox.workspace);
  expect(back.handleId).not.toBe(handle.handleId);
  model.queue(reply(message("Still here.")));
  await holdfast.send("Are you there?");
  await expect(holdfast.conversation).toContainText("Still here.");
});
