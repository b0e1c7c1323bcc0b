// The exec-server of an environment on this machine: started and stopped with one press, killed, adopted, kept and cleaned up as
// every process of Holdfast is. Asserted on processes, ledger and screen.

import { readFileSync } from "node:fs";
import type { Locator } from "@playwright/test";
import { expect, type Holdfast, type Sandbox, test } from "../support/app";
import { runsOn } from "../support/environments";
import { openExecServerClient, tokenFile } from "../support/execServerClient";
import type { HandleRow } from "../support/ledger";
import { partOf, reply, streamed } from "../support/modelServer";
import { describeProcess, isAlive, processesOfHandle } from "../support/processes";
import { answerQuitWith, quit } from "../support/quitQuestion";
import { setMinutes } from "../support/settings";
import { growStubbornTree } from "../support/stubborn";

/** As it is called when nobody says otherwise. */
const name = "Local";
const givesUp = { timeout: 40_000 };

async function openPage({ page, sidebar }: Holdfast): Promise<void> {
  await sidebar.getByRole("button", { name: /^Environments/ }).click();
  await expect(page).toHaveTitle(/Environments - Holdfast$/);
}

function status({ page }: Holdfast): Locator {
  return page.getByRole("status", { name: "Environment", exact: true });
}

function head({ page }: Holdfast, button: "Start" | "Stop" | "Check" | "Refresh"): Locator {
  return page
    .getByRole("banner")
    .or(page.getByRole("main"))
    .getByRole("button", { name: button, exact: true })
    .first();
}

/** With one press, on the page of environments. */
async function runOne(holdfast: Holdfast, sandbox: Sandbox) {
  await openPage(holdfast);
  await holdfast.button("Run one on this machine").click();
  await expect(status(holdfast)).toHaveText(/^running/);
  return sandbox.ledger.onlyExecServer();
}

const left = (handle: HandleRow) => processesOfHandle(handle).map(describeProcess);

test("started and stopped with one press: on record before and after, private, and nothing left", async ({
  holdfast,
  sandbox,
}) => {
  const handle = await runOne(holdfast, sandbox);
  const { page } = holdfast;
  await expect(page.getByRole("region", { name: "Exec-server on this machine" })).toContainText(
    String(handle.pid),
  );
  const token = readFileSync(tokenFile(sandbox, handle), "utf8");
  for (const file of ["cmdline", "environ"]) {
    expect(readFileSync(`/proc/${handle.pid}/${file}`, "latin1"), file).not.toContain(token);
  }
  await head(holdfast, "Check").click();
  await expect(status(holdfast)).toHaveText(/^running · /);
  const client = await openExecServerClient(sandbox, handle);
  const behind = await client.leaveBehind();
  expect(isAlive(behind)).toBe(true);

  await head(holdfast, "Stop").click();
  await expect(status(holdfast)).toHaveText("stopped");
  await expect.poll(() => left(handle)).toEqual([]);
  expect(isAlive(behind)).toBe(false);
  expect(sandbox.ledger.stateOf(handle.handleId)).toBe("gone");
  expect(sandbox.ledger.openCleanups()).toEqual([]);
  client.close();

  await head(holdfast, "Start").click();
  await expect(status(holdfast)).toHaveText(/^running/);
  const next = await sandbox.ledger.onlyExecServer();
  expect(next.pid).not.toBe(handle.pid);
  expect(await quit(holdfast), "exit code").toBe(0);
  await expect.poll(() => sandbox.processes().map(describeProcess)).toEqual([]);
  expect(sandbox.ledger.stateOf(next.handleId)).toBe("gone");
});

test("killed: shown with the reason, what it left is ended, and the next use starts another", async ({
  holdfast,
  sandbox,
}) => {
  const handle = await runOne(holdfast, sandbox);
  await head(holdfast, "Check").click();
  await expect(status(holdfast)).toHaveText(/^running · /);
  const client = await openExecServerClient(sandbox, handle);
  const behind = await client.leaveBehind();

  process.kill(handle.pid, "SIGKILL");
  await expect(status(holdfast)).toHaveText("failed");
  await expect(holdfast.page.getByRole("main")).toContainText("codex exec-server was killed (SIGKILL).");
  await expect.poll(() => isAlive(behind), "what it left").toBe(false);
  await expect.poll(() => left(handle)).toEqual([]);
  await expect.poll(() => sandbox.ledger.stateOf(handle.handleId)).toBe("gone");
  expect(sandbox.ledger.execServers(), "none is started by itself").toHaveLength(1);

  await head(holdfast, "Check").click();
  await expect(status(holdfast)).toHaveText(/^running · /);
  const next = await sandbox.ledger.onlyExecServer();
  expect(next.handleId).not.toBe(handle.handleId);
  client.close();
});

