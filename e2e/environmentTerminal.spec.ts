// Terminals of an environment, through the window, with a real exec-server: what is typed and printed, what ends, and what is
// still there when the window is loaded again.

import type { Locator, Page } from "@playwright/test";
import { test as base, expect, type Holdfast } from "./support/app";
import { BuildBox } from "./support/buildBox";
import { addEnvironmentByFile } from "./support/environments";

const name = "build-box";

const test = base.extend<{ box: BuildBox }>({
  box: async ({ sandbox }, use) => {
    const box = await BuildBox.make(sandbox.temporary);
    await box.register(await box.start("A"));
    await use(box);
    await sandbox.endAll();
    await box.end();
  },
});

/** What stands on the screen, as a screen reader finds it. */
function screen(page: Page): Locator {
  return page
    .getByRole("tabpanel")
    .getByRole("list")
    .filter({ hasNot: page.getByRole("tab") });
}

const status = (page: Page) => page.getByRole("status", { name: "Terminal", exact: true });
const terminals = (page: Page) => page.getByRole("tablist", { name: "Terminals" }).getByRole("tab");

/** Whatever the page complains of: a style or a script that its policy refuses is said there. */
function complaints(page: Page): string[] {
  const said: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(error.message));
  return said;
}

async function toTerminals(holdfast: Holdfast, box: BuildBox): Promise<void> {
  await addEnvironmentByFile(holdfast, name, box.registryPath);
  await holdfast.page.getByRole("tab", { name: "Terminal", exact: true }).click();
}

/** With a prompt of its own, which says when something may be typed. */
async function openShell(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New shell" }).click();
  await expect(page.getByRole("textbox", { name: /^Terminal: Shell/ })).toBeFocused();
  await page.keyboard.type("PS1='next> '; clear\n");
  await expect(screen(page)).toHaveText(/^\s*next>\s*$/);
}

async function run(page: Page, command: string): Promise<void> {
  await page.getByRole("textbox", { name: "Command", exact: true }).fill(command);
  await page.getByRole("button", { name: "Run", exact: true }).click();
}

test("a shell: what is typed, Ctrl+C, and a window that is loaded again", async ({ holdfast, box }) => {
  const { page } = holdfast;
  const said = complaints(page);
  await toTerminals(holdfast, box);
  await openShell(page);
  await expect(status(page)).toContainText("Running");
  await page.keyboard.type("echo sum $((40+2)); sleep 1000\n");
  await expect(screen(page)).toContainText("sum 42");
  await page.keyboard.press("Control+c");
  await expect(screen(page)).toHaveText(/\^C\s*next>\s*$/);
  await page.keyboard.type("echo ended with $?\n");
  await expect(screen(page)).toContainText("ended with 130");

  await page.reload();
  await expect(screen(page)).toContainText("ended with 130");
  await expect(terminals(page)).toHaveAccessibleName("Shell, running");
  await page.getByRole("textbox", { name: "Terminal: Shell" }).focus();
  await page.keyboard.type("echo still $((40+3))\n");
  await expect(screen(page)).toContainText("still 43");
  expect(said).toEqual([]);
});

test("what a program asks of its terminal is answered once, also after the window was loaded again", async ({
  holdfast,
  box,
}) => {
  const { page } = holdfast;
  await toTerminals(holdfast, box);
  await page.getByRole("textbox", { name: "Folder", exact: true }).fill(box.folder);
  await run(page, "stty raw -echo; printf '\\033[c'; echo asked; exec cat > heard");
  const heard = () => box.lines("heard").join("\n");
  await expect(screen(page)).toContainText("asked");
  await expect(status(page)).toContainText(`Running${box.folder}`);
  await expect.poll(heard).toBe("\u001b[?1;2c");
  await page.reload();
  await expect(screen(page)).toContainText("asked");
  await page.getByRole("textbox", { name: /^Terminal: stty/ }).focus();
  await page.keyboard.type("typed");
  await expect.poll(heard).toBe("\u001b[?1;2ctyped");
});

