// A thread whose commands run in an environment, and everything that may go away below it: the executor, codex, Holdfast, the
// environment itself. Each command leaves a line behind with the mark and the process id of the exec-server that has started
// it, so that what ran, where and how often is read from there and not from what is shown.

import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { test as base, expect, type Holdfast } from "./support/app";
import { BuildBox, type ExecServer } from "./support/buildBox";
import {
  addEnvironmentByFile,
  chooseEnvironment,
  chooseThisMachine,
  environmentStatus,
  placeChip,
  removeEnvironment,
  runsOn,
} from "./support/environments";
import { type ModelServer, message, reply, shell } from "./support/modelServer";
import { expectKeyboardInMenu } from "./support/openMenu";

const name = "build-box";
/** Longer than the same executor is waited for. */
const recoveryMs = 40_000;

const test = base.extend<{ box: BuildBox }>({
  box: async ({ sandbox }, use) => {
    const box = await BuildBox.make(sandbox.temporary);
    await use(box);
    await sandbox.endAll();
    await box.end();
  },
});

/** "A 4711": who has started it. In a file of that name in the folder in which the command runs. */
const leaveMark = (file: string) => `echo "$MARK $PPID" >> ${file}; echo "ran as $MARK"`;
const markOf = ({ mark, pid }: ExecServer) => `${mark} ${pid}`;

function queueCommand(model: ModelServer, command: string, answer: string): void {
  model.queue(
    reply(shell(command, { escalate: { justification: "To leave a mark." }, yieldTimeMs: 30_000 })),
    reply(message(answer)),
  );
}

async function approve(holdfast: Holdfast): Promise<void> {
  await holdfast.approval.getByRole("button", { name: "Approve", exact: true }).click();
}

/** One message, its command, and the answer after it. */
async function turn(holdfast: Holdfast, model: ModelServer, words: string, file: string): Promise<void> {
  const answer = `Done: ${words}`;
  queueCommand(model, leaveMark(file), answer);
  await holdfast.send(words);
  await approve(holdfast);
  await expect(holdfast.conversation).toContainText(answer);
  await expect(holdfast.button("Send")).toBeVisible();
}

/** With one exec-server, an environment that finds it, and a thread that has run a command there. */
async function begin(holdfast: Holdfast, model: ModelServer, box: BuildBox): Promise<ExecServer> {
  const first = await box.start("A");
  await box.register(first);
  await addEnvironmentByFile(holdfast, name, box.registryPath);
  await holdfast.newThread();
  await chooseEnvironment(holdfast, name, box.folder);
  await turn(holdfast, model, "Look around.", "marks");
  expect(box.lines("marks")).toEqual([markOf(first)]);
  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(box.folder, "connected"));
  return first;
}

function shownAs(folder: string, word: string): string {
  return `Runs on ${name} in ${folder}: ${word}. Show the environment`;
}

/** What stands above the field for the next message. */
function notice(holdfast: Holdfast) {
  const said = holdfast.page.getByRole("region", { name: "Composer" }).getByRole("status");
  // One is always there, for what is said to those who do not see it.
  return said.filter({ hasText: /\S/ });
}

test("a thread is told to run elsewhere, does so, and says so wherever it is seen", async ({
  holdfast,
  model,
  box,
}) => {
  const first = await box.start("A");
  await box.register(first);
  await expect(runsOn(holdfast), "who has no environments is not asked").toHaveCount(0);
  await addEnvironmentByFile(holdfast, name, box.registryPath);
  await holdfast.newThread();
  await expect(runsOn(holdfast)).toHaveAccessibleName("Runs on: This machine");
  await chooseEnvironment(holdfast, name, box.folder);
  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(box.folder, "not used yet"));

  queueCommand(model, leaveMark("marks"), "There it is.");
  await holdfast.send("Look around.");
  await expect(holdfast.approval).toContainText(`on ${name}`);
  await expect(holdfast.thread(`Look around., waiting for approval, runs on ${name}`)).toBeVisible();
  await runsOn(holdfast).click();
  await expect(holdfast.page.getByRole("menuitemradio", { name: /^This machine/ })).toBeDisabled();
  await expect(holdfast.page.getByRole("menu")).toContainText("Can be changed when the turn has ended.");
  await holdfast.page.keyboard.press("Escape");
  await approve(holdfast);
  await expect(holdfast.conversation).toContainText("There it is.");
  expect(box.lines("marks")).toEqual([markOf(first)]);
  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(box.folder, "connected"));

  await holdfast.newThread();
  await runsOn(holdfast).click();
  await holdfast.page.getByRole("menuitemradio", { name: new RegExp(`^${name}`) }).click();
  const field = holdfast.page.getByRole("textbox", { name: "Folder" });
  await expect(field, "the folder of the last thread there").toHaveValue(box.folder);
  await field.press("Escape");

  await holdfast.thread(/^Look around\./).click();
  await chooseThisMachine(holdfast);
  await expect(placeChip(holdfast)).toHaveCount(0);
  await expect(holdfast.thread("Look around., idle")).toBeVisible();
});

