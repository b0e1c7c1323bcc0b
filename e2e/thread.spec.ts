// A thread on the real codex, from the first message to the next start of the app.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "./support/app";
import { message, partOf, patch, reply, shell, streamed } from "./support/modelServer";

/** What the test needs of the page's world, whose types the tests of Node do not have. */
interface BoxElement {
  ownerDocument: { defaultView: { KeyboardEvent: new (type: string, init: object) => object } };
  dispatchEvent(event: object): boolean;
}

const editLimits = [
  "*** Begin Patch",
  "*** Update File: limits.txt",
  "@@",
  "-burst = 50",
  "+burst = 200",
  "*** End Patch",
].join("\n");

test("a message is sent, the answer streams in, and the thread is listed", async ({
  sandbox,
  holdfast,
  model,
}) => {
  model.queue(reply(partOf("The bucket holds "), [model.hold("middle")], streamed("one second of tokens.")));
  await holdfast.newThread();
  // What codex's configuration gives it is said before there is a thread, in the same words as after.
  const chip = (what: string) => holdfast.page.getByRole("button", { name: new RegExp(`^${what}: `) });
  await expect(chip("Sandbox")).toHaveAccessibleName("Sandbox: workspace write");
  await expect(chip("Approvals")).toHaveAccessibleName("Approvals: on request");
  await holdfast.send("Why do bursts get 429?");
  await expect(holdfast.article("You")).toHaveText(/Why do bursts get 429\?/);
  await expect(holdfast.conversation).toContainText("The bucket holds");
  await expect(holdfast.thread(/^Why do bursts get 429\?, running/)).toBeVisible();
  await expect(holdfast.button("Stop")).toBeVisible();
  model.gate("middle").release();
  await expect(holdfast.conversation).toContainText("one second of tokens.");
  await expect(holdfast.thread(/^Why do bursts get 429\?, idle/)).toBeVisible();
  await expect(holdfast.button("Send")).toBeVisible();
  await expect(holdfast.session).toContainText(/^connected/);
  expect(model.requests).toHaveLength(1);
  // Nothing of main was compiled at this start: what is kept by the build is what this Electron takes.
  const log = readFileSync(path.join(sandbox.home, "logs", "main.log"), "utf8");
  expect(log).toMatch(/"codeCache":{"used":[1-9]\d*,"refused":0,"missing":0}/);
  await expect(chip("Sandbox")).toHaveAccessibleName("Sandbox: workspace write");
  await expect(chip("Approvals")).toHaveAccessibleName("Approvals: on request");

  // By the words of other tools, too, the palette leads to them.
  for (const [words, menu] of [
    ["yolo", "Sandbox, from the next turn on"],
    ["auto approve", "Asks for approval, from the next turn on"],
  ] as const) {
    await holdfast.page.keyboard.press("ControlOrMeta+k");
    await holdfast.page.getByRole("combobox", { name: "Command palette" }).fill(words);
    await holdfast.page.keyboard.press("Enter");
    await expect(holdfast.page.getByRole("group", { name: menu })).toBeVisible();
    await holdfast.page.keyboard.press("Escape");
    await expect(holdfast.page.getByRole("menu")).toHaveCount(0);
  }
});

test("an approval that is accepted lets the command run, and the file changes on disk", async ({
  holdfast,
  model,
  sandbox,
}) => {
  model.queue(
    reply(shell("echo outside", { escalate: { justification: "It must leave the sandbox." } })),
    reply(patch(editLimits)),
    reply(message("Done: the burst is 200 now.")),
  );
  await holdfast.newThread();
  await holdfast.send("Raise the burst.");
  await expect(holdfast.approval).toContainText("echo outside");
  await expect(holdfast.thread(/waiting for approval/)).toBeVisible();
  // What is typed is a message, whatever its letters are keys of; the card says how the keyboard gets to it.
  await holdfast.message.focus();
  await holdfast.page.keyboard.type("a d");
  await expect(holdfast.message).toHaveValue("a d");
  await holdfast.message.fill("");
  await expect(holdfast.approval).toContainText("While you write");
  await holdfast.page.keyboard.press("ControlOrMeta+j");
  await expect(holdfast.approval).toBeFocused();
  // Answered from within a message, it leaves the keyboard where it was: at the same letter of that message.
  await holdfast.message.fill("also update the , please");
  for (let at = 0; at < ", please".length; at += 1) await holdfast.page.keyboard.press("ArrowLeft");
  await holdfast.page.keyboard.press("ControlOrMeta+j");
  await expect(holdfast.approval).toBeFocused();
  await holdfast.page.keyboard.type("achangelog");
  await expect(holdfast.message).toHaveValue("also update the changelog, please");
  await expect(holdfast.approval).toHaveCount(0);
  await expect(holdfast.conversation).toContainText("Done: the burst is 200 now.");
  await expect(holdfast.article("Command")).toContainText("echo outside");
  await expect(holdfast.article("File change")).toContainText("limits.txt");
  expect(await readFile(path.join(sandbox.workspace, "limits.txt"), "utf8")).toBe("burst = 200\n");
});

