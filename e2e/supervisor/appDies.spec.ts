// Holdfast itself is killed while its agents are at work: they go on, and the
// next start adopts them.

import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Step } from "../../main/demo/responseSteps";
import { expect, type Holdfast, type Sandbox, test } from "../support/app";
import { drip } from "../support/drip";
import type { RunningHandle } from "../support/ledger";
import { message, partOf, plan, reply, shell, streamed } from "../support/modelServer";
import { commandsWith, isAlive, processesOfHandle } from "../support/processes";
import { startStrangerCodex } from "../support/realCodex";

const missed = "Some text was missed while disconnected";

/** The process that the session's menu names. */
async function expectSessionOf(holdfast: Holdfast, { pid }: RunningHandle): Promise<void> {
  await expect(holdfast.session).toContainText(/^connected/);
  await holdfast.session.getByRole("button").click();
  await expect(holdfast.page.getByText(`process ${pid}`)).toBeVisible();
  await holdfast.page.keyboard.press("Escape");
}

/** All that codex has written down about its threads. */
async function recordsIn(codexHomePath: string): Promise<string> {
  const folder = path.join(codexHomePath, "sessions");
  const names = await readdir(folder, { recursive: true });
  const records = names.filter((name) => name.endsWith(".jsonl"));
  return (await Promise.all(records.map((name) => readFile(path.join(folder, name), "utf8")))).join("\n");
}

/** Since when the turn runs, as the end of the conversation says it. */
async function secondsShown(holdfast: Holdfast): Promise<number> {
  const turn = await holdfast.conversation.getByRole("status", { name: "Turn" }).textContent();
  const [, minutes = "0", seconds = "0"] = /(?:(\d+) min )?(\d+) s$/.exec(turn ?? "") ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

function spending(inputTokens: number): Step[] {
  const usage = { inputTokens, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  return [{ type: "completed", usage }];
}

function servers(sandbox: Sandbox): number[] {
  return commandsWith(" app-server ", sandbox.processes()).map(({ pid }) => pid);
}

test("killed in mid-turn with an approval waiting elsewhere: the next start adopts the process and misses nothing", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  model.queue(reply(shell("echo it was allowed", { escalate: { justification: "To be allowed." } })));
  await first.newThread();
  await first.send("Ask me first.");
  await expect(first.thread(/^Ask me first\., waiting for approval/)).toBeVisible();
  const after = drip(model, "after");
  model.queue(
    reply(
      partOf("Before the crash. "),
      [model.hold("crash")],
      partOf("During the crash. "),
      after.steps,
      [model.hold("last")],
      streamed("The end."),
    ),
  );
  await first.newThread();
  await first.send("Tell me.");
  await expect(first.article("Agent")).toHaveText("Before the crash.");
  await expect.poll(() => sandbox.ledger.runningTexts()).toContain("Before the crash. ");
  await sandbox.ledger.untilThreadIsRemembered();
  const handle = await sandbox.ledger.onlyRunning();

  await sandbox.kill(first);
  model.gate("crash").release();
  await model.gate("drip after0 ").reached;
  expect(isAlive(handle.pid), "the app-server goes on").toBe(true);
  const second = await sandbox.launch({ environment });

  await expect(second.thread(/^Tell me\., running/)).toBeVisible();
  await expectSessionOf(second, handle);
  expect(await sandbox.ledger.onlyRunning(), "the same handle, adopted").toEqual(handle);
  expect(servers(sandbox)).toEqual([handle.pid]);

  await second.thread(/^Tell me\./).click();
  await expect(second.article("You")).toHaveText("Tell me.");
  await expect(second.article("Agent")).toContainText("Before the crash.");
  await expect(second.article("Agent")).toContainText(missed);
  await expect(second.button("Stop")).toBeVisible();
  await after.untilSeen(second.article("Agent"));
  // What comes goes on after the mark.
  await expect(second.article("Agent")).toHaveText(
    new RegExp(`^Before the crash\\.\\s*${missed}[^.]*\\.\\s*after\\d`),
  );
  await expect(second.article("Agent")).not.toContainText("During the crash.");
  after.releaseAll();
  model.gate("last").release();
  await expect(second.thread(/^Tell me\., idle/)).toBeVisible();
  await expect(second.article("Agent")).toHaveText(
    `Before the crash. During the crash. ${after.words}The end.`,
  );

  await second.thread(/^Ask me first\., waiting for approval/).click();
  await expect(second.approval).toHaveCount(1);
  await expect(second.approval).toContainText("echo it was allowed");
  await expect(second.article("Command")).toHaveCount(1);
  await expect(second.article("Command"), "it has not run, so nothing of it is missing").not.toContainText(
    "disconnected",
  );
  model.queue(reply(message("It has run.")));
  await second.approval.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(second.conversation).toContainText("It has run.");
  await expect(second.approval).toHaveCount(0);
  await expect(second.article("Command")).toHaveCount(1);
  await expect(second.article("Command")).toContainText("exit 0");
  await expect(second.article("Command")).not.toContainText("disconnected");
  expect(model.requests).toHaveLength(3);
  expect(await sandbox.ledger.onlyRunning()).toEqual(handle);
});

test("killed in mid-turn: the plan, what was spent and since when the turn runs are known after the next start", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  const steps = [
    { step: "Read the limits", status: "completed" as const },
    { step: "Raise the burst", status: "in_progress" as const },
  ];
  const ask = shell("echo raised", { escalate: { justification: "To raise it." } });
  model.queue(reply(plan(steps), spending(1_000)), reply(ask), reply(message("It is raised.")));
  await first.newThread();
  await first.send("Raise it.");
  await first.tab("Progress").click();
  const progress = (holdfast: Holdfast) => holdfast.page.getByRole("tabpanel", { name: "Progress" });
  await expect(first.approval).toBeVisible();
  await expect(progress(first)).toContainText("Raise the burst");
  // codex tells what a request has cost when what it led to is done: so this is the first one.
  const spent = /Spent in this thread\s*1k/;
  await expect(progress(first)).toContainText(spent);
  await sandbox.ledger.untilThreadIsRemembered();
  await expect.poll(() => secondsShown(first)).toBeGreaterThan(0);
  const killedAtMs = Date.now();
  await sandbox.kill(first);

  const second = await sandbox.launch({ environment });
  await second.thread(/^Raise it\., waiting for approval/).click();
  await expect(second.approval).toBeVisible();
  await second.tab("Progress").click();
  await expect(progress(second)).toContainText("Raise the burst");
  await expect(progress(second)).toContainText("Read the limits");
  await expect(progress(second)).toContainText(spent);
  // Counted from the adoption on it would be less than the time since the kill, at every moment.
  await expect
    .poll(async () => (await secondsShown(second)) * 1_000 - (Date.now() - killedAtMs))
    .toBeGreaterThanOrEqual(0);
  await second.approval.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(second.conversation).toContainText("It is raised.");
  await expect(progress(second), "the plan of the newest turn stays").toContainText("Raise the burst");
});

