// Terminals on this machine, over the real codex: what is typed and drawn, what stays when the window is loaded again, and what is
// left when something goes away.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "./support/app";
import { openWindow } from "./support/openWindow";
import { commandsWith, describeProcess, isAlive, listProcesses } from "./support/processes";
import { answerQuitWith, pressQuit, quit, quitQuestions } from "./support/quitQuestion";
import {
  openFirstTerminal,
  promptIn,
  screenOf,
  startedInTerminals,
  terminalInput,
  terminalStatus,
  terminalTabs,
} from "./support/terminals";

/** One that ties itself to nothing, one that ignores a hang-up, and one with a process session of its own. */
const lostSleep = `sleep 4004.${process.pid}`;
const jobs = `(env -i setsid ${lostSleep} </dev/null >/dev/null 2>&1 &); (trap '' HUP TERM; exec sleep 4001) & setsid sleep 4002 & sleep 4003\n`;
/** The one that has given up all that ties it to the terminal. */
const lost = () => commandsWith(lostSleep, listProcesses()).map(describeProcess);

/** What would be known of terminals if Holdfast went away now. What is being written beside it is not yet. */
function lastOutputs(home: string): string {
  const folder = path.join(home, "terminals");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".out"))
    .map((name) => readFileSync(path.join(folder, name), "utf8"))
    .join("");
}

