// Settings: found by what they are about, refused in words, in force at once in every window; and codex's own configuration,
// of which one key is written when asked and nothing else ever.

import { readFile, writeFile } from "node:fs/promises";
import { expect, type Holdfast, test } from "./support/app";
import { openWindow } from "./support/openWindow";

async function openSettings({ page, sidebar }: Holdfast) {
  await expect(sidebar).toBeVisible();
  await page.keyboard.press("ControlOrMeta+,");
  const dialog = page.getByRole("dialog", { name: "Settings" });
  const search = dialog.getByRole("combobox", { name: "Search settings" });
  await expect(search).toBeFocused();
  return { dialog, search };
}

function zoomOf({ app, page }: Holdfast): Promise<number> {
  return app
    .browserWindow(page)
    .then((window) => window.evaluate((own) => Math.round(own.webContents.getZoomFactor() * 100)));
}

test("a setting is found, refused when it cannot be, in force in every window at once, and put back", async ({
  holdfast: first,
}) => {
  const { page } = first;
  const { dialog, search } = await openSettings(first);
  await search.fill("zoom");
  await expect(dialog.getByRole("option", { name: /^Text size/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  const size = dialog.getByRole("textbox", { name: "Text size in percent" });
  await expect(size).toBeFocused();
  const second = await openWindow(first);
  await expect(second.sidebar).toBeVisible();

  await size.fill("500");
  await size.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText("From 90 to 150 % can be set. 100 % stays in force.");
  expect(await zoomOf(first)).toBe(100);
  await size.fill("110");
  await size.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  for (const window of [first, second]) await expect.poll(() => zoomOf(window)).toBe(110);
  await page.keyboard.press("ControlOrMeta+=");
  await expect(size).toHaveValue("120");
  await second.page.keyboard.press("ControlOrMeta+0");
  await expect(size).toHaveValue("100");
  for (const window of [first, second]) await expect.poll(() => zoomOf(window)).toBe(100);

  await dialog.getByRole("radio", { name: "Dark" }).click();
  await dialog.getByRole("radio", { name: "Compact" }).click();
  for (const { page: each } of [first, second]) {
    await expect(each.locator("html[data-theme=dark][data-density=compact]")).toHaveCount(1);
  }
  await dialog.getByRole("button", { name: "Reset “General” to default" }).click();
  await expect(dialog.getByText("Everything here is at its default.")).toBeVisible();
  await expect(second.page.locator("html[data-density=comfortable]")).toHaveCount(1);

  await (await first.app.browserWindow(page)).evaluate((own) => own.focus());
  await page.keyboard.press("ControlOrMeta+f");
  await expect(search).toBeFocused();
  await search.fill("codex program");
  await page.keyboard.press("Enter");
  const path = dialog.getByRole("textbox", { name: "Path of the codex program" });
  await expect(path).toBeFocused();
  await path.fill("/bin/false");
  await path.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("/bin/false");
  await expect(dialog.getByRole("alert")).toContainText("The codex in use stays as it is.");

  // Where nothing is being edited, one Escape closes it, also over the hint of a button; in a search that has words it empties
  // them first.
  await search.fill("the");
  await search.press("Escape");
  await expect(search).toHaveValue("");
  await dialog.getByRole("button", { name: "Close" }).focus();
  await expect(page.getByText("Close", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test("one key of codex's configuration is written, and a file that has changed meanwhile is not", async ({
  holdfast,
  codexHome,
}) => {
  const { page } = holdfast;
  // codex may write what it has to say about the folder before anything is asked of it.
  await expect(holdfast.session).toContainText(/^connected/);
  const { dialog } = await openSettings(holdfast);
  await dialog.getByRole("tab", { name: "Configuration" }).click();
  const entry = (key: string) =>
    dialog.getByRole("listitem").filter({ has: page.getByText(key, { exact: true }) });
  await expect(entry("model")).toContainText('"gpt-5"');
  await expect(entry("model")).toContainText("your config.toml");
  const before = await readFile(codexHome.configPath, "utf8");

  await entry("approval_policy").getByRole("button").click();
  const form = dialog.getByRole("form", { name: "Change approval_policy" });
  await form.getByRole("radio", { name: "never" }).click();
  await expect(form).toContainText(codexHome.configPath);
  await expect(form).toContainText('approval_policy = "never"');
  await form.getByRole("button", { name: "Write this key" }).click();
  await expect(dialog.getByText(/approval_policy was written into/)).toBeVisible();
  await expect(entry("approval_policy")).toContainText('"never"');
  const after = before.replace('approval_policy = "on-request"', 'approval_policy = "never"');
  expect(after).not.toBe(before);
  expect(await readFile(codexHome.configPath, "utf8")).toBe(after);

  await entry("model").getByRole("button").click();
  const model = dialog.getByRole("form", { name: "Change model" });
  await model.getByRole("textbox").fill("gpt-mine");
  const theirs = `# Mine.\nreview_model = "mine"\n${after}`;
  await writeFile(codexHome.configPath, theirs);
  await model.getByRole("button", { name: "Write this key" }).click();
  await expect(model).toContainText("The file has been changed meanwhile. Nothing was written.");
  expect(await readFile(codexHome.configPath, "utf8")).toBe(theirs);
  await expect(model.getByRole("textbox")).toHaveValue("gpt-mine");
  await model.getByRole("button", { name: "Write this key" }).click();
  await expect(entry("model")).toContainText('"gpt-mine"');
  expect(await readFile(codexHome.configPath, "utf8")).toBe(
    theirs.replace('model = "gpt-5"', 'model = "gpt-mine"'),
  );

  await writeFile(codexHome.configPath, `${theirs}[broken\n`);
  await dialog.getByRole("button", { name: "Read it again" }).click();
  await expect(dialog.getByRole("alert")).toContainText(/config\.toml, line \d+/);
  await expect(dialog.getByRole("alert")).toContainText("Nothing can be changed here");
  await writeFile(codexHome.configPath, theirs);
  await dialog.getByRole("button", { name: "Read it again" }).click();
  await expect(entry("model")).toContainText('"gpt-5"');

  // Another provider, written by hand, counts from the next start of codex on: for the account, too.
  await dialog.getByRole("tab", { name: "Account" }).click();
  await expect(dialog.getByText("“local”")).toBeVisible();
  const moved = theirs
    .replace('model_provider = "local"', 'model_provider = "nearby"')
    .replace("[model_providers.local]", "[model_providers.nearby]");
  await writeFile(codexHome.configPath, moved);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await holdfast.restartCodex();
  await openSettings(holdfast);
  await dialog.getByRole("tab", { name: "Account" }).click();
  await expect(dialog.getByText("“nearby”")).toBeVisible();
});
