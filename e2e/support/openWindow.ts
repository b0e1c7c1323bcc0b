// One window more, as the menu opens it.

import { Holdfast } from "./app";
import { chooseFromMenu } from "./menu";

export async function openWindow(holdfast: Holdfast): Promise<Holdfast> {
  const opened = holdfast.app.waitForEvent("window");
  await chooseFromMenu(holdfast, "new-window");
  return new Holdfast(holdfast.app, await opened);
}
