// What a person is told and where the keyboard is, with several terminals in one environment: a real exec-server.

import type { Page } from "@playwright/test";
import { test as base, expect, type Holdfast } from "./support/app";
import { BuildBox } from "./support/buildBox";
import { addEnvironmentByFile } from "./support/environments";
import { answerQuitWith, pressQuit, quitQuestions } from "./support/quitQuestion";

const test = base.extend<{ box: BuildBox }>({
  box: async ({ sandbox }, use) => {
    const box = await BuildBox.make(sandbox.temporary);
    await box.register(await box.start("A"));
    await use(box);
    await sandbox.endAll();
    await box.end();
  },
});

const status = (page: Page) => page.getByRole("status", { name: "Terminal", exact: true });
const terminals = (page: Page) => page.getByRole("tablist", { name: "Terminals" }).getByRole("tab");
const commandField = (page: Page) => page.getByRole("textbox", { name: "Command", exact: true });
const folderField = (page: Page) => page.getByRole("textbox", { name: "Folder", exact: true });
const screenOf = (page: Page, name: string) =>
  page.getByRole("textbox", { name: `Terminal: ${name}`, exact: true });

/** In the page: the names of what has had the keyboard since. */
const keepKeyboardPlaces = `
  globalThis.keyboardPlaces = [];
  document.addEventListener("focusin", ({ target }) => keyboardPlaces.push(target.getAttribute("aria-label")));
`;

async function toTerminals(holdfast: Holdfast, box: BuildBox): Promise<void> {
  await addEnvironmentByFile(holdfast, "build-box", box.registryPath);
  await holdfast.page.getByRole("tab", { name: "Terminal", exact: true }).click();
}

async function run(page: Page, command: string): Promise<void> {
  await commandField(page).fill(command);
  await commandField(page).press("Enter");
}

async function closeShown(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Close", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: "Close this terminal?" });
  await question.getByRole("button", { name: "End and close" }).click();
}

test("the keyboard is in each new terminal, and after one is closed in the next, or in the command field", async ({
  holdfast,
  box,
}) => {
  const { page } = holdfast;
  await toTerminals(holdfast, box);
  for (const seconds of [1001, 1002, 1003]) {
    await run(page, `sleep ${seconds}`);
    await expect(screenOf(page, `sleep ${seconds}`)).toBeFocused();
  }
  for (const name of ["Shell", "Shell 2"]) {
    await page.getByRole("button", { name: "New shell" }).click();
    await expect(screenOf(page, name)).toBeFocused();
  }
  await page.evaluate(keepKeyboardPlaces);
  await terminals(page).nth(1).click();
  await closeShown(page);
  await expect(terminals(page)).toHaveCount(4);
  await expect(screenOf(page, "sleep 1003")).toBeFocused();
  await terminals(page).nth(3).click();
  await closeShown(page);
  await expect(terminals(page)).toHaveCount(3);
  await expect(screenOf(page, "Shell")).toBeFocused();
  for (const left of [2, 1, 0]) {
    await closeShown(page);
    await expect(terminals(page)).toHaveCount(left);
  }
  await expect(commandField(page)).toBeFocused();
  // The palette, with which the environment was added, was what a dialog gave the keyboard back to last.
  const places = await page.evaluate<string[]>("keyboardPlaces");
  expect(places, "not even for a moment where it was long ago").not.toContain("Command palette");
  expect(places).toContain("Terminal: Shell");
});

test("a folder that is not there: its field says so, and what was typed stays", async ({ holdfast, box }) => {
  const { page } = holdfast;
  await toTerminals(holdfast, box);
  await folderField(page).fill("/not/there");
  await run(page, "make all");
  await expect(folderField(page)).toHaveAccessibleDescription(
    'There is no folder "/not/there" in this environment.',
  );
  await expect(commandField(page)).toHaveValue("make all");
  await folderField(page).fill(box.folder);
  await expect(folderField(page)).toHaveAccessibleDescription("");
  await run(page, "pwd");
  await expect(status(page)).toContainText("Ended with 0");
  await expect(commandField(page)).toHaveValue("");
});

test("more than is kept is said, and what has all of it says nothing", async ({ holdfast, box }) => {
  const { page } = holdfast;
  const cut = page.getByText("Only the end of what it has printed is kept: at most 5,000 lines, and 1 MiB.");
  await toTerminals(holdfast, box);
  await run(page, "seq 4000");
  await expect(status(page)).toContainText("Ended with 0");
  await expect(page.getByText("Shift+Escape leaves it.")).toBeVisible();
  await expect(cut).toHaveCount(0);
  await run(page, "seq 6000");
  await expect(cut).toBeVisible();
  await page.reload();
  await expect(cut).toBeVisible();
});

test("in a small window nothing but the screen's own box is wider than its place", async ({
  holdfast,
  box,
}, testInfo) => {
  const { page } = holdfast;
  await holdfast.ready();
  await holdfast.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(700, 700));
  await expect.poll(() => page.evaluate("innerWidth")).toBe(700);
  await toTerminals(holdfast, box);
  for (const nth of [1, 2, 3, 4, 5, 6]) {
    await run(page, `echo a command that is rather long, number ${nth}; exec sleep 1000`);
    await expect(terminals(page)).toHaveCount(nth);
    await expect(status(page)).toContainText("Running");
    await expect(terminals(page).last()).toBeInViewport({ ratio: 0.9 });
  }
  const wide = () =>
    page.evaluate(`
    [...document.querySelectorAll("body, body *")]
      .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
      .filter((each) => !each.closest(".terminal-screen, [role=tablist], .truncate, .sr-only"))
      .filter((each) => ["auto", "scroll", "visible"].includes(getComputedStyle(each).overflowX))
      .filter((each) => getComputedStyle(each).display !== "inline")
      .map((each) => each.tagName + " " + each.className + " " + each.scrollWidth + ">" + each.clientWidth)
  `);
  await testInfo.attach("small window", { body: await page.screenshot(), contentType: "image/png" });
  await expect.poll(wide).toEqual([]);
  await terminals(page).first().click();
  await expect(terminals(page).first()).toBeInViewport({ ratio: 0.9 });
  await page.getByRole("button", { name: "Interrupt" }).click();
  await expect(status(page)).not.toContainText("Running");
});

test("while its environment is reconnected to, a terminal says so; quitting names what runs", async ({
  holdfast,
  box,
}) => {
  const { page } = holdfast;
  await toTerminals(holdfast, box);
  await run(page, "sleep 1000");
  await expect(status(page)).toContainText("Running");
  await answerQuitWith(holdfast, "Cancel");
  await pressQuit(holdfast);
  await expect
    .poll(() => quitQuestions(holdfast))
    .toMatchObject([
      {
        message: "A terminal is still running. Stop it and quit?",
        detail: "In terminals, which end with Holdfast: “sleep 1000”.",
        buttons: ["Stop and Quit", "Cancel"],
      },
    ]);
  await expect(status(page)).toContainText("Running");
  await box.killAll();
  await expect(status(page)).toContainText("Reconnecting: what it prints comes when it is connected again");
  // Another one in its place ends what is waited for.
  await box.register(await box.start("B"));
  await expect(status(page)).toContainText("Lost");
});
