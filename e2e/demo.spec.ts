// The first start, for somebody without an account or a network: the demo, by clicking alone.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { expect, test } from "./support/app";
import { answerQuitWith } from "./support/quitQuestion";

test("the demo turn runs from the first screen to its end: plan, command, approval, changed file", async ({
  sandbox,
}) => {
  const holdfast = await sandbox.launch({ args: [] });
  const { page } = holdfast;
  await expect(page.getByRole("heading", { name: "Welcome to Holdfast" })).toBeVisible();
  await holdfast.button("Open the demo").click();
  await holdfast.button("Run a demo turn").click();
  await expect(holdfast.approval).toBeVisible({ timeout: 45_000 });
  await expect(page.getByRole("tablist", { name: "Inspector" })).toBeVisible();
  await holdfast.approval
    .getByRole("button", { name: /^Approve/ })
    .first()
    .click();
  await expect(holdfast.thread(/idle/)).toBeVisible({ timeout: 45_000 });
  await expect(holdfast.article("Command").first()).toBeVisible();
  const change = holdfast.article("File change").first();
  await expect(change).toBeVisible();
  await expect(page.getByText("Demo: answers come from a script, not from a model")).toBeVisible();
  const folder = path.join(sandbox.home, "demo", "workspace");
  await expect(change).toContainText("greeting.mjs");
  expect(await readFile(path.join(folder, "greeting.mjs"), "utf8")).toContain("new Date().getHours()");
  const { stdout } = await execa("git", ["log", "-1", "--format=%s"], { cwd: folder });
  expect(stdout, "what was approved has run").toBe("Greet by the time of day");
  await page.keyboard.press("Control+Shift+f");
  await expect(page.getByText("without those of Demo")).toBeVisible();
});

test("the person's own codex home is not used by the demo", async ({ sandbox, codexHome, model }) => {
  const before = await codexHome.configHash();
  const holdfast = await sandbox.launch({ args: [], environment: { CODEX_HOME: codexHome.path } });
  await holdfast.button("Open the demo").click();
  await holdfast.button("Run a demo turn").click();
  // The demo's model has answered.
  await expect(holdfast.article("Agent").first()).toBeVisible({ timeout: 45_000 });
  expect(model.requests).toHaveLength(0);
  expect(await codexHome.configHash()).toBe(before);

  // Quitting, by the word that comes to mind, asks about what is at work as the menu does.
  await answerQuitWith(holdfast, "Stop and Quit");
  const ended = new Promise<number | null>((resolve) => holdfast.app.process().once("exit", resolve));
  await holdfast.page.keyboard.press("Control+k");
  await expect(holdfast.page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
  await holdfast.page.keyboard.type("exit");
  const quit = holdfast.page.getByRole("option", { name: "Quit Holdfast" });
  await expect(quit).toHaveAttribute("aria-selected", "true");
  // The window may be gone before the key is let go; that Holdfast has ended is what counts.
  const pressed = holdfast.page.keyboard.press("Enter").catch(() => undefined);
  expect(await ended, "exit code").toBe(0);
  await pressed;
});