test("killed while a turn runs a command: after the next start its output is complete, once", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  // The words are not in the command as they are in its output.
  const wait = (file: string) => `while [ ! -e ${file} ]; do sleep 0.05; done; rm ${file}`;
  const script = `${wait("one")}; echo fi""rst; ${wait("two")}; echo sec""ond; ${wait("three")}; echo th""ird`;
  const allow = (file: string) => writeFile(path.join(sandbox.workspace, file), "");
  // codex waits for a command no longer than half a minute, which is soon over on a busy machine, and then asks on.
  model.queue(
    reply(shell(script, { yieldTimeMs: 30_000 })),
    reply([model.hold("ended")], message("It has ended.")),
  );
  await first.newThread();
  await first.send("Run it.");
  await expect(first.article("Command")).toBeVisible();
  await allow("one");
  await expect(first.article("Command")).toContainText("first");
  await expect.poll(() => sandbox.ledger.runningTexts().join()).toContain("first");
  const handle = await sandbox.ledger.onlyRunning();
  await sandbox.kill(first);
  await allow("two");
  // The command has seen it, and says so while nobody listens.
  await expect.poll(() => existsSync(path.join(sandbox.workspace, "two"))).toBe(false);

  const second = await sandbox.launch({ environment });
  await second.thread(/^Run it\., running/).click();
  await expect(second.article("Command")).toContainText(
    /first\s*Holdfast was disconnected here; what was printed meanwhile is here/,
  );
  await allow("three");
  await expect(second.article("Command")).toContainText("exit 0");
  model.gate("ended").release();
  await expect(second.conversation).toContainText("It has ended.");
  await expect(second.article("Command")).toHaveCount(1);
  await expect(second.article("Command")).toContainText(/first\s*second\s*third/);
  await expect(second.article("Command")).not.toContainText("disconnected");
  await expect(second.article("Command")).toContainText("exit 0");
  expect(await sandbox.ledger.onlyRunning()).toEqual(handle);
});