test("its folder is found with the keyboard, and left through the palette", async ({ holdfast, box }) => {
  const { page } = holdfast;
  const app = path.join(box.folder, "app");
  await mkdir(path.join(app, "lib"), { recursive: true });
  await box.register(await box.start("A"));
  await addEnvironmentByFile(holdfast, name, box.registryPath);
  await holdfast.newThread();
  const field = page
    .getByRole("dialog", { name: `Folder on ${name}` })
    .getByRole("textbox", { name: "Folder" });

  await runsOn(holdfast).press("Enter");
  await expect(page.getByRole("menuitemradio", { name: /^This machine/ })).toBeChecked();
  await expectKeyboardInMenu(page);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitemradio", { name: new RegExp(`^${name}`) })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(field, "it begins where the environment starts").toHaveValue(box.root);
  await expect(field).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: "A", exact: true })).toBeFocused();
  await page.keyboard.press("s");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: "app", exact: true })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(field).toHaveValue(app);
  await expect(page.getByRole("button", { name: "lib", exact: true })).toBeFocused();
  await field.fill(path.join(app, "nowhere"));
  await field.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  await field.fill(app);
  await field.press("Enter");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("list", { name: `Folders in ${app}` })).not.toHaveAttribute("aria-busy");
  await field.press("Enter");
  await expect(field).toHaveCount(0);
  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(app, "not used yet"));
  await expect(runsOn(holdfast), "the keyboard is where it was").toBeFocused();

  await holdfast.button("Command palette").click();
  await page.getByRole("combobox", { name: "Command palette" }).fill("run this thread on this machine");
  await page.keyboard.press("Enter");
  await expect(placeChip(holdfast)).toHaveCount(0);
  await holdfast.button("Command palette").click();
  await page.getByRole("combobox", { name: "Command palette" }).fill(`run this thread on ${name}`);
  await page.keyboard.press("Enter");
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(runsOn(holdfast)).toHaveAccessibleName("Runs on: This machine");
});

test("an executor that dies while nothing runs: said, replaced, found again, and nothing runs twice", async ({
  holdfast,
  model,
  box,
}) => {
  const first = await begin(holdfast, model, box);

  await first.kill();

  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(box.folder, "reconnecting"));
  await expect(notice(holdfast)).toContainText(`${name} is reconnecting.`);
  await expect(notice(holdfast)).toContainText("Nothing of this thread runs on this machine instead.");
  await expect(await environmentStatus(holdfast)).toHaveText(/^reconnecting/);
  await expect(await environmentStatus(holdfast)).toHaveText(/^failed/, { timeout: recoveryMs });
  await holdfast.thread(/^Look around\./).click();
  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(box.folder, "disconnected"));
  await expect(notice(holdfast)).toContainText(`${name} is disconnected.`);

  const second = await box.start("B");
  await box.register(second);
  await notice(holdfast).getByRole("button", { name: "Refresh" }).click();
  await expect(notice(holdfast)).toContainText(`${name} is there again.`);
  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(box.folder, "connects at the next turn"));
  await expect(await environmentStatus(holdfast)).toHaveText(/^connected/);
  await holdfast.thread(/^Look around\./).click();
  await turn(holdfast, model, "Go on.", "marks");
  expect(box.lines("marks"), "the earlier turn's command was not run again").toEqual([
    markOf(first),
    markOf(second),
  ]);
  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(box.folder, "connected"));
  await expect(notice(holdfast)).toHaveCount(0);
});

test("an executor that dies in the middle of a command: the command is not run again, and a message waits for a new one", async ({
  holdfast,
  model,
  box,
}) => {
  const first = await begin(holdfast, model, box);
  queueCommand(model, `${leaveMark("long")}; exec sleep 4711`, "It broke off.");
  await holdfast.send("Wait there.");
  await approve(holdfast);
  await expect.poll(() => box.lines("long")).toEqual([markOf(first)]);

  await first.kill();

  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(box.folder, "reconnecting"));
  await expect(notice(holdfast)).toContainText("What runs there waits for it.");
  await expect(holdfast.conversation).toContainText("It broke off.", { timeout: recoveryMs });
  await expect(holdfast.button("Send")).toBeVisible();

  const asked = model.requests.length;
  await holdfast.send("Are you there?");
  const undelivered = holdfast.article("You").filter({ hasText: "Are you there?" });
  await expect(undelivered).toContainText("Not delivered.");
  await expect(undelivered).toContainText("Nothing was run on this machine instead.");
  expect(model.requests.length, "nothing was begun").toBe(asked);

  const second = await box.start("B");
  await box.register(second);
  queueCommand(model, leaveMark("marks"), "Here I am.");
  await undelivered.getByRole("button", { name: "Send again" }).click();
  await approve(holdfast);
  await expect(holdfast.conversation).toContainText("Here I am.");
  await expect(holdfast.article("You")).toHaveText(["Look around.", "Wait there.", "Are you there?"]);
  expect(box.lines("marks")).toEqual([markOf(first), markOf(second)]);
  expect(box.lines("long"), "the broken off command was not run again").toEqual([markOf(first)]);
  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(box.folder, "connected"));
  await expect(notice(holdfast)).toHaveCount(0);
});

