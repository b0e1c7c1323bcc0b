// The page of environments, with real exec-servers: adding, checking, refreshing, editing and removing them, their files, and
// the way to another machine.

import { execFile } from "node:child_process";
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, type Holdfast } from "./support/app";
import { chooseEnvironment } from "./support/environments";
import { EnvironmentsPage } from "./support/environmentsPage";
import { test } from "./support/execServers";
import { message, reply } from "./support/modelServer";

const token = "a-token-that-nobody-may-see-0123456789";

async function opened(holdfast: Holdfast): Promise<EnvironmentsPage> {
  const page = new EnvironmentsPage(holdfast);
  await page.open();
  return page;
}

test("one on this machine runs with one press, says how it stands, stops and goes", async ({ holdfast }) => {
  const page = await opened(holdfast);
  await expect(page.button("Connect to another machine…")).toBeVisible();
  await page.button("Run one on this machine").click();
  await expect(page.row("Local")).toHaveAttribute("aria-selected", "true");
  await expect(page.state).toContainText(/^running/);
  const server = page.section("Exec-server on this machine");
  await expect(server).toContainText(/Process\d+/);
  await page.button("Check").click();
  await expect(page.state).toContainText(/^running · (\d|under)/);
  await expect(page.entry).toHaveAccessibleName("Environments, 1 connected");
  await expect(page.section("Executor")).toContainText("codex 0.171.0");

  await server.getByRole("button", { name: "Show log" }).click();
  await expect(page.dialog).toContainText("Log of Local");
  await holdfast.page.keyboard.press("Escape");
  await expect(server.getByRole("button", { name: "Show log" })).toBeFocused();

  await page.button("Stop").click();
  await expect(page.state).toHaveText("stopped");
  await expect(page.row("Local")).toHaveAccessibleName("Local, stopped");
  await expect(page.entry).toHaveAccessibleName("Environments");
  // Looking at its files does not start it again by itself.
  await page.tab("Files").click();
  await expect(page.state).toHaveText("stopped");
  await page.button("Start and show its files").click();
  await expect(page.files).toBeVisible();
  await expect(page.state).toContainText(/^running/);
  await page.tab("Overview").click();

  // Another one has another name by itself.
  await page.button("New environment").click();
  await holdfast.page.getByRole("menuitem", { name: "Run one on this machine" }).click();
  await expect(page.row("Local 2")).toHaveAttribute("aria-selected", "true");
  await page.list.press("Delete");
  await expect(page.question).toContainText("its exec-server on this machine is ended");
  await page.question.getByRole("button", { name: "Remove" }).click();
  await expect(page.row("Local 2")).toHaveCount(0);
  await expect(page.row("Local")).toHaveAttribute("aria-selected", "true");
});

