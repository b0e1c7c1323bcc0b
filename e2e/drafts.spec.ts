// One draft in two windows.

import { expect, test } from "./support/app";
import { message, reply } from "./support/modelServer";
import { openWindow } from "./support/openWindow";
import { typeAtOnce } from "./support/typeAtOnce";

test("what is typed in one window is seen in the other, and Send in one clears both", async ({
  holdfast: first,
  model,
}) => {
  model.queue(reply(message("Hello.")));
  await first.newThread();
  await first.send("Remember this.");
  await expect(first.conversation).toContainText("Hello.");
  const second = await openWindow(first);
  await second.thread(/^Remember this\., idle/).click();

  await first.message.pressSequentially("written here");
  await expect(second.message).toHaveValue("written here");
  await second.message.press("End");
  // In one piece: what comes in several is undone in several.
  await second.page.keyboard.insertText(", and there");
  await expect(first.message).toHaveValue("written here, and there");
  // The field's own undo goes on working over what came from elsewhere.
  await first.message.press("ControlOrMeta+z");
  await expect(first.message).toHaveValue("written here");
  await expect(second.message).toHaveValue("written here");
  await first.message.press("ControlOrMeta+Shift+z");
  await expect(second.message).toHaveValue("written here, and there");
  await first.message.press("Home");
  await first.message.pressSequentially("It was ");
  await expect(second.message).toHaveValue("It was written here, and there");

  model.queue(reply(message("So it was.")));
  await second.button("Send").click();
  for (const window of [first, second]) {
    await expect(window.conversation).toContainText("So it was.");
    await expect(window.message).toHaveValue("");
    await expect(window.article("You").last()).toHaveText("It was written here, and there");
  }
});

test("typed in both at once and killed: both texts are there at the next start", async ({
  sandbox,
  codexHome,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await first.newThread();
  const second = await openWindow(first);
  await second.newThread();
  for (const window of [first, second]) await window.message.focus();
  await typeAtOnce([first, "from the first"], [second, "from the second"]);
  for (const window of [first, second]) {
    await expect(window.message).toHaveValue(/from the first/);
    await expect(window.message).toHaveValue(/from the second/);
  }
  const both = await first.message.inputValue();
  await expect(second.message).toHaveValue(both);
  await sandbox.kill(first);

  const again = await sandbox.launch({ environment });
  await again.newThread();
  await expect(again.message).toHaveValue(both);
});

test("the first message of a new thread, sent in one window, clears the other's field", async ({
  holdfast: first,
  model,
}) => {
  await first.newThread();
  const second = await openWindow(first);
  await second.newThread();
  await second.message.pressSequentially("Begin");
  await expect(first.message).toHaveValue("Begin");
  model.queue(reply(message("Begun.")));
  await first.button("Send").click();
  await expect(first.conversation).toContainText("Begun.");
  await expect(first.message).toHaveValue("");
  await expect(second.message).toHaveValue("");
});