test("commands: each in a terminal of its own, which ends, is kept, and is closed", async ({
  holdfast,
  box,
}) => {
  const { page } = holdfast;
  await toTerminals(holdfast, box);
  await expect(page.getByText("No terminals")).toBeVisible();
  await run(page, "echo one; exit 3");
  await expect(status(page)).toContainText("Ended with 3");
  await expect(screen(page)).toContainText("one");
  await page.getByRole("textbox", { name: "Folder", exact: true }).fill("/not/there");
  await run(page, "rm -rf *");
  await expect(status(page)).toContainText(
    'Not started: There is no folder "/not/there" in this environment.',
  );
  await page.getByRole("textbox", { name: "Folder", exact: true }).fill("");
  await run(page, "sleep 1000");
  await expect(status(page)).toContainText("Running");
  await expect(terminals(page)).toHaveCount(3);
  for (const [at, word] of ["ended with 3", "not started", "running"].entries()) {
    await expect(terminals(page).nth(at)).toHaveAccessibleName(new RegExp(`${word}$`));
  }

  // Out of the terminal and along its tabs, with the keyboard.
  await expect(page.getByRole("textbox", { name: "Terminal: sleep 1000" })).toBeFocused();
  await page.keyboard.press("Shift+Escape");
  await expect(terminals(page).nth(2)).toBeFocused();
  await page.keyboard.press("Home");
  await expect(screen(page)).toContainText("one");
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: "Close this terminal?" });
  await question.getByRole("button", { name: "End and close" }).click();
  await expect(terminals(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await expect(terminals(page)).toHaveCount(1);
  await expect(page.getByRole("textbox", { name: "Terminal: echo one; exit 3" })).toBeFocused();
});

test("copying and pasting, with keys that mean something else outside a terminal", async ({
  holdfast,
  box,
}) => {
  test.skip(process.platform === "darwin", "There the platform's own keys do.");
  const { page } = holdfast;
  await toTerminals(holdfast, box);
  await openShell(page);
  await page.keyboard.press("Control+Shift+c");
  await expect(page.getByRole("textbox", { name: "Terminal: Shell" })).toBeFocused();
  await page.keyboard.type("echo copied-$((40+2))\n");
  await expect(screen(page)).toContainText("copied-42");
  const word = await page.locator(".xterm-rows").getByText("copied-42").boundingBox();
  if (word === null) throw new Error("what was printed is not on the screen");
  await page.mouse.dblclick(word.x + word.width / 2, word.y + word.height / 2);
  await page.keyboard.press("Control+Shift+c");
  await expect(page.getByText("Selection copied")).toBeVisible();
  await page.keyboard.type("echo again ");
  await page.keyboard.press("Control+Shift+v");
  // What is pasted comes from the clipboard, which takes its time.
  await expect(screen(page)).toContainText("echo again copied-42");
  await page.keyboard.type("\n");
  await expect(screen(page)).toHaveText(/again copied-42\s*again copied-42\s*next>\s*$/);
});

test("a flood: the window can be used, and Ctrl+C ends it", async ({ holdfast, box }) => {
  const { page } = holdfast;
  await toTerminals(holdfast, box);
  await openShell(page);
  await page.keyboard.type("yes 0123456789\n");
  await expect(screen(page)).toContainText("0123456789");
  await page.getByRole("tab", { name: "Overview" }).click();
  await expect(page.getByRole("tab", { name: "Overview" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("tab", { name: "Terminal", exact: true }).click();
  await page.getByRole("button", { name: "Interrupt" }).click();
  await expect(screen(page)).toHaveText(/next>\s*$/);
  await expect(page.getByRole("textbox", { name: "Terminal: Shell" })).toBeFocused();
  await page.keyboard.type("echo sum $((40+2))\n");
  await expect(screen(page)).toContainText("sum 42");
});

test("bytes that are no text, and a character with marks without end, keep the window from nothing", async ({
  holdfast,
  box,
}) => {
  const { page } = holdfast;
  const said = complaints(page);
  await toTerminals(holdfast, box);
  await run(page, "head -c 300000 /dev/urandom; printf '\\030\\033\\\\\\033c'; echo over; sleep 1000");
  await expect(screen(page)).toContainText("over");
  await run(
    page,
    "printf e; yes $(printf '\\314\\201') | tr -d '\\n' | head -c 800000; echo; echo over again; sleep 1000",
  );
  await expect(screen(page)).toContainText("over again");
  expect((await screen(page).textContent())?.length).toBeLessThan(5_000);
  expect(said).toEqual([]);
});

test("an executor that is replaced: the terminal is lost and says so, and a new one runs in the new one", async ({
  holdfast,
  box,
}) => {
  const { page } = holdfast;
  await toTerminals(holdfast, box);
  await run(page, "echo here: $MARK; cat");
  await expect(screen(page)).toContainText("here: A");
  await box.register(await box.start("B"));
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(status(page)).toContainText("Lost: The executor of this environment was replaced.");
  await expect(screen(page)).toContainText("here: A");
  await run(page, "echo here: $MARK");
  await expect(screen(page)).toContainText("here: B");
});
