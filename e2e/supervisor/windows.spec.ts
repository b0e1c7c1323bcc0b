// Several windows on one session, and the app started once more.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "../support/app";
import { message, partOf, reply, streamed } from "../support/modelServer";
import { openWindow } from "../support/openWindow";
import { answerQuitWith, quitQuestions } from "../support/quitQuestion";
import { launchAgain } from "../support/secondLaunch";

test("two windows show the same thread as it goes on, and closing one changes nothing for the other", async ({
  holdfast: first,
  model,
  sandbox,
}) => {
  model.queue(
    reply(
      partOf("To both of you: "),
      [model.hold("second window")],
      partOf("still to both, "),
      [model.hold("closed")],
      streamed("and to the one that is left."),
    ),
  );
  await first.newThread();
  await first.send("Who is there?");
  await expect(first.article("Agent")).toHaveText("To both of you:");
  const handle = await sandbox.ledger.onlyRunning();

  const second = await openWindow(first);
  await second.thread(/^Who is there\?, running/).click();
  await expect(second.article("Agent")).toHaveText("To both of you:");
  model.gate("second window").release();
  for (const window of [first, second]) {
    await expect(window.article("Agent")).toHaveText("To both of you: still to both,");
    await expect(window.article("You")).toHaveText("Who is there?");
    await expect(window.button("Stop")).toBeVisible();
  }

  await first.page.close();
  model.gate("closed").release();
  await expect(second.thread(/^Who is there\?, idle/)).toBeVisible();
  await expect(second.article("Agent")).toHaveText(
    "To both of you: still to both, and to the one that is left.",
  );
  expect(await sandbox.ledger.onlyRunning()).toEqual(handle);
  model.queue(reply(message("You alone.")));
  await second.send("And now?");
  await expect(second.conversation).toContainText("You alone.");
});

test("what one window answers is answered in the other", async ({ holdfast: first, model }) => {
  model.queue(
    reply(partOf("One moment. "), [model.hold("two windows")], streamed("Here.")),
    reply(message("Good.")),
  );
  await first.newThread();
  await first.send("Anybody?");
  await expect(first.article("Agent")).toHaveText("One moment.");
  const second = await openWindow(first);
  await second.thread(/^Anybody\?, running/).click();
  await second.button("Stop").click();
  for (const window of [first, second]) {
    await expect(window.thread(/^Anybody\?, interrupted/)).toBeVisible();
    await expect(window.button("Stop")).toHaveCount(0);
  }
});

test("the app started once more hands its folder over and ends; the first shows it", async ({
  holdfast,
  sandbox,
}) => {
  const other = path.join(sandbox.workspace, "borealis");
  await mkdir(other);
  const { exitCode, output } = await launchAgain(sandbox, holdfast, [other]);
  expect(exitCode).toBe(0);
  expect(output).toContain("Holdfast is running already");
  await expect(holdfast.workspace("borealis")).toBeVisible();
  await sandbox.ledger.runningIn(other);
  expect(holdfast.app.windows()).toHaveLength(1);
  const isShown = await holdfast.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().every((window) => window.isVisible() && !window.isMinimized()),
  );
  expect(isShown).toBe(true);

  // One that is not there is said where it was typed, and in the window.
  const missing = path.join(sandbox.workspace, "nowhere");
  await answerQuitWith(holdfast, "OK");
  const refused = await launchAgain(sandbox, holdfast, [missing]);
  expect(refused.exitCode).toBe(1);
  expect(refused.output).toContain(`holdfast: There is no folder ${missing}.`);
  await expect
    .poll(async () => (await quitQuestions(holdfast)).map(({ message }) => message))
    .toEqual([`There is no folder ${missing}.`]);
});