test("codex is killed, then Holdfast: the thread goes on there all the same", async ({
  sandbox,
  codexHome,
  model,
  box,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const holdfast = await sandbox.launch({ environment });
  const first = await begin(holdfast, model, box);
  const handle = await sandbox.ledger.onlyRunning();

  process.kill(handle.pid, "SIGKILL");

  await expect.poll(() => sandbox.ledger.stateOf(handle.handleId)).toBe("gone");
  await sandbox.ledger.onlyRunning();
  await expect(placeChip(holdfast)).toHaveAccessibleName(shownAs(box.folder, "not used yet"));
  await turn(holdfast, model, "After codex.", "marks");
  expect(box.lines("marks")).toEqual([markOf(first), markOf(first)]);

  await sandbox.kill(holdfast);
  const second = await sandbox.launch({ environment });
  await second.thread(/^Look around\./).click();
  await expect(placeChip(second)).toHaveAccessibleName(
    new RegExp(`^Runs on ${name} in ${box.folder}: (connected|not used yet)\\.`),
  );
  await turn(second, model, "After Holdfast.", "marks");
  expect(box.lines("marks")).toEqual([markOf(first), markOf(first), markOf(first)]);
  expect(await sandbox.ledger.onlyRunning(), "each in the codex that there is").toBeTruthy();
});

test("Holdfast is killed while a command waits for approval: the next one says that the thread is connected there", async ({
  sandbox,
  codexHome,
  model,
  box,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const holdfast = await sandbox.launch({ environment });
  const first = await begin(holdfast, model, box);
  queueCommand(model, leaveMark("marks"), "It was approved.");
  await holdfast.send("Wait for me.");
  await expect(holdfast.approval).toContainText(`on ${name}`);

  await sandbox.kill(holdfast);
  const second = await sandbox.launch({ environment });
  await second.thread(/^Look around\./).click();
  await expect(second.approval).toContainText(`on ${name}`);
  await expect(placeChip(second)).toHaveAccessibleName(shownAs(box.folder, "connected"));
  await approve(second);
  await expect(second.conversation).toContainText("It was approved.");
  expect(box.lines("marks")).toEqual([markOf(first), markOf(first)]);
  await expect(placeChip(second)).toHaveAccessibleName(shownAs(box.folder, "connected"));
  await expect(await environmentStatus(second), "its loss would be known at once").toHaveText(/^connected/);
});

test("an executor is replaced while a command waits for approval: it is said before it is approved", async ({
  holdfast,
  model,
  box,
}) => {
  const first = await begin(holdfast, model, box);
  queueCommand(model, leaveMark("marks"), "It was not done.");
  await holdfast.send("Wait for me.");
  await expect(holdfast.approval).toContainText(`on ${name}`);
  await expect(holdfast.approval).not.toContainText("not there any more");

  await box.register(await box.start("B"));
  await first.kill();

  await expect(holdfast.approval).toContainText(
    "The executor that this would run on is not there any more: it will fail, and nothing of it runs elsewhere.",
  );
  await expect(holdfast.approval.getByRole("button", { name: "Approve", exact: true })).toBeEnabled();
  await holdfast.button("Stop").click();
  await expect(holdfast.approval).toHaveCount(0);
  expect(box.lines("marks")).toEqual([markOf(first)]);
});

test("its environment is removed: nothing of the thread runs anywhere until this machine is chosen for it", async ({
  holdfast,
  model,
  sandbox,
  box,
}) => {
  const first = await begin(holdfast, model, box);
  await removeEnvironment(holdfast, name);
  await holdfast.thread(/^Look around\./).click();
  await expect(holdfast.thread("Look around., idle, runs in a removed environment")).toBeVisible();
  await expect(notice(holdfast).first()).toContainText(
    "The environment that this thread runs in was removed.",
  );
  await holdfast.message.fill("And now?");
  await expect(holdfast.button("Send")).toBeDisabled();
  const asked = model.requests.length;

  await notice(holdfast).first().getByRole("button", { name: "Run elsewhere…" }).click();
  await holdfast.page.getByRole("menuitemradio", { name: /^This machine/ }).click();
  await expect(notice(holdfast)).toHaveCount(0);
  await expect(holdfast.message).toHaveValue("And now?");
  expect(model.requests.length, "nothing was begun by itself").toBe(asked);
  await turn(holdfast, model, "And now?", "marks");
  expect(box.lines("marks")).toEqual([markOf(first)]);
  const here = await readFile(path.join(sandbox.workspace, "marks"), "utf8");
  expect(here, "started by nothing that carries a mark").toMatch(/^ \d+\n$/);
});