test("one at an address: what is wrong is said at its field, and its token is shown nowhere", async ({
  holdfast,
  servers,
}) => {
  const server = await servers.startWithToken(token);
  const page = await opened(holdfast);
  await page.button("Add by address, file or command…").click();
  const { dialog } = page;
  const name = dialog.getByRole("textbox", { name: "Name", exact: true });
  const address = dialog.getByRole("textbox", { name: "Address" });
  await expect(name).toBeFocused();
  await address.fill("http://127.0.0.1:1");
  await address.press("Enter");
  // Nothing is lost, and the keyboard is where the first thing is wrong.
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription("Give it a name.");
  await expect(address).toHaveValue("http://127.0.0.1:1");
  await expect(address).toHaveAccessibleDescription(/begin with ws:/);
  await name.fill("build-box");
  await address.fill(server.url);
  await dialog.getByRole("button", { name: "Add and check" }).click();

  await expect(page.state).toHaveText("failed");
  await expect(page.row("build-box")).toHaveAccessibleName("build-box, failed");
  await holdfast.page.getByRole("note").getByRole("button", { name: "Set a token…" }).click();
  const field = dialog.getByLabel("Token", { exact: true });
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("type", "password");
  await field.fill(token);
  await field.press("Enter");
  // Whether it is the right one is seen at once.
  await expect(page.section("Tokens").getByRole("button", { name: "Set the token" })).toBeVisible();
  await expect(page.state).toContainText(/^connected/);

  // Two of one name would be taken for each other.
  await page.button("New environment").click();
  await holdfast.page.getByRole("menuitem", { name: "Add by address…" }).click();
  await name.fill("build-box");
  await address.fill("wss://elsewhere.example");
  await dialog.getByLabel("Token", { exact: true }).fill(token);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(name).toHaveAccessibleDescription(/already/);
  await expect(address).toHaveValue("wss://elsewhere.example");
  await name.fill("elsewhere");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  // It is not connected to before somebody needs it.
  await expect(page.state).toHaveText("not connected");

  await page.row("build-box").click();
  await page.section("Where it is found").getByRole("button", { name: "Edit…" }).click();
  await expect(name).toHaveValue("build-box");
  await expect(dialog.getByLabel("Token", { exact: true })).toHaveCount(0);
  await name.fill("The build box");
  await name.press("Enter");
  await expect(page.row("The build box")).toHaveAttribute("aria-selected", "true");
  await expect(page.state).toContainText(/^connected/);

  await page.section("Tokens").getByRole("button", { name: "Forget the token" }).click();
  await page.question.getByRole("button", { name: "Forget" }).click();
  await expect(page.section("Tokens")).toContainText("None is saved");
  expect(await holdfast.page.content()).not.toContain(token);
});

test("one that a file names: Refresh goes over to what it names now, with its files", async ({
  holdfast,
  servers,
  sandbox,
}) => {
  const [first, second] = [await servers.start(), await servers.start()];
  await writeFile(path.join(first.folder, "first.txt"), "of the first\n");
  await writeFile(path.join(second.folder, "second.txt"), "of the second\n");
  const file = path.join(sandbox.temporary, "box.json");
  const names = (url: string, identity: string) => writeFile(file, JSON.stringify({ url, identity }));
  await names(first.url, "first");
  const page = await opened(holdfast);
  await page.button("Add by address, file or command…").click();
  await page.dialog.getByRole("radio", { name: /^Named by a file/ }).check();
  await page.dialog.getByRole("textbox", { name: "Name", exact: true }).fill("moving");
  await page.dialog.getByRole("textbox", { name: "File", exact: true }).fill(file);
  await page.dialog.getByRole("button", { name: "Add and check" }).click();
  await expect(page.state).toContainText(/^connected/);
  const connection = page.section("Connection");
  await expect(connection).toContainText("Identityfirst");
  await page.tab("Files").click();
  await expect(page.file("first.txt")).toBeVisible();

  await writeFile(path.join(first.folder, "later.txt"), "");
  await names(second.url, "second");
  await page.button("Refresh").click();
  // What was shown is of the executor before: the folder is read again by itself.
  await expect(page.file("later.txt")).toBeVisible();
  await page.button("Type a path").click();
  await holdfast.page.getByRole("textbox", { name: "Path" }).fill(second.folder);
  await holdfast.page.keyboard.press("Enter");
  await expect(page.file("second.txt")).toBeVisible();
  await page.tab("Overview").click();
  await expect(connection).toContainText("Identitysecond");

  // What cannot be looked up leaves the connection as it is, and is said in its place.
  await rm(file);
  await page.button("Refresh").click();
  await expect(holdfast.page.getByRole("alert")).toContainText("Refreshing did not work");
  await expect(page.state).toContainText(/^connected/);
  await names(second.url, "second");
  await page.button("Refresh").click();
  await expect(holdfast.page.getByRole("alert")).toHaveCount(0);

  await second.stop();
  await expect(page.state).toContainText("reconnecting, attempt");
  await expect(holdfast.page.getByRole("note")).toBeVisible();
  await names(first.url, "first");
  await page.button("Refresh").click();
  await expect(page.state).toContainText(/^connected/);
  await expect(connection).toContainText("Identityfirst");
});

