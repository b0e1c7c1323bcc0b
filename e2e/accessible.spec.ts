// Every page and every dialog, looked at by axe in both themes: one Holdfast that is shown around. And what axe cannot see:
// where the keyboard is, that nothing moves for those who do not want it, and that all of it can be used when it is large.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, type Holdfast, test } from "./support/app";
import { expectAccessible } from "./support/axe";
import { EnvironmentsPage } from "./support/environmentsPage";
import { expectKeyboardSeen, expectStill } from "./support/seenAndStill";

interface Pill {
  /** What is chosen with it. */
  name: string;
  /** What can be read on it. */
  words: string;
  /** There are words on it, and they do not fit. */
  isCut: boolean;
  widthPx: number;
}

/** The pills below the message field. */
function pillsOf({ page }: Holdfast): Promise<Pill[]> {
  return page.evaluate<Pill[]>(`[...document.querySelectorAll("[data-pill-rank]")].map((pill) => {
    const words = pill.querySelector("span.truncate");
    const isShown = words.offsetWidth > 0;
    return {
      name: pill.getAttribute("aria-label").split(":")[0],
      words: isShown ? words.textContent : "",
      isCut: isShown && words.scrollWidth > words.clientWidth,
      widthPx: pill.offsetWidth,
    };
  })`);
}

/** In the page: no frame comes until they are let come. */
const holdFrames = `{
  const real = requestAnimationFrame;
  const held = [];
  globalThis.requestAnimationFrame = (callback) => held.push(callback);
  globalThis.letFramesCome = () => {
    globalThis.requestAnimationFrame = real;
    for (const callback of held) real(callback);
  };
}`;

async function choose({ page }: Holdfast, command: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await palette.getByRole("combobox").fill(command);
  await palette.getByRole("option", { name: command }).first().click();
  await expect(palette).toHaveCount(0);
}

/** The dialog that a command of the palette opens, looked at and closed. */
async function lookAtDialog(holdfast: Holdfast, command: string): Promise<void> {
  const { page } = holdfast;
  await choose(holdfast, command);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expectAccessible(page, command);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
}

test("axe finds nothing on any page or in any dialog", async ({ sandbox }) => {
  test.setTimeout(240_000);
  const holdfast = await sandbox.launch({ args: [] });
  const { page } = holdfast;
  await expect(page.getByRole("heading", { name: "Welcome to Holdfast" })).toBeVisible();
  await expectAccessible(page, "welcome");
  await holdfast.button("Open the demo").click();
  await expect(holdfast.button("Run a demo turn")).toBeVisible();
  await expectAccessible(page, "the page of a new thread");
  await holdfast.button("Run a demo turn").click();
  await expect(holdfast.approval).toBeVisible({ timeout: 45_000 });
  await expectAccessible(page, "an approval");
  await holdfast.approval
    .getByRole("button", { name: /^Approve/ })
    .first()
    .click();
  await expect(holdfast.thread(/idle/)).toBeVisible({ timeout: 45_000 });
  for (const tab of ["Progress", "Changes", "Agents", "Follow-ups", "Cleanup", "Terminal"]) {
    await holdfast.tab(tab).click();
    await expectAccessible(page, `a thread, ${tab}`);
  }

  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog", { name: "Command palette" })).toBeVisible();
  await expectAccessible(page, "the palette");
  await page.keyboard.press("Escape");
  for (const command of [
    "Keyboard shortcuts",
    "Review changes…",
    "Show Holdfast's log",
    "Connect to another machine…",
    "Add an environment by address…",
  ]) {
    await lookAtDialog(holdfast, command);
  }

  await page.keyboard.press("ControlOrMeta+,");
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings.getByRole("tab").first()).toBeVisible();
  for (const tab of await settings.getByRole("tab").all()) {
    await tab.click();
    await expect(settings.getByText("Asking codex for its configuration…")).toHaveCount(0);
    await expectAccessible(page, `settings, ${await tab.textContent()}`);
  }
  await settings.getByRole("combobox", { name: "Search settings" }).fill("thread");
  await expectAccessible(page, "settings, search");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(settings).toHaveCount(0);

  await page.keyboard.press("ControlOrMeta+Shift+c");
  await expect(page.getByRole("listbox", { name: "Scripts" })).toBeVisible();
  await page.getByRole("listbox", { name: "Scripts" }).getByRole("option").first().click();
  await expectAccessible(page, "cells");

  // Every page that a command of the palette opens.
  for (const [command, title] of [
    ["Search in all threads", /threads/i],
    ["All of codex's threads", /threads/i],
    ["MCP servers", /codex/],
    ["Skills", /codex/],
    ["Models", /codex/],
    ["Usage and limits", /codex/],
    ["Diagnostics", /codex/],
  ] as const) {
    await choose(holdfast, command);
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole("main").getByRole("status").filter({ hasText: /…$/ })).toHaveCount(0);
    await expectAccessible(page, command);
  }

  // The demo is no repository of the person's own.
  await holdfast.app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
  }, sandbox.workspace);
  await holdfast.button("Open workspace").click();
  await expect(holdfast.workspace("atlas")).toBeVisible();
  await expect(holdfast.message).toBeFocused();
  await lookAtDialog(holdfast, "New worktree…");

  const environments = new EnvironmentsPage(holdfast);
  await environments.open();
  await expectAccessible(page, "environments, none yet");
  await mkdir(path.join(sandbox.temporary, "empty"));
  await environments.button("Run one on this machine").click();
  await expect(environments.state).toContainText("running", { timeout: 30_000 });
  await expectAccessible(page, "an environment");
  await environments.tab("Files").click();
  await environments.button("Type a path").click();
  const where = page.getByRole("textbox", { name: "Path" });
  await where.fill(path.join(sandbox.temporary, "empty"));
  await where.press("Enter");
  await expect(page.getByText("The folder is empty.")).toBeVisible();
  await expectAccessible(page, "an empty folder of an environment");
});