test("a program that draws the whole screen, a window loaded again, two terminals, and what is done with them", async ({
  holdfast,
  sandbox,
}) => {
  const { page } = holdfast;
  await holdfast.newThread();
  await openFirstTerminal(holdfast);
  await expect(terminalStatus(page)).toContainText(sandbox.workspace);

  // In the inspector, and with all the room: what runs is told the size.
  const size = async (mark: string) => {
    await page.keyboard.type(`echo ${mark} $(stty size)\n`);
    const answer = new RegExp(`${mark} (\\d+) (\\d+)`);
    await expect(screenOf(page)).toContainText(answer);
    const [, rows = "", columns = ""] = answer.exec((await screenOf(page).textContent()) ?? "") ?? [];
    return { rows: Number(rows), columns: Number(columns) };
  };
  const narrow = await size("narrow");
  await page.keyboard.press("Control+Alt+j");
  await expect(page.getByRole("heading", { name: "Terminals", level: 1 })).toBeVisible();
  await expect(terminalInput(page)).toBeFocused();
  await expect
    .poll(async () => (await size(`wide${Date.now() % 10_000}`)).columns)
    .toBeGreaterThan(narrow.columns + 20);

  // What a shell draws anew for another size stays what it was, however often the size changes.
  await page.keyboard.type("exec bash --norc\n");
  await page.keyboard.type(`PS1='a-prompt-that-is-longer-than-the-narrow-pane-is-wide> '; clear\n`);
  await page.keyboard.type("echo kept\n");
  for (const isWide of [false, true, false]) {
    await page.keyboard.press("Control+Alt+j");
    await expect(terminalInput(page)).toBeFocused();
    await expect
      .poll(async () => (await size(`again${Date.now() % 10_000}`)).columns > narrow.columns + 20)
      .toBe(isWide);
    await expect(screenOf(page)).toHaveText(/wide> echo kept\s*kept\s*a-prompt[^k]*wide> echo again/);
  }
  await page.keyboard.press("Control+Alt+j");
  await expect(terminalInput(page)).toBeFocused();
  await page.keyboard.type("PS1='next> '; clear\n");
  await expect(screenOf(page)).toHaveText(/^\s*next>\s*$/);

  // What is pasted ends no paste by itself: it is words, whatever a page has put among them.
  await holdfast.app.evaluate(({ clipboard }) => clipboard.writeText("echo pasted\u001b[201~"));
  await (await holdfast.app.browserWindow(page)).evaluate((own) => own.webContents.paste());
  await expect(screenOf(page)).toContainText("echo pasted␛[201~");
  await page.keyboard.press("Control+c");

  // A program that runs each line at once: it is asked first, and what is refused is not typed. Another window on the same
  // terminal sees the same, and types into it.
  await page.keyboard.type("clear; bind 'set enable-bracketed-paste off'; echo line by $((1))\n");
  await expect(screenOf(page)).toHaveText(/line by 1\s*next>\s*$/);
  await holdfast.app.evaluate(({ clipboard }) => clipboard.writeText("echo first\necho second\n"));
  const window = await holdfast.app.browserWindow(page);
  const paste = () => window.evaluate((own) => own.webContents.paste());
  const pasting = page.getByRole("alertdialog", { name: "Paste into the terminal?" });
  await paste();
  await expect(pasting).toContainText("echo first");
  await pasting.getByRole("button", { name: "Cancel" }).click();
  await expect(pasting).toHaveCount(0);
  await expect(screenOf(page)).not.toContainText("first");
  await paste();
  await pasting.getByRole("button", { name: "Paste" }).click();
  await expect(screenOf(page)).toContainText(/echo first\s*first.*echo second\s*second/s);
  const other = (await openWindow(holdfast)).page;
  await expect(other.getByRole("navigation", { name: "Workspaces" })).toBeVisible();
  await other.keyboard.press("Control+Alt+j");
  await expect(screenOf(other)).toContainText(/echo second\s*second/);
  await terminalInput(other).focus();
  await other.keyboard.type("echo both $((40+2))\n");
  for (const each of [page, other]) await expect(screenOf(each)).toContainText("both 42");
  await other.close();
  await terminalInput(page).focus();

  await page.keyboard.type("clear; vi limits.txt\n");
  await expect(screenOf(page)).toContainText("burst = 50");
  await page.keyboard.type("Ounsaved line");
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(screenOf(page)).toContainText(/unsaved line.*burst = 50/s);
  await terminalInput(page).focus();
  await page.keyboard.type(":wq\n");
  await expect(screenOf(page)).toContainText("next>");
  await page.keyboard.type("clear; sed 's/line/words/;q' limits.txt\n");
  await expect(screenOf(page)).toHaveText(/unsaved words\s*next>\s*$/);

  // Found, and asked about.
  await page.keyboard.press("Control+Shift+f");
  await page.getByRole("textbox", { name: "Find in the terminal" }).fill("unsaved w");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("1 of 1");
  await page.getByRole("button", { name: "Ask codex about what is selected" }).click();
  await expect(holdfast.message).toBeFocused();
  await expect(holdfast.message).toHaveText(/From the terminal:\s*```\s*unsaved w\s*```/);

  // Another one, with a name, of which both are there.
  await page.keyboard.press("Control+Shift+Backquote");
  await expect(terminalTabs(page)).toHaveCount(2);
  await promptIn(page);
  await page.keyboard.press("Shift+Escape");
  await expect(terminalTabs(page).nth(1)).toBeFocused();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Name of the terminal" }).fill("build");
  await page.keyboard.press("Enter");
  await expect(terminalTabs(page).nth(1)).toHaveAccessibleName("build, running");
  await expect(terminalInput(page)).toBeFocused();

  // It is closed with what it has started; the other goes on.
  await page.keyboard.type(jobs);
  const started = () => startedInTerminals(sandbox.home);
  await expect.poll(() => commandsWith("sleep 400", started()).length).toBe(3);
  await expect.poll(lost).toHaveLength(1);
  await page.getByRole("button", { name: "Close the terminal" }).click();
  const question = page.getByRole("alertdialog", { name: "Close this terminal?" });
  await question.getByRole("button", { name: "End and close" }).click();
  await expect(terminalTabs(page)).toHaveCount(1);
  expect(commandsWith("sleep 400", started())).toEqual([]);
  expect(lost()).toEqual([]);
  expect(started()).not.toEqual([]);

  // The keyboard is in the other one, and the key that has shown it hides it. What runs in its background is asked about at quit.
  await expect(terminalInput(page)).toBeFocused();
  await page.keyboard.type("sleep 401 &\n");
  await expect.poll(() => commandsWith("sleep 401", started()).length).toBe(1);
  await answerQuitWith(holdfast, "Cancel");
  await pressQuit(holdfast);
  await expect
    .poll(async () => (await quitQuestions(holdfast)).map(({ message }) => message))
    .toEqual(["A terminal is still running. Stop it and quit?"]);
  await page.keyboard.type("kill %1\n");
  await expect.poll(() => commandsWith("sleep 401", started())).toEqual([]);
  await page.keyboard.press("Control+Backquote");
  await expect(terminalInput(page)).toHaveCount(0);
  await expect(holdfast.message).toBeFocused();

  // A shell that only waits is nothing to ask about: the answer would keep the app.
  await answerQuitWith(holdfast, "Cancel");
  expect(await quit(holdfast)).toBe(0);
  expect(started()).toEqual([]);
});

