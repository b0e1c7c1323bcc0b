// The application's menu, which is there a moment after the first window.

import { expect } from "@playwright/test";
import type { Holdfast } from "./app";

export async function chooseFromMenu(holdfast: Holdfast, id: string): Promise<void> {
  const { app } = holdfast;
  await holdfast.ready();
  await expect(async () => {
    const isThere = await app.evaluate(
      ({ Menu }, wanted) => !!Menu.getApplicationMenu()?.getMenuItemById(wanted),
      id,
    );
    expect(isThere).toBe(true);
  }).toPass({ timeout: 15_000 });
  await app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(), id);
}
