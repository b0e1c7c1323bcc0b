// A codex that hangs: its process is stopped while its connection stands. That it does not answer is said within
// seconds, everything else goes on, and nothing is sent twice.

import { freeze } from "../main/codex/testFreeze";
import { expect, type Holdfast, type Sandbox, test } from "./support/app";
import type { RunningHandle } from "./support/ledger";
import { message, reply } from "./support/modelServer";

const silent = "codex does not answer.";
/** Ten seconds, and what a busy machine adds. */
const within = { timeout: 20_000 };

async function withThread(holdfast: Holdfast, sandbox: Sandbox): Promise<RunningHandle> {
  await holdfast.newThread();
  await holdfast.send("First.");
  await expect(holdfast.article("Agent")).toHaveText("The first answer.");
  await expect(holdfast.thread(/^First\., idle/)).toBeVisible();
  return sandbox.ledger.onlyRunning();
}

test("a message to a codex that is stopped: it is said, typing goes on, and the message is delivered once", async ({
  sandbox,
  codexHome,
  model,
}) => {
  model.queue(reply(message("The first answer.")), reply(message("The second answer.")));
  const holdfast = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  const { pid } = await withThread(holdfast, sandbox);
  const turn = holdfast.conversation.getByRole("status", { name: "Turn" });
  await freeze(pid);
  try {
    await holdfast.send("Second.");
    await expect(turn).toContainText(silent, within);
    await expect(turn).toContainText("Restart codex");
    await holdfast.message.fill("Typed meanwhile.");
    await expect(holdfast.message).toHaveValue("Typed meanwhile.");
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await expect(holdfast.conversation).toContainText("The second answer.");
  await expect(holdfast.thread(/^First\., idle/)).toBeVisible();
  await expect(holdfast.page.getByText(silent)).toHaveCount(0);
  await expect(holdfast.article("You")).toHaveText(["First.", "Second."]);
  expect(model.requests).toHaveLength(2);
  expect((await sandbox.ledger.onlyRunning()).pid).toBe(pid);
});

test("a codex that hangs is restarted: the message says what became of it, and the turn before stays as it was", async ({
  sandbox,
  codexHome,
  model,
}) => {
  model.queue(reply(message("The first answer.")));
  const holdfast = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  const { pid } = await withThread(holdfast, sandbox);
  await freeze(pid);
  await holdfast.send("Second.");
  await expect(holdfast.page.getByText(silent).first()).toBeVisible(within);
  await holdfast.restartCodex();
  const question = holdfast.page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Restart codex" }).click();
  await expect(holdfast.conversation.getByRole("alert")).toContainText("Not delivered.", { timeout: 30_000 });
  await expect(holdfast.page.getByText(silent)).toHaveCount(0);
  await expect(holdfast.conversation).not.toContainText("codex was stopped");
  await expect(holdfast.article("You")).toHaveText([/First\./, /Second\./]);
  expect((await sandbox.ledger.onlyRunning()).pid).not.toBe(pid);

  model.queue(reply(message("The second answer.")));
  await holdfast.button("Send again").click();
  await expect(holdfast.conversation).toContainText("The second answer.");
  await expect(holdfast.thread(/^First\., idle/)).toBeVisible();
  await expect(holdfast.article("You")).toHaveText(["First.", "Second."]);
  expect(model.requests).toHaveLength(2);
});