test("one that a command names: each line is an argument, and no shell reads it", async ({
  holdfast,
  servers,
  sandbox,
}) => {
  const server = await servers.start();
  const command = path.join(sandbox.temporary, "where is it");
  // It prints an answer only if it was given these two arguments as they are.
  await writeFile(
    command,
    `#!/bin/sh\n[ "$#" = 2 ] && [ "$1" = "two words" ] && [ "$2" = '$HOME' ] || exit 3\nprintf '{"url":"${server.url}","identity":"by command"}'\n`,
  );
  await chmod(command, 0o755);
  const page = await opened(holdfast);
  await page.button("Add by address, file or command…").click();
  const { dialog } = page;
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("asked");
  await dialog.getByRole("radio", { name: /^Named by a command/ }).check();
  await dialog.getByRole("textbox", { name: "Program" }).fill(command);
  await dialog.getByRole("textbox", { name: "Arguments" }).fill("one");
  // The kind is changed to and fro: what was typed is still there.
  await dialog.getByRole("radio", { name: /^At an address/ }).check();
  await dialog.getByRole("radio", { name: /^Named by a command/ }).check();
  await expect(dialog.getByRole("textbox", { name: "Arguments" })).toHaveValue("one");
  await dialog.getByRole("button", { name: "Add and check" }).click();
  await expect(page.state).toHaveText("failed");
  await expect(holdfast.page.getByRole("note")).toContainText("code 3");

  await holdfast.page.getByRole("note").getByRole("button", { name: "Edit…" }).click();
  await dialog.getByRole("textbox", { name: "Arguments" }).fill("two words\n$HOME");
  await dialog.getByRole("button", { name: "Save" }).click();
  // It is tried at once.
  await expect(page.state).toContainText(/^connected/);
  await expect(page.section("Where it is found").getByRole("listitem")).toHaveText(["two words", "$HOME"]);
});

test("its files, with the keyboard alone", async ({ holdfast, servers }) => {
  const { keyboard } = holdfast.page;
  const server = await servers.start();
  await mkdir(path.join(server.folder, "src", "deep"), { recursive: true });
  await writeFile(path.join(server.folder, "src", "main.txt"), "first line\nsecond line\n");
  await writeFile(path.join(server.folder, "src", "image.bin"), Buffer.from([0, 255, 0, 254, 1, 2, 3]));
  await Promise.all(
    Array.from({ length: 300 }, (_, index) => writeFile(path.join(server.folder, `note-${index}.txt`), "")),
  );
  const page = await opened(holdfast);
  await page.add("box", server.url);
  await page.tab("Files").click();
  await expect(page.file("src")).toBeVisible();
  // Of many entries only those near the view are there.
  expect(await page.files.getByRole("option").count()).toBeLessThan(100);
  await page.files.focus();
  await keyboard.press("End");
  await expect(page.file("note-299.txt")).toBeVisible();
  await keyboard.press("Home");
  await keyboard.press("Enter");
  await expect(page.file("main.txt")).toBeVisible();
  await keyboard.type("m");
  await keyboard.press("Enter");
  await expect(page.fileText.locator("[data-line]")).toHaveText([/^1first line$/, /^2second line$/]);
  await expect(page.file("main.txt")).toHaveAttribute("aria-selected", "true");
  await keyboard.press("ArrowUp");
  await keyboard.press("Enter");
  await expect(page.section("File image.bin")).toContainText("it is no text, or not in UTF-8");
  await expect(page.files).toBeFocused();

  // Up again: the keyboard is on the folder that it came from.
  await keyboard.press("Backspace");
  await expect(page.file("note-0.txt")).toBeVisible();
  await expect(page.files).toHaveAttribute("aria-activedescendant", await page.idOf("src"));

  await page.button("Type a path").click();
  const field = holdfast.page.getByRole("textbox", { name: "Path" });
  await field.fill("src/deep");
  await field.press("Enter");
  await expect(holdfast.page.getByText("The folder is empty.")).toBeVisible();
  await expect(holdfast.page.getByRole("navigation", { name: "Folder" })).toContainText("deep");
  await page.button("Type a path").click();
  await field.fill("/not/there");
  await field.press("Enter");
  await expect(holdfast.page.getByRole("alert")).toContainText(
    'There is no "/not/there" in this environment.',
  );
  await page.button("Where it starts").click();
  await expect(page.file("src")).toBeVisible();
  await expect(holdfast.page.getByRole("alert")).toHaveCount(0);

  // While it is being connected to anew, what is asked waits, and that is said.
  await server.stop();
  await expect(page.state).toContainText("reconnecting");
  await page.button("Read again").click();
  await expect(holdfast.page.getByText(/^Waiting: it is reconnecting/)).toBeVisible();
  await expect(page.file("src")).toBeVisible();
});

