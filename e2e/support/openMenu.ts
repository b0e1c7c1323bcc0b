// A menu of the page that has been opened with a key: it is there a frame before it has the keyboard.

import { expect, type Page } from "@playwright/test";

export async function expectKeyboardInMenu(page: Page): Promise<void> {
  await expect(page.locator('[role="menu"]:focus, [role="menu"] :focus')).toHaveCount(1);
}
