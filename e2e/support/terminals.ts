// Terminals on this machine, as a person opens and uses them.

import type { Locator, Page } from "@playwright/test";
import { inherited, listProcesses, type Process } from "../../scripts/setup/processes.mjs";
import { expect, type Holdfast } from "./app";

/** What stands on the screen, as a screen reader finds it. */
export function screenOf(page: Page): Locator {
  return page
    .getByRole("tabpanel")
    .getByRole("list")
    .filter({ hasNot: page.getByRole("tab") });
}

export const terminalStatus = (page: Page) => page.getByRole("status", { name: "Terminal", exact: true });
export const terminalTabs = (page: Page) => page.getByRole("tablist", { name: "Terminals" }).getByRole("tab");
export const terminalInput = (page: Page) => page.getByRole("textbox", { name: /^Terminal: / });

/** With the key that shows terminals, and a prompt of its own, which says when something may be typed. */
export async function openFirstTerminal({ page }: Holdfast): Promise<void> {
  await page.keyboard.press("Control+Backquote");
  await promptIn(page);
}

export async function promptIn(page: Page): Promise<void> {
  await expect(terminalInput(page)).toBeFocused();
  await page.keyboard.type("PS1='next> '; clear\n");
  await expect(screenOf(page)).toHaveText(/^\s*next>\s*$/);
}

/** Everything that was started in any terminal. */
export function startedInTerminals(home: string): Process[] {
  return listProcesses().filter(
    (one) => inherited(one, "HOLDFAST_OWNER", home) && inherited(one, "TERM_PROGRAM", "Holdfast"),
  );
}