test("another machine: commands that cannot be broken, each step of the way looked at, and a name", async ({
  holdfast,
  servers,
  sandbox,
}) => {
  const tunnel = await servers.tunnel();
  const page = await opened(holdfast);
  await page.button("Connect to another machine…").click();
  const { dialog } = page;
  const machine = dialog.getByRole("textbox", { name: "Machine", exact: true });
  await expect(machine).toBeFocused();
  await machine.fill("-oProxyCommand=evil");
  await expect(machine).toHaveAccessibleDescription(/must not begin with a dash/);
  await expect(dialog.getByRole("group", { name: "Open the tunnel" })).toHaveCount(0);
  await machine.fill("box.example");
  await dialog.getByRole("textbox", { name: "User there" }).fill("ada");
  await dialog.getByRole("textbox", { name: "Port there" }).fill("4711");
  await dialog.getByRole("textbox", { name: "Port here" }).fill(String(tunnel.port));
  await expect(dialog.getByRole("group", { name: "Start the exec-server" })).toContainText(
    "--listen ws://127.0.0.1:4711",
  );
  await expect(dialog.getByRole("group", { name: "Open the tunnel" })).toContainText(
    `-L 127.0.0.1:${tunnel.port}:127.0.0.1:4711 -- ada@box.example`,
  );

  // The other machine is this one, in a home of its own.
  const home = path.join(sandbox.temporary, "there");
  await mkdir(home);
  const making = await dialog.getByRole("group", { name: "Make a token" }).textContent();
  const run = promisify(execFile)("/bin/sh", ["-c", making ?? ""], {
    env: { HOME: home, PATH: process.env.PATH },
  });
  const madeToken = (await run).stdout.trim();
  expect(madeToken).toMatch(/^[0-9a-f]{64}$/);
  const tokenFile = path.join(home, ".holdfast", "token");
  expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
  const server = await servers.start(["--ws-auth", "capability-token", "--ws-token-file", tokenFile]);

  const check = dialog.getByRole("button", { name: /^Check( again)?$/ });
  const step = (name: string) => dialog.getByRole("listitem", { name });
  const way = dialog.getByRole("status", { name: "The way" });
  await check.click();
  await expect(step("The address: ok")).toBeVisible();
  await expect(step("Something listens there: failed")).toBeVisible();
  await expect(step("It takes the token: not tried")).toBeVisible();
  await tunnel.open(server.url);
  await check.click();
  await expect(step("Something listens there: ok")).toBeVisible();
  await expect(step("It takes the token: failed")).toBeVisible();
  await expect(way).toContainText("Not there yet");
  // What was found is not about another token.
  await dialog.getByLabel("Token", { exact: true }).fill(madeToken);
  await expect(way).toHaveCount(0);
  await check.click();
  await expect(way).toHaveText("The way is open.");
  await expect(step("It answers: ok")).toBeVisible();

  // Closed by accident: what was typed is still there, except for the token.
  await holdfast.page.keyboard.press("Escape");
  await page.button("Connect to another machine…").click();
  await expect(machine).toHaveValue("box.example");
  const field = dialog.getByLabel("Token", { exact: true });
  await expect(field).toHaveValue("");
  await field.fill(madeToken);
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("The box");
  await dialog.getByRole("button", { name: "Add environment" }).click();
  await expect(page.row("The box")).toHaveAttribute("aria-selected", "true");
  await expect(page.state).toContainText(/^connected/);

  // The tunnel goes away and comes back: the same session is gone on with.
  await tunnel.close();
  await expect(page.state).toContainText("reconnecting");
  await tunnel.open(server.url);
  await expect(page.state).toContainText(/^connected/);
  expect(await holdfast.page.content()).not.toContain(madeToken);
});

