// Environments that are changed, looked into and used in small windows: what is said is of how they are now.

import { appendFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, type Holdfast } from "./support/app";
import { chooseEnvironment, placeChip, runsOn } from "./support/environments";
import { EnvironmentsPage } from "./support/environmentsPage";
import { test } from "./support/execServers";

async function opened(holdfast: Holdfast): Promise<EnvironmentsPage> {
  const page = new EnvironmentsPage(holdfast);
  await page.open();
  return page;
}

async function resize({ app, page }: Holdfast, width: number): Promise<void> {
  await app.evaluate(({ BrowserWindow }, width) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.setMinimumSize(300, 300);
    window?.setSize(width, 900);
  }, width);
  await expect.poll(() => page.evaluate("innerWidth")).toBe(width);
}

/** What could be scrolled sideways in the environment that is shown. */
const sidewaysScrollers = `[...document.querySelectorAll('[data-pane="environment"] *')]
  .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowX))
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => element.className)`;

test("what failed before an edit is not said of what it is now, which is tried at once", async ({
  holdfast,
  servers,
}) => {
  const server = await servers.start();
  const page = await opened(holdfast);
  await page.add("Box One", "ws://127.0.0.1:1");
  await page.button("Check").click();
  await expect(page.state).toHaveText("failed");
  const trouble = holdfast.page.getByRole("note").filter({ hasText: "cannot be reached" });
  await expect(trouble).toBeVisible();
  await page.section("Where it is found").getByRole("button", { name: "Edit…" }).click();
  const address = page.dialog.getByRole("textbox", { name: "Address" });
  const warning = page.dialog.getByRole("status").filter({ hasText: "not encrypted" });
  await address.fill("ws://box.example:4711");
  await expect(warning).toBeVisible();
  await address.fill(server.url);
  await expect(warning).toHaveCount(0);
  await address.press("Enter");
  await expect(page.state).toContainText(/^connected/);
  await expect(trouble).toHaveCount(0);

  await page.button("New environment").click();
  await holdfast.page.getByRole("menuitem", { name: "Add by address…" }).click();
  const name = page.dialog.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("box one");
  await address.fill(server.url);
  await address.press("Enter");
  await expect(name).toHaveAccessibleDescription(/There is an environment with the name "Box One" already/);
});

test("the path of a file shows it in its folder, and a long text begins", async ({ holdfast, servers }) => {
  const server = await servers.start();
  await mkdir(path.join(server.folder, "logs", "deep"), { recursive: true });
  const log = path.join(server.folder, "logs", "long.log");
  await writeFile(log, "the first line\n");
  await appendFile(log, "and more\n".repeat(300_000));
  await writeFile(path.join(server.folder, "logs", "deep", "first.txt"), "not asked for");
  await writeFile(path.join(server.folder, "logs", "latin.txt"), Buffer.from([0x61, 0xe9, 0x0a]));
  const page = await opened(holdfast);
  await page.add("box", server.url);
  await page.tab("Files").click();
  const go = async (to: string) => {
    await page.button("Type a path").click();
    const field = holdfast.page.getByRole("textbox", { name: "Path" });
    await field.fill(to);
    await field.press("Enter");
  };
  await go("logs/nothing");
  await expect(holdfast.page.getByRole("alert")).toContainText("logs/nothing");
  await go("logs/long.log");
  await expect(page.file("long.log")).toHaveAttribute("aria-selected", "true");
  await expect(page.fileText).toContainText("the first line");
  await expect(page.section("File long.log")).toContainText("this is its beginning, 256 KiB of 2.7 MB");
  await expect(holdfast.page.getByRole("alert")).toHaveCount(0);

  // The second click of two comes to whatever stands there by then.
  await page.file("deep").dblclick();
  await expect(page.file("first.txt")).toBeVisible();
  await expect(page.section("File long.log")).toContainText(`in ${path.join(server.folder, "logs")}`);
  await expect(page.section("File first.txt")).toHaveCount(0);
  await go("../latin.txt");
  await expect(page.section("File latin.txt")).toContainText("it is no text, or not in UTF-8");
});

test("nothing of it scrolls sideways, whatever runs there", async ({ holdfast, servers }) => {
  const server = await servers.start();
  const page = await opened(holdfast);
  await page.add("box", server.url);
  await page.tab("Terminal").click();
  const command = holdfast.page.getByRole("textbox", { name: "Command", exact: true });
  await command.fill(`sleep 1000; ${"echo a-long-command ".repeat(30)}`);
  await page.button("Run").click();
  await expect(holdfast.page.getByRole("status", { name: "Terminal" })).toContainText("Running");
  await page.tab("Overview").click();
  await expect(page.section("Used by").getByRole("button")).toHaveCount(1);
  for (const width of [1280, 700, 600]) {
    await resize(holdfast, width);
    // The page adapts once it has been told its new width.
    const wide = () => holdfast.page.evaluate(sidewaysScrollers);
    await expect.poll(wide, { message: `at ${width} px` }).toEqual([]);
    await holdfast.page.screenshot({ path: test.info().outputPath(`overview-${width}.png`) });
  }
});

test("where a thread runs can be read beside the inspector", async ({ holdfast, servers }) => {
  const server = await servers.start();
  const page = await opened(holdfast);
  await page.add("build-box", server.url);
  await holdfast.newThread();
  await chooseEnvironment(holdfast, "build-box", server.folder);
  await resize(holdfast, 1280);
  const [show, hide] = [page.button("Show the inspector"), page.button("Hide the inspector")];
  await expect(show.or(hide)).toBeVisible();
  if (await show.isVisible()) await show.click();
  await expect(hide).toBeVisible();
  await holdfast.page.screenshot({ path: test.info().outputPath("chips.png") });
  for (const chip of [runsOn(holdfast), placeChip(holdfast)]) {
    // All of its nine letters.
    const shownPx = async () => (await chip.getByText("build-box").boundingBox())?.width;
    await expect.poll(shownPx).toBeGreaterThan(52);
  }
});

test("a new window is a command, and its keys open one", async ({ holdfast }) => {
  const { app, page } = holdfast;
  await expect(holdfast.session).toContainText(/^connected/);
  const another = app.waitForEvent("window");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("new window");
  await page.keyboard.press("Enter");
  await another;
  const third = app.waitForEvent("window");
  await page.keyboard.press("ControlOrMeta+Shift+n");
  const opened = await third;
  // Neither the menu nor anything else has opened one more by the time that the new one is there.
  await expect(opened.getByRole("navigation").first()).toBeVisible();
  expect(app.windows()).toHaveLength(3);
});
