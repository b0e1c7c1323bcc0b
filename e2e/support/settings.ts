// Settings, set as a person does.

import type { Holdfast } from "./app";
import { expect } from "./app";
import { chooseFromMenu } from "./menu";

export interface Minutes {
  /** Until an idle thread is unloaded. */
  unload?: number;
  /** Until a session that nothing needs is closed. */
  sessionIdle?: number;
  /** Until an app-server without its Holdfast and without a running turn is ended. */
  unattended?: number;
}

const fields: Record<keyof Minutes, { section: string; label: string }> = {
  unload: { section: "Threads", label: "Minutes until an idle thread is unloaded" },
  sessionIdle: { section: "Sessions", label: "Minutes until an unused session is closed" },
  unattended: { section: "Sessions", label: "Minutes until codex is ended after Holdfast has died" },
};

export async function setMinutes(holdfast: Holdfast, minutes: Minutes): Promise<void> {
  const { page } = holdfast;
  await chooseFromMenu(holdfast, "settings");
  const dialog = page.getByRole("dialog", { name: "Settings" });
  for (const name of Object.keys(minutes) as (keyof Minutes)[]) {
    const { section, label } = fields[name];
    await dialog.getByRole("tab", { name: section }).click();
    const field = dialog.getByRole("textbox", { name: label, exact: true });
    await field.fill(String(minutes[name]));
    await field.press("Enter");
    await expect(field).toHaveValue(String(minutes[name]));
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
}