test("the keyboard is in what is shown, all of it stays usable when it is large, and nothing moves when nothing may", async ({
  holdfast,
}) => {
  const { page } = holdfast;
  await expect(holdfast.session).toContainText(/^connected/);
  await holdfast.newThread();
  await page.reload();
  await expect(holdfast.message).toBeVisible();
  const nowhere = () => page.evaluate<boolean>('["BODY", "MAIN"].includes(document.activeElement.tagName)');
  await expect.poll(nowhere).toBe(false);
  for (const [keys, pane] of [
    ["ControlOrMeta+Shift+x", /codex - Holdfast$/],
    ["ControlOrMeta+Shift+f", /threads - Holdfast$/i],
    ["ControlOrMeta+Shift+e", /Environments - Holdfast$/],
    ["ControlOrMeta+Shift+c", /Cells - Holdfast$/],
  ] as const) {
    await page.keyboard.press(keys);
    await expect(page).toHaveTitle(pane);
    await expect.poll(nowhere).toBe(false);
    const inMiddle = 'document.querySelector("main").contains(document.activeElement)';
    expect(await page.evaluate<boolean>(inMiddle)).toBe(true);
    // A message is one key away, and so is the way back.
    await page.keyboard.press("ControlOrMeta+l");
    await expect(holdfast.message).toBeFocused();
    await page.keyboard.press(keys);
    await expect(page).toHaveTitle(pane);
  }

  await expectKeyboardSeen(page, "cells", 30);

  // What is typed right after the key is typed where that has led to, however long the next frame takes.
  for (const [keys, opened, field] of [
    ["ControlOrMeta+k", "Command palette", "Command palette"],
    ["ControlOrMeta+,", "Settings", "Search settings"],
  ] as const) {
    const dialog = page.getByRole("dialog", { name: opened });
    const typedInto = dialog.getByRole("combobox", { name: field });
    // Once before, so that all of it is loaded.
    await page.keyboard.press(keys);
    await expect(typedInto).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.evaluate(holdFrames);
    await page.keyboard.press(keys);
    await page.keyboard.type("at once");
    await page.evaluate("letFramesCome()");
    await expect(typedInto).toHaveValue("at once");
    await expect(async () => {
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0, { timeout: 500 });
    }).toPass();
  }

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog", { name: "Command palette" })).toBeVisible();
  await expectStill(page, "the palette");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Command palette" })).toHaveCount(0);

  // Escape is for the dialog, and not only for the hint of what has the keyboard in it.
  await choose(holdfast, "Keyboard shortcuts");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const close = sheet.getByRole("button", { name: "Close" });
  await expect(sheet.getByRole("searchbox").or(sheet.getByRole("textbox"))).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(close).toBeFocused();
  await expect(close).toHaveAttribute("data-popup-open");
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);

  // What is chosen below the message field is read, or is an icon that is called the same, as wide as the window may be.
  const setWidth = (width: number) =>
    holdfast.app.evaluate(
      ({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setContentSize(to, 800),
      width,
    );
  const pills = ["Model", "Sandbox", "Approvals"];
  await holdfast.newThread();
  for (const [width, withWords] of [
    [1440, ["Model", "Sandbox", "Approvals"]],
    // With the inspector beside it.
    [1280, ["Model", "Sandbox", "Approvals"]],
    [640, ["Model"]],
  ] as const) {
    await setWidth(width);
    await expect.poll(() => page.evaluate<number>("innerWidth")).toBe(width);
    const readable = async () =>
      (await pillsOf(holdfast)).flatMap(({ name, words }) =>
        pills.includes(name) && words !== "" ? name : [],
      );
    await expect.poll(readable).toEqual(withWords);
    for (const { name, isCut, widthPx } of await pillsOf(holdfast)) {
      expect(isCut, name).toBe(false);
      expect(widthPx, name).toBeGreaterThanOrEqual(24);
    }
    await expect(holdfast.button("Send")).toBeInViewport({ ratio: 1 });
    for (const pill of pills) {
      await expect(page.getByRole("button", { name: new RegExp(`^${pill}: \\w`) })).toBeInViewport({
        ratio: 1,
      });
    }
  }
  // What a button opens over a narrow page, Escape closes from that button, too.
  await setWidth(800);
  await expect.poll(() => page.evaluate<number>("innerWidth")).toBe(800);
  for (const [go, what] of [
    ["ControlOrMeta+Alt+g", "the list of files"],
    ["ControlOrMeta+Shift+c", "the list of scripts"],
    ["ControlOrMeta+n", "the inspector"],
  ] as const) {
    await page.keyboard.press(go);
    const show = page.getByRole("button", { name: `Show ${what}`, exact: true });
    const hide = page.getByRole("button", { name: `Hide ${what}`, exact: true });
    await show.click();
    await expect(hide).toHaveAttribute("aria-expanded", "true");
    await hide.focus();
    await page.keyboard.press("Escape");
    await expect(show).toHaveAttribute("aria-expanded", "false");
    await expect(show).toBeFocused();
  }
  await setWidth(1440);

  // At 200 % everything is where it can be reached, and nothing is wider than the window.
  await (await holdfast.app.browserWindow(page)).evaluate((own) => own.webContents.setZoomFactor(2));
  await expect.poll(() => page.evaluate<number>("devicePixelRatio")).toBe(2);
  const overflows = () =>
    page.evaluate<boolean>("document.documentElement.scrollWidth > document.documentElement.clientWidth");
  // The page adapts once it has been told its new size.
  await expect.poll(overflows).toBe(false);
  await page.keyboard.press("ControlOrMeta+n");
  await expect(holdfast.message).toBeFocused();
  await expect(holdfast.message).toBeInViewport({ ratio: 0.9 });
  await expect(holdfast.session).toBeInViewport();
  await page.keyboard.press("ControlOrMeta+,");
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("tab", { name: "Data" }).click();
  await expect(settings.getByRole("button", { name: "Reset all…" })).toBeVisible();
  await settings.getByRole("button", { name: "Reset all…" }).scrollIntoViewIfNeeded();
  await expect(settings.getByRole("button", { name: "Reset all…" })).toBeInViewport();
  await expect.poll(overflows).toBe(false);
});
