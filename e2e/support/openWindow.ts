// One window more, as the menu opens it.

import { Holdfast } from "./app";

export async function openWindow(holdfast: Holdfast): Promise<Holdfast> {
  const opened = holdfast.app.waitForEvent("window");
  await holdfast.app.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById("new-window")?.click();
  });
  return new Holdfast(holdfast.app, await opened);
}