test("killed, and the turn ends before the next start: its thread is unread until it is shown", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  model.queue(reply(partOf("I have "), [model.hold("gone")], streamed("ended.")));
  await first.newThread();
  await first.send("End alone.");
  await expect(first.article("Agent")).toHaveText("I have");
  // The window that comes back shows what it showed last: that is another thread.
  await sandbox.ledger.untilThreadIsRemembered();
  await first.newThread();
  await sandbox.ledger.untilNewThreadIsRemembered();
  await sandbox.kill(first);
  model.gate("gone").release();
  await expect.poll(() => recordsIn(codexHome.path)).toContain("I have ended.");

  const second = await sandbox.launch({ environment });
  await expect(second.thread(/^End alone\., .*unread/)).toBeVisible();
  await second.thread(/^End alone\./).click();
  await expect(second.article("Agent")).toHaveText("I have ended.");
  await expect(second.thread(/^End alone\., .*unread/)).toHaveCount(0);
});

test("killed, and its app-server after it: the next start says what was interrupted and leaves nothing of it", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  model.queue(reply(partOf("I had begun."), [model.hold("never")]));
  await first.newThread();
  await first.send("Begin.");
  await expect(first.article("Agent")).toHaveText("I had begun.");
  await expect.poll(() => sandbox.ledger.runningTexts()).toContain("I had begun.");
  model.queue(reply(shell("echo allowed", { escalate: { justification: "To be allowed." } })));
  await first.newThread();
  await first.send("Ask me first.");
  await expect(first.thread(/^Ask me first\., waiting for approval/)).toBeVisible();
  const handle = await sandbox.ledger.onlyRunning();
  const stranger = await startStrangerCodex(codexHome.path);
  try {
    await sandbox.kill(first);
    process.kill(handle.pid, "SIGKILL");

    const second = await sandbox.launch({ environment });
    await expect(second.thread(/^Ask me first\., interrupted/)).toBeVisible();
    const reason = "The turn was cut off while Holdfast was not running.";
    await second.thread(/^Ask me first\./).click();
    const unanswered = second.article("Notice").filter({ hasText: "can no longer be answered" });
    await expect(unanswered).toContainText("echo allowed");
    await expect(second.approval).toHaveCount(0);
    await expect(second.conversation.getByRole("region", { name: "End of turn: interrupted" })).toContainText(
      reason,
    );
    await second.newThread();
    await expect(second.thread(/^Begin\., interrupted/)).toHaveAccessibleDescription(reason);
    await second.thread(/^Begin\., interrupted/).click();
    await expect(second.article("You")).toHaveText("Begin.");
    await expect(second.article("Agent")).toContainText("I had begun.");
    await expect(second.thread(/running/)).toHaveCount(0);
    const next = await sandbox.ledger.onlyRunning();
    expect(next.handleId).not.toBe(handle.handleId);
    await expect.poll(() => processesOfHandle(handle)).toEqual([]);
    model.queue(reply(message("Here I am again.")));
    await second.send("Go on.");
    await expect(second.conversation).toContainText("Here I am again.");
    expect(isAlive(stranger.pid), "a codex that is not on record is not touched").toBe(true);
  } finally {
    await stranger.end();
  }
});

test("Holdfast is killed: a command that an agent has left running is found by the next one, and told as ended once codex is killed", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  model.queue(reply(shell("echo up; sleep 301", { yieldTimeMs: 300 })), reply(message("Up.")));
  await first.newThread();
  await first.send("Serve it.");
  await expect(first.thread(/^Serve it\., idle, 1 command left running/)).toBeVisible();
  await first.button("New thread").click();
  await expect(first.message).toBeFocused();
  await sandbox.kill(first);
  const second = await sandbox.launch({ environment });
  await expect(second.thread(/^Serve it\., idle, 1 command left running/)).toBeVisible();
  await second.thread(/^Serve it\./).click();
  await expect(second.article("Command")).toContainText("still runs");
  const handle = await sandbox.ledger.onlyRunning();
  process.kill(handle.pid, "SIGKILL");
  await expect(second.article("Command")).toContainText("ended, how is not known");
});