test("an approval that is refused stops the command, and says so", async ({ holdfast, model, sandbox }) => {
  const target = path.join(sandbox.root, "user", "never");
  model.queue(
    reply(shell(`touch ${target}`, { escalate: { justification: "To leave a mark." } })),
    reply(message("Understood, I leave it.")),
  );
  await holdfast.newThread();
  await holdfast.send("Leave a mark.");
  await expect(holdfast.approval).toContainText("touch");
  await holdfast.approval
    .getByRole("button", { name: /^(Decline|Stop)/ })
    .first()
    .click();
  await expect(holdfast.approval).toHaveCount(0);
  await expect(holdfast.thread(/(idle|interrupted)/)).toBeVisible();
  await expect(holdfast.article("Command")).toContainText(/declined|not run/i);
  await expect(readFile(target)).rejects.toThrow(/ENOENT/);
});

test("Stop ends the turn, what was said stays, and the next message works", async ({ holdfast, model }) => {
  model.queue(reply(partOf("I begin with the "), [model.hold("never")]));
  await holdfast.newThread();
  await holdfast.send("Begin.");
  await expect(holdfast.conversation).toContainText("I begin with the");
  await holdfast.button("Stop").click();
  await expect(holdfast.thread(/interrupted/)).toBeVisible();
  await expect(holdfast.conversation).toContainText("I begin with the");
  // codex keeps no record of it; it is found, and taken along, all the same.
  const { page } = holdfast;
  await page.keyboard.press("Control+Shift+f");
  await page.keyboard.type("begin with the");
  const results = page.getByRole("main");
  await expect(results.getByText(/I begin with the/)).toBeVisible();
  await holdfast.thread(/^Begin\./).click();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Copy the thread as Markdown");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Thread copied as Markdown")).toBeVisible();
  const copied = await holdfast.app.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).toMatch(/### Agent \(cut off\)\n\nI begin with the/);
  model.queue(reply(message("Here I am again.")));
  await holdfast.send("Go on.");
  await expect(holdfast.conversation).toContainText("Here I am again.");
  await expect(holdfast.thread(/idle/)).toBeVisible();
});

test("two presses of Enter in one tick send one message", async ({ holdfast, model }) => {
  model.queue(reply(message("Once.")));
  await holdfast.newThread();
  await holdfast.message.fill("Only once, please.");
  await holdfast.message.evaluate((box: BoxElement) => {
    const { KeyboardEvent } = box.ownerDocument.defaultView;
    for (let press = 0; press < 2; press += 1) {
      box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    }
  });
  await expect(holdfast.conversation).toContainText("Once.");
  await expect(holdfast.thread(/idle/)).toBeVisible();
  await expect(holdfast.article("You")).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});

test("after an end and a new start the thread is there, transcript and draft included", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  model.queue(reply(message("Noted: the answer is 42.")));
  const first = await sandbox.launch({ environment });
  await first.newThread();
  await first.send("Remember the answer.");
  await expect(first.conversation).toContainText("Noted: the answer is 42.");
  await expect(first.thread(/idle/)).toBeVisible();
  await first.message.fill("and then\n\tthe second line");
  await sandbox.end(first);

  const second = await sandbox.launch({ environment });
  await expect(second.conversation).toContainText("Noted: the answer is 42.");
  await expect(second.article("You")).toContainText("Remember the answer.");
  await expect(second.message).toHaveValue("and then\n\tthe second line");
  model.queue(reply(message("Still 42.")));
  await second.send("And now?");
  await expect(second.conversation).toContainText("Still 42.");
  const asked = JSON.stringify(await model.request(1));
  expect(asked).toContain("Noted: the answer is 42.");
});
