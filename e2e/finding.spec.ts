// Finding things: a thread by what was said in it, a file and a line of it, words in a conversation; and taking a thread away
// as a file. On the real codex.

import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { freeze } from "../main/codex/testFreeze";
import { expect, type Holdfast, test } from "./support/app";
import { openCodexClient } from "./support/codexClient";
import { message, reply, shell } from "./support/modelServer";
import { isAlive } from "./support/processes";

/** The platform's dialogs answer with these. */
async function dialogsAnswer(holdfast: Holdfast, answer: { folder?: string; file?: string }): Promise<void> {
  await holdfast.app.evaluate(({ dialog }, { folder, file }) => {
    if (folder !== undefined)
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] });
    if (file !== undefined)
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: file });
  }, answer);
}

async function runFromPalette(holdfast: Holdfast, words: string): Promise<void> {
  await holdfast.page.keyboard.press("Control+k");
  await holdfast.page.getByRole("combobox", { name: "Command palette" }).fill(`>${words}`);
  await holdfast.page
    .getByRole("option", { name: new RegExp(words) })
    .first()
    .click();
}

test("a thread is found by what was said in it, in a folder that is no workspace, and the words are marked there", async ({
  holdfast,
  model,
  sandbox,
}) => {
  const { page } = holdfast;
  const other = path.join(sandbox.temporary, "borealis");
  await mkdir(other);
  model.queue(
    reply(message("The crucible is made of zirconium.")),
    reply(message("A zirconium oxide, to be exact.")),
  );
  await holdfast.newThread();
  await holdfast.send("What is it made of?");
  await expect(holdfast.thread(/What is it made of\?, idle/)).toBeVisible();
  await dialogsAnswer(holdfast, { folder: other });
  await holdfast.button("Open workspace").click();
  await expect(holdfast.workspace("borealis")).toBeVisible();
  await expect(holdfast.message).toBeFocused();
  await holdfast.send("And more exactly?");
  await expect(holdfast.thread(/And more exactly\?, idle/)).toBeVisible();

  // The list finds by the workspace, too.
  const find = holdfast.sidebar.getByRole("searchbox", { name: "Find a thread" });
  await find.fill("borealis");
  await expect(holdfast.thread(/What is it made of\?/)).toHaveCount(0);
  await expect(holdfast.thread(/And more exactly\?, idle/)).toBeVisible();
  await find.fill("");

  await holdfast.workspace("borealis").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Remove from list" }).click();
  await page.getByRole("button", { name: "Remove from list" }).click();
  await expect(page.getByRole("heading", { name: "Open a folder to begin" })).toBeVisible();

  // And it leads on to the search in everything that was said.
  await find.fill("crucible");
  await find.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  const field = page.getByRole("searchbox", { name: "Search in all threads" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("crucible");
  const crucible = page.getByRole("list", { name: "Threads that have these words" });
  await expect(crucible.getByRole("button", { name: /What is it made of\?.*atlas/ })).toBeVisible();
  await find.fill("");
  await field.fill("");
  const everything = page.getByRole("list", { name: "All threads by folder" });
  await expect(everything.getByRole("button", { name: /^borealis, .*, 1 thread$/ })).toBeVisible();
  await expect(everything.getByRole("button", { name: /^atlas, .*, 1 thread$/ })).toBeVisible();
  await field.fill("zirconium");
  const found = page.getByRole("list", { name: "Threads that have these words" });
  await expect(found.getByRole("button", { name: /What is it made of\?.*atlas/ })).toBeVisible();
  const hit = found.getByRole("button", { name: /And more exactly\?.*borealis/ });
  await expect(hit.locator("mark", { hasText: /zirconium/i })).toBeVisible();
  await field.press("ArrowDown");
  await expect(hit).toBeFocused();
  await page.keyboard.press("Enter");
  // The one of the question: there is one of the sidebar, too.
  await page.getByRole("alertdialog").getByRole("button", { name: "Open workspace", exact: true }).click();
  await expect(holdfast.workspace("borealis")).toBeVisible();
  await expect(holdfast.conversation).toContainText("A zirconium oxide, to be exact.");
  await expect(page.getByRole("textbox", { name: "Find in conversation" })).toHaveValue("zirconium");
  await expect(page.getByRole("status", { name: "Matches" })).toHaveText("1 of 1");
});

test("words are found in what is folded, files open at their line, and an export has what codex has", async ({
  holdfast,
  model,
  sandbox,
}) => {
  const { page } = holdfast;
  const lines = Array.from({ length: 3_000 }, (_, at) => `export const line${at + 1} = ${at + 1};`);
  await mkdir(path.join(sandbox.workspace, "src"));
  await writeFile(path.join(sandbox.workspace, "src", "long.ts"), `${lines.join("\n")}\n`);
  await writeFile(path.join(sandbox.workspace, "src", "rates.js"), "export const rate = 5; // a second\n");
  await writeFile(path.join(sandbox.temporary, "secret.txt"), "not for here");
  await symlink(path.join(sandbox.temporary, "secret.txt"), path.join(sandbox.workspace, "leak.txt"));
  model.queue(
    reply(shell("for i in $(seq 1 400); do echo row $i; done; echo quicksilver")),
    reply(
      message(
        "See `src/long.ts:2500`, and [the leak](leak.txt). No **quick**silver here. Plain: src/long.ts:7, leak.txt, src/none.ts and http://127.0.0.1/src/long.ts.",
      ),
    ),
  );
  await holdfast.newThread();
  await holdfast.send("Print some rows.");
  await expect(holdfast.thread(/Print some rows\., idle/)).toBeVisible();
  await expect(holdfast.article("Command")).not.toContainText("row 399");

  await holdfast.conversation.click();
  await page.keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "Find in conversation" }).fill("quicksilver");
  const matches = page.getByRole("status", { name: "Matches" });
  // In the command, in what it printed, and in the answer, whose marks nobody sees.
  await expect(matches).toHaveText("1 of 3");
  await page.keyboard.press("Enter");
  await expect(matches).toHaveText("2 of 3");
  await expect(holdfast.article("Command")).toContainText("row 399");
  await page.keyboard.press("Enter");
  await expect(matches).toHaveText("3 of 3");
  await page.keyboard.press("Escape");
  await expect(matches).toHaveCount(0);

  // Plain words lead to a file only where it is in the workspace.
  const links = holdfast.article("Agent").getByRole("link");
  await expect(links).toHaveText(["src/long.ts:2500", "the leak", "src/long.ts:7", /^http/]);
  await links.nth(2).click();
  await expect(page.getByRole("dialog").locator('[aria-current="location"]')).toHaveText(/line7 = 7;/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await holdfast.conversation.getByRole("link", { name: "src/long.ts:2500" }).click();
  const file = page.getByRole("dialog");
  await expect(file.locator('[aria-current="location"]')).toHaveText(/export const line2500 = 2500;/);
  await expect(file.locator('[aria-current="location"]')).toBeInViewport();
  await page.keyboard.press("Escape");
  await holdfast.conversation.getByRole("link", { name: "the leak" }).click();
  await expect(file).toContainText("is not in the workspace");
  await expect(file).not.toContainText("not for here");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+p");
  await expect(page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
  await page.keyboard.type("limits:1");
  await page.getByRole("option", { name: /limits\.txt/ }).click();
  await expect(file.locator('[aria-current="location"]')).toHaveText(/burst = 50/);
  await file.getByRole("button", { name: "Mention in message" }).click();
  await expect(holdfast.message).toHaveValue("limits.txt ");

  // Typed as it is called, it is what Enter opens; the search for it comes behind.
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("limits.txt");
  await expect(page.getByRole("option").first()).toHaveAccessibleName(/^limits\.txt/);
  await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("option", { name: /^Search in all threads/ })).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(file).toContainText("burst = 50");
  await page.keyboard.press("Escape");
  await expect(file).toBeHidden();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("rates.js");
  await page.keyboard.press("Enter");
  await expect(file.locator(".tok-keyword")).toHaveText(["export", "const"]);
  await expect(file.locator(".tok-comment")).toHaveText("// a second");
  const text = file.getByRole("group", { name: "Text of src/rates.js" });
  await expect(text).toBeFocused();
  // The numbers of the lines stay in place, and lie over nothing of the ring.
  await expect(text).toHaveCSS("outline-style", "none");
  const ring = 'getComputedStyle(document.activeElement.parentElement, "::after")';
  expect(await page.evaluate<string>(`${ring}.outlineStyle + " " + ${ring}.zIndex`)).toBe("solid 1");
  await page.keyboard.press("Escape");
  await expect(file).toBeHidden();
  // Also when Enter comes before the files do.
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("limits.txt");
  await page.keyboard.press("Enter");
  await expect(file).toContainText("burst = 50");
  await page.keyboard.press("Escape");
  await expect(file).toBeHidden();

  const out = path.join(sandbox.temporary, "out");
  await mkdir(out);
  await dialogsAnswer(holdfast, { file: path.join(out, "thread.json") });
  await runFromPalette(holdfast, "Export the thread as JSON");
  await expect(page.getByText("Thread exported")).toBeVisible();
  const exported = JSON.parse(await readFile(path.join(out, "thread.json"), "utf8"));
  const [handle] = sandbox.ledger.notGone();
  if (!handle) throw new Error("there is no session");
  const client = await openCodexClient(handle);
  const threadId: string = exported.thread.id;
  const { data } = await client.rpc.request("thread/turns/list", {
    threadId,
    limit: 100,
    itemsView: "full",
    sortDirection: "asc",
  });
  client.close();
  expect(exported.turns).toEqual(data);
  expect(data[0]?.items.length).toBeGreaterThan(2);

  // One that takes long is cancelled: what is there already stays as it was, and nothing half is left beside it.
  const before = await readFile(path.join(out, "thread.json"), "utf8");
  const { pid } = await sandbox.ledger.onlyRunning();
  const exporting = page.getByRole("status", { name: "Export" });
  await freeze(pid);
  try {
    await runFromPalette(holdfast, "Export the thread as JSON");
    await expect(exporting).toContainText("Exporting");
    await expect.poll(() => readdir(out)).toContainEqual(expect.stringMatching(/\.part$/));
    await exporting.getByRole("button", { name: "Cancel" }).click();
    await expect(exporting.getByRole("button", { name: "Cancel" })).toHaveAttribute("aria-busy", "true");
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await expect(exporting).toHaveCount(0);
  expect(await readdir(out)).toEqual(["thread.json"]);
  expect(await readFile(path.join(out, "thread.json"), "utf8")).toBe(before);

  await dialogsAnswer(holdfast, { file: path.join(out, "gone", "thread.md") });
  await runFromPalette(holdfast, "Export the thread as Markdown");
  await expect(page.getByText(/The folder .*gone is not there/)).toBeVisible();
  await runFromPalette(holdfast, "Copy the thread as Markdown");
  await expect(page.getByText("Thread copied as Markdown")).toBeVisible();
  const copied = await holdfast.app.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).toContain("> Print some rows.");
  expect(copied).toContain("quicksilver\n```");
  expect(await readdir(out)).toEqual(["thread.json"]);

  // The person's own editor: without one the way to the setting is shown; then a name in the conversation opens in it.
  const heard = path.join(sandbox.temporary, "heard");
  const editor = path.join(sandbox.temporary, "code");
  await writeFile(editor, `#!/bin/sh\nenv > '${heard}.env'\necho "$$ $*" > '${heard}'\nexec sleep 600\n`);
  await chmod(editor, 0o755);
  const named = holdfast.conversation.getByRole("link", { name: "src/long.ts:2500" });
  await named.click({ modifiers: ["ControlOrMeta"] });
  await page.getByRole("button", { name: "Choose the editor" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  const command = settings.getByRole("textbox", { name: "Editor" });
  await expect(command).toBeFocused();
  await command.fill(`${editor} 'half`);
  await command.press("Enter");
  await expect(settings.getByRole("alert")).toHaveText("A closing ' is missing.");
  await command.fill(`${editor} --wait`);
  await command.press("Enter");
  await expect(settings.getByRole("alert")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await named.click({ modifiers: ["ControlOrMeta"] });
  const said = () => readFile(heard, "utf8").catch(() => "");
  const wanted = `--wait --goto ${path.join(sandbox.workspace, "src", "long.ts")}:2500`;
  await expect.poll(said).toMatch(new RegExp(`^\\d+ ${wanted.replaceAll(".", "\\.")}\\n$`));
  expect(await readFile(`${heard}.env`, "utf8")).not.toContain("HOLDFAST_H");
  // It is the person's: it is still there when Holdfast has gone.
  const editorPid = Number.parseInt(await said(), 10);
  await sandbox.end(holdfast);
  expect(isAlive(editorPid)).toBe(true);
  process.kill(editorPid);
});
