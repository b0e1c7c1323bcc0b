// Settings, set as a person does.

import type { Holdfast } from "./app";
import { expect } from "./app";

export interface Minutes {
  /** Until an idle thread is unloaded. */
  unload?: number;
  /** Until a session that nothing needs is closed. */
  sessionIdle?: number;
  /** Until an app-server without its Holdfast and without a running turn is ended. */
  unattended?: number;
}

const fields: Record<keyof Minutes, string> = {
  unload: "Minutes until an idle thread is unloaded",
  sessionIdle: "Minutes until an unused session is closed",
  unattended: "Minutes until codex is ended after Holdfast has died",
};

export async function setMinutes(holdfast: Holdfast, minutes: Minutes): Promise<void> {
  const { page } = holdfast;
  await expect(holdfast.sidebar).toBeVisible();
  await holdfast.app.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById("settings")?.click();
  });
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("tab", { name: "Threads" }).click();
  for (const name of Object.keys(minutes) as (keyof Minutes)[]) {
    const field = dialog.getByRole("textbox", { name: fields[name], exact: true });
    await field.fill(String(minutes[name]));
    await field.press("Enter");
    await expect(field).toHaveValue(String(minutes[name]));
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
}
