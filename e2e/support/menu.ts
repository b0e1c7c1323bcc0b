// The application's menu, which is there a moment after the first window.

import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import type { Holdfast } from "./app";
import { askedAgain } from "./askedAgain";

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
  const choice = { wanted: id, token: randomUUID() };
  await askedAgain(() =>
    app.evaluate(({ Menu }, { wanted, token }) => {
      const world = globalThis as { chosenFromMenu?: Set<string> };
      world.chosenFromMenu ??= new Set();
      if (world.chosenFromMenu.has(token)) return;
      world.chosenFromMenu.add(token);
      Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click();
    }, choice),
  );
}
