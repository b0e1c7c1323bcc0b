// The application's menu, which is there a moment after the first window.

import { expect } from "@playwright/test";
import type { Holdfast } from "./app";

export async function chooseFromMenu({ app, page }: Holdfast, id: string): Promise<void> {
  // Main has loaded everything by then: what a driver asks of it while it does can get lost among what is cleared away.
  await expect(page.getByRole("button").first()).toBeVisible();
  await expect(async () => {
    const isThere = await app.evaluate(
      ({ Menu }, wanted) => !!Menu.getApplicationMenu()?.getMenuItemById(wanted),
      id,
    );
    expect(isThere).toBe(true);
  }).toPass({ timeout: 15_000 });
  await app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(), id);
}
