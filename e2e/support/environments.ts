// Environments, as a person adds them and looks at them, and as they choose them for a thread.

import type { Locator } from "@playwright/test";
import type { Holdfast } from "./app";
import { expect } from "./app";

/** Adds one whose place a file says, and stays on its page. */
export async function addEnvironmentByFile(
  { page, sidebar }: Holdfast,
  name: string,
  path: string,
): Promise<void> {
  await sidebar.getByRole("button", { name: "Command palette" }).click();
  await page.getByRole("combobox", { name: "Command palette" }).fill("Add an environment by file");
  await page.getByRole("option", { name: "Add an environment by file…" }).click();
  const dialog = page.getByRole("dialog", { name: "New environment" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "File" }).fill(path);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
}

/** How the environment stands, on its page, which is gone to for that. */
export async function environmentStatus({ page, sidebar }: Holdfast): Promise<Locator> {
  await sidebar.getByRole("button", { name: /^Environments/ }).click();
  return page.getByRole("status", { name: "Environment", exact: true });
}

/** What the composer's menu for it is called; its name says where the thread runs. */
export function runsOn({ page }: Holdfast): Locator {
  return page.getByRole("button", { name: /^Runs on: / });
}

/** Where the shown thread runs, as its head says. */
export function placeChip({ page }: Holdfast): Locator {
  return page.getByRole("button", { name: /^Runs (on|in a) .*\. Show the environment$/ });
}

/** From the composer's menu, with the folder typed into the dialog. */
export async function chooseEnvironment(holdfast: Holdfast, name: string, folder: string): Promise<void> {
  const { page } = holdfast;
  await runsOn(holdfast).click();
  await page.getByRole("menuitemradio", { name: new RegExp(`^${name}\\b`) }).click();
  const dialog = page.getByRole("dialog", { name: `Folder on ${name}` });
  await dialog.getByRole("textbox", { name: "Folder" }).fill(folder);
  await dialog.getByRole("button", { name: "Run in this folder" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(runsOn(holdfast)).toHaveAccessibleName(`Runs on: ${name}`);
}

export async function chooseThisMachine(holdfast: Holdfast): Promise<void> {
  await runsOn(holdfast).click();
  await holdfast.page.getByRole("menuitemradio", { name: /^This machine/ }).click();
  await expect(runsOn(holdfast)).toHaveAccessibleName("Runs on: This machine");
}

/** Takes it off the list although threads use it. */
export async function removeEnvironment(holdfast: Holdfast, name: string): Promise<void> {
  const { page } = holdfast;
  await environmentStatus(holdfast);
  await page.getByRole("button", { name: "More about this environment" }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  const question = page.getByRole("alertdialog", { name: `Remove “${name}”?` });
  await question.getByRole("button", { name: /^Remove/ }).click();
  await expect(page.getByText(`“${name}” removed`)).toBeVisible();
}