test("codex goes away: the terminal is lost and what it has started is ended, and a new one works", async ({
  holdfast,
  sandbox,
}) => {
  const { page } = holdfast;
  await holdfast.newThread();
  await openFirstTerminal(holdfast);
  await page.keyboard.type(`echo sum $((40+2)); ${jobs}`);
  await expect(screenOf(page)).toContainText("sum 42");
  const started = () => startedInTerminals(sandbox.home);
  await expect.poll(() => commandsWith("sleep 400", started()).length).toBe(3);
  await expect.poll(lost).toHaveLength(1);

  // By hand it is asked first.
  await holdfast.restartCodex();
  const question = page.getByRole("alertdialog", { name: "Restart codex although terminals run?" });
  await expect(question).toContainText("1 terminal runs");
  await question.getByRole("button", { name: "Cancel" }).click();

  const { pid } = await sandbox.ledger.onlyRunning();
  process.kill(pid, "SIGKILL");
  await expect(terminalStatus(page)).toContainText("Lost: codex, which has started it, went away.");
  await expect(screenOf(page)).toContainText("sum 42");
  await expect.poll(started).toEqual([]);
  await expect.poll(lost).toEqual([]);
  await page.getByRole("button", { name: "New terminal" }).click();
  await promptIn(page);
  await page.keyboard.type("echo sum $((40+3))\n");
  await expect(screenOf(page)).toContainText("sum 43");
});

test("Holdfast is killed: the next start lists the terminal as lost, with its last output, and nothing of it is left", async ({
  sandbox,
  codexHome,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await first.newThread();
  await openFirstTerminal(first);
  await first.page.keyboard.type(`echo sum $((40+2)); ${jobs}`);
  await expect(screenOf(first.page)).toContainText("sum 42");
  const started = () => startedInTerminals(sandbox.home);
  await expect.poll(() => commandsWith("sleep 400", started()).length).toBe(3);
  await expect.poll(lost).toHaveLength(1);
  const { pid } = await sandbox.ledger.onlyRunning();
  await expect.poll(() => lastOutputs(sandbox.home)).toContain("sum 42");
  await sandbox.kill(first);
  expect(isAlive(pid)).toBe(true);

  const second = await sandbox.launch({ environment });
  await expect.poll(started).toEqual([]);
  await expect.poll(lost).toEqual([]);
  await expect(terminalTabs(second.page)).toHaveAccessibleName("Shell, lost");
  await expect(terminalStatus(second.page)).toContainText("Lost: Holdfast went away while it ran.");
  await expect(screenOf(second.page)).toContainText("sum 42");
  // The words are beside the buttons, not below them.
  const words = await terminalStatus(second.page).getByText(/^Lost/).boundingBox();
  const tools = await second.button("Ask codex about what is selected").boundingBox();
  expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(tools?.x ?? 0);
});