test("Holdfast is killed: the next start uses the same exec-server, and ends it when it quits", async ({
  sandbox,
  codexHome,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  const handle = await runOne(first, sandbox);
  await sandbox.kill(first);
  expect(isAlive(handle.pid)).toBe(true);

  const second = await sandbox.launch({ environment });
  await openPage(second);
  await expect(status(second)).toHaveText(/^running/);
  expect(await sandbox.ledger.onlyExecServer()).toEqual(handle);
  await head(second, "Check").click();
  await expect(status(second)).toHaveText(/^running · /);
  expect(await sandbox.ledger.onlyExecServer()).toEqual(handle);

  process.kill(handle.pid, "SIGKILL");
  await expect(status(second)).toHaveText("failed");
  await expect(second.page.getByRole("main")).toContainText("codex exec-server ended.");
  await head(second, "Start").click();
  await expect(status(second)).toHaveText(/^running/);
  const next = await sandbox.ledger.onlyExecServer();
  expect(await quit(second), "exit code").toBe(0);
  await expect.poll(() => sandbox.processes().map(describeProcess)).toEqual([]);
  expect(sandbox.ledger.stateOf(next.handleId)).toBe("gone");
});

test("Holdfast is killed and does not come back: the exec-server goes with the last codex", async ({
  sandbox,
  codexHome,
}) => {
  const first = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  await setMinutes(first, { unattended: 0.05 });
  await sandbox.ledger.onlyRunning();
  const handle = await runOne(first, sandbox);
  await sandbox.kill(first);
  await expect
    .poll(() => sandbox.processes().map(describeProcess), { message: "all that is left", ...givesUp })
    .toEqual([]);
  const second = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  await openPage(second);
  await expect(status(second)).toHaveText("stopped");
  await expect.poll(() => sandbox.ledger.stateOf(handle.handleId)).toBe("gone");
});

test("Keep Running: the exec-server of a thread that goes on is kept, the next start has both", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  const handle = await runOne(first, sandbox);
  model.queue(reply(partOf("It takes "), [model.hold("kept")], streamed("a while.")));
  await first.newThread();
  // On this machine the folder is the workspace's, without a question.
  await runsOn(first).click();
  await first.page.getByRole("menuitemradio", { name: new RegExp(`^${name} `) }).click();
  await expect(runsOn(first)).toHaveAccessibleName(`Runs on: ${name}`);
  await first.send("Take your time.");
  await expect(first.article("Agent")).toHaveText("It takes");
  await answerQuitWith(first, "Keep Running");
  expect(await quit(first), "exit code").toBe(0);
  expect(isAlive(handle.pid)).toBe(true);

  const second = await sandbox.launch({ environment });
  await second.thread(/^Take your time\., running/).click();
  expect(await sandbox.ledger.onlyExecServer()).toEqual(handle);
  model.gate("kept").release();
  await expect(second.article("Agent")).toHaveText("It takes a while.");
  await openPage(second);
  await expect(status(second)).toHaveText(/^running/);
});

test("Keep Running: an exec-server that no thread uses is ended all the same", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const first = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  const handle = await runOne(first, sandbox);
  model.queue(reply(partOf("It takes "), [model.hold("kept")], streamed("a while.")));
  await first.newThread();
  await first.send("Take your time.");
  await expect(first.article("Agent")).toHaveText("It takes");
  const codex = await sandbox.ledger.onlyRunning();
  await answerQuitWith(first, "Keep Running");
  expect(await quit(first), "exit code").toBe(0);
  expect(isAlive(codex.pid)).toBe(true);
  expect(left(handle)).toEqual([]);
  expect(sandbox.ledger.stateOf(handle.handleId)).toBe("gone");
  model.gate("kept").release();
  const second = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  await second.thread(/^Take your time\., idle/).click();
  await expect(second.article("Agent")).toHaveText("It takes a while.");
});

test("one that cannot be ended: owed and shown, one more may start, no third one, and gone with Retry now", async ({
  holdfast,
  sandbox,
}) => {
  test.setTimeout(180_000);
  const { page } = holdfast;
  const handle = await runOne(holdfast, sandbox);
  const tree = await growStubbornTree(handle.handleId, 16);
  const panel = page.getByRole("tabpanel", { name: "Cleanup" });
  const row = panel.getByRole("listitem", {
    name: `End the exec-server of “${name}” (process ${handle.pid})`,
  });
  try {
    await head(holdfast, "Stop").click();
    await expect(holdfast.pendingCleanup).toContainText("1", givesUp);
    await expect(status(holdfast)).toHaveText("failed");
    await expect(page.getByRole("main")).toContainText(
      "codex exec-server, or something that it started, did not end",
    );
    expect(sandbox.ledger.openCleanups().map(({ kind }) => kind)).toEqual(["exec-server"]);

    await head(holdfast, "Start").click();
    await expect(status(holdfast)).toHaveText(/^running/, givesUp);
    const replacement = sandbox.ledger.execServers().find(({ state }) => state === "running");
    await head(holdfast, "Stop").click();
    await expect(status(holdfast)).toHaveText("stopped", givesUp);
    expect(sandbox.ledger.stateOf(replacement?.handleId ?? "")).toBe("gone");
    await head(holdfast, "Start").click();
    await expect(page.getByRole("main")).toContainText(
      "An earlier exec-server of this environment has not ended yet, so no other one is started beside it.",
      givesUp,
    );
    expect(sandbox.ledger.execServers()).toHaveLength(2);

    await holdfast.pendingCleanup.getByRole("button").click();
    await expect(row).toBeVisible();
    await row.getByRole("button", { name: "Show log" }).click();
    await expect(page.getByRole("dialog")).toContainText("ws://127.0.0.1:");
    await page.keyboard.press("Escape");
  } finally {
    await tree.giveIn();
  }
  const retry = row.getByRole("button", { name: "Retry now" });
  await expect(retry).toBeEnabled(givesUp);
  await retry.click();
  await expect(holdfast.pendingCleanup).toHaveCount(0, givesUp);
  await expect.poll(() => left(handle)).toEqual([]);
  expect(sandbox.ledger.stateOf(handle.handleId)).toBe("gone");
  await openPage(holdfast);
  await head(holdfast, "Start").click();
  await expect(status(holdfast)).toHaveText(/^running/);
  await sandbox.ledger.onlyExecServer();
});
