// The application's menu, which is there a moment after the first window.

import { expect } from "@playwright/test";
import type { Holdfast } from "./app";

export async function chooseFromMenu({ app }: Holdfast, id: string): Promise<void> {
  await expect
    .poll(() => app.evaluate(({ Menu }, wanted) => !!Menu.getApplicationMenu()?.getMenuItemById(wanted), id))
    .toBe(true);
  await app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(), id);
}