test("what uses one is said, leads there, and is asked about before it is removed", async ({
  holdfast,
  model,
  servers,
}) => {
  const server = await servers.start();
  const page = await opened(holdfast);
  await page.add("box", server.url);
  await expect(page.section("Used by")).toContainText("No thread and no terminal");
  model.queue(reply(message("Nothing to do.")));
  await holdfast.newThread();
  await chooseEnvironment(holdfast, "box", server.folder);
  await holdfast.send("Tidy up");
  await expect(holdfast.conversation).toContainText("Nothing to do.");

  await page.entry.click();
  const users = page.section("Used by").getByRole("list", { name: "Used by" });
  await users.getByRole("button", { name: /^Tidy up/ }).click();
  await expect(holdfast.conversation).toContainText("Nothing to do.");
  await page.entry.click();
  await server.kill();
  await expect(page.entry).toHaveAccessibleName("Environments, 1 reconnecting");

  await page.list.press("Delete");
  await expect(page.question).toContainText("“Tidy up” uses it, and waits until another place is chosen.");
  await holdfast.page.keyboard.press("Escape");
  await expect(page.list).toBeFocused();
  await page.list.press("Delete");
  await page.question.getByRole("button", { name: "Remove anyway" }).click();
  // Without any, the page is as it was at first, and the keyboard is on it.
  await expect(page.button("Run one on this machine")).toBeFocused();
  await expect(page.entry).toHaveAccessibleName("Environments");
});

test("in a narrow window, with the keyboard, and from the palette", async ({ holdfast, servers }) => {
  const { page: window } = holdfast;
  const choose = async (words: string) => {
    await window.keyboard.press("ControlOrMeta+k");
    await window.getByRole("combobox", { name: "Command palette" }).fill(words);
    await window.keyboard.press("Enter");
  };
  const server = await servers.start();
  const page = await opened(holdfast);
  await page.add("box", server.url);
  await page.add("gpu-03", "ws://127.0.0.1:1");
  await holdfast.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(700, 700));
  await expect(page.list).toBeHidden();
  await page.button("Show the list of environments").click();
  await expect(page.list).toBeFocused();
  await window.keyboard.press("Home");
  await window.keyboard.press("Enter");
  await expect(page.list).toBeHidden();
  await expect(window.getByRole("heading", { name: "box", level: 1 })).toBeVisible();
  // The buttons are icons now and are called the same.
  await page.button("Check").click();
  await expect(page.state).toContainText(/^connected/);

  await choose("gpu-03");
  await expect(window.getByRole("heading", { name: "gpu-03", level: 1 })).toBeVisible();
  await choose("check the environment");
  await expect(page.state).toHaveText("failed");
  await expect(
    window.getByRole("note").getByRole("button", { name: "Look at the way to it…" }),
  ).toBeVisible();
  await window.getByRole("button", { name: "Look at the way to it…" }).click();
  await expect(page.dialog.getByRole("listitem", { name: "Something listens there: failed" })).toBeVisible();
  await window.keyboard.press("Escape");
  await expect(window.getByRole("button", { name: "Look at the way to it…" })).toBeFocused();

  // What is shown is there again after another page, and after the page was loaded anew.
  await page.tab("Files").click();
  await window.keyboard.press("ControlOrMeta+Shift+c");
  await expect(window).toHaveTitle("Cells - Holdfast");
  await window.keyboard.press("ControlOrMeta+Shift+e");
  await expect(page.tab("Files")).toHaveAttribute("aria-selected", "true");
  await window.reload();
  await expect(window.getByRole("heading", { name: "gpu-03", level: 1 })).toBeVisible();
  await expect(page.tab("Files")).toHaveAttribute("aria-selected", "true");
});
