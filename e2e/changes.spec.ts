// The page of changes on a real repository: what codex and the person have changed, staged and discarded in parts, committed,
// pushed, and talked about line by line. What git itself says is the proof.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { listProcesses } from "../scripts/setup/processes.mjs";
import { test as base, expect } from "./support/app";
import { ChangesPage } from "./support/changesPage";
import { message, patch, reply } from "./support/modelServer";
import { openWindow } from "./support/openWindow";
import { commandsWith } from "./support/processes";

interface Repository {
  git(...args: string[]): string;
  write(name: string, text: string): void;
  /** Null: it is not there, as for a moment when git puts another one in its place. */
  read(name: string): string | null;
}

/** 24 lines, of which some are others. */
function lines(changed: Record<number, string> = {}): string {
  return Array.from({ length: 24 }, (_, at) => `${changed[at + 1] ?? `line ${at + 1}`}\n`).join("");
}

const test = base.extend<{ repository: Repository }>({
  repository: [
    async ({ sandbox }, use) => {
      const git = (...args: string[]) =>
        execFileSync("git", ["-C", sandbox.workspace, ...args], { encoding: "utf8" }).trimEnd();
      const at = (name: string) => path.join(sandbox.workspace, name);
      const write = (name: string, text: string) => {
        mkdirSync(path.dirname(at(name)), { recursive: true });
        writeFileSync(at(name), text);
      };
      const read = (name: string) => {
        try {
          return readFileSync(at(name), "utf8");
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
          throw error;
        }
      };
      git("config", "user.name", "Ada");
      git("config", "user.email", "ada@example.org");
      write("src/bucket.txt", lines());
      git("add", "--all");
      git("commit", "--quiet", "--message", "Begin");
      await use({ git, write, read });
    },
    { auto: true },
  ],
});

const raiseLimit = patch(
  "*** Begin Patch\n*** Update File: limits.txt\n@@\n-burst = 50\n+burst = 200\n*** End Patch",
);

test("what a turn and a hand have changed is staged, unstaged and discarded in parts, in two windows alike", async ({
  holdfast,
  sandbox,
  model,
  repository: { git, write, read },
}) => {
  model.queue(reply(raiseLimit), reply(message("Raised.")));
  await holdfast.newThread();
  await holdfast.send("Raise the limit.");
  await expect(holdfast.conversation).toContainText("Raised.");
  const changed = lines({ 3: "line three", 20: "line twenty" });
  write("src/bucket.txt", changed);
  write("notes.txt", "new\n");

  // The tab counts what is listed in it, and says what that is.
  const tab = holdfast.tab("Changes");
  await expect(tab).toHaveAccessibleDescription("1 file edited by codex in this thread");
  await expect(tab).toHaveAttribute("title", "Changes: 1 file edited by codex in this thread");
  await tab.click();
  await holdfast.page.getByRole("radio", { name: "Working tree" }).click();
  await expect(tab).toHaveAccessibleDescription("3 files changed in the working tree");
  await holdfast.tab("Progress").click();
  await expect(tab).toHaveAccessibleDescription("3 files changed in the working tree");

  const changes = new ChangesPage(holdfast.page);
  await changes.open();
  await expect(changes.group(/^Not staged, 3/)).toBeVisible();
  await expect(changes.file(/^limits\.txt, modified, 1 added, 1 removed/)).toBeVisible();
  await expect(changes.file(/^notes\.txt, untracked/)).toBeVisible();
  await changes.page.getByRole("radio", { name: "Thread" }).click();
  await expect(changes.file(/./)).toHaveCount(2);
  await expect(
    changes.grid("limits.txt").getByRole("row", { name: "added, line 1: burst = 200" }),
  ).toBeVisible();
  await changes.page.getByRole("radio", { name: "Working tree" }).click();

  // The first hunk with the keyboard.
  await changes.file(/^src\/bucket\.txt, modified/).click();
  const grid = changes.grid("src/bucket.txt");
  await expect(grid.getByRole("row", { name: "removed, line 3: line 3" })).toBeVisible();
  await grid.focus();
  await changes.page.keyboard.press("j");
  await changes.page.keyboard.press("s");
  await expect(changes.group(/^Staged, 1/)).toBeVisible();
  expect(git("show", ":src/bucket.txt")).toBe(lines({ 3: "line three" }).trimEnd());
  expect(read("src/bucket.txt")).toBe(changed);

  const second = new ChangesPage((await openWindow(holdfast)).page);
  await second.open();
  await expect(second.group(/^Staged, 1/)).toBeVisible();

  // And back again, from the other window; the first one hears of it.
  await second
    .file(/^src\/bucket\.txt, modified, 1 added, 1 removed/)
    .first()
    .click();
  await second.button("Unstage hunk, lines 1–6").click();
  await expect(second.group(/^Staged/)).toHaveCount(0);
  await expect(changes.group(/^Staged/)).toHaveCount(0);
  expect(git("diff", "--cached", "--name-only")).toBe("");

  // One hunk is thrown away, and brought back.
  await changes.button("Discard hunk, lines 17–23").click();
  const question = changes.page.getByRole("alertdialog");
  await expect(question).toContainText("Holdfast keeps a copy");
  await question.getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => read("src/bucket.txt")).toBe(lines({ 3: "line three" }));
  await expect(grid.getByRole("row", { name: "removed, line 20: line 20" })).toHaveCount(0);
  await changes.button("Undo").click();
  await expect.poll(() => read("src/bucket.txt")).toBe(changed);
  await expect(grid.getByRole("row", { name: "removed, line 20: line 20" })).toBeVisible();

  // While the question is open, another program stages the hunk before it: the one that was meant still is there, and goes.
  await changes.button("Discard hunk, lines 17–23").click();
  await expect(question).toContainText("Holdfast keeps a copy");
  write("staged.tmp", lines({ 3: "line three" }));
  const staged = git("hash-object", "-w", "staged.tmp");
  rmSync(path.join(sandbox.workspace, "staged.tmp"));
  git("update-index", "--cacheinfo", `100644,${staged},src/bucket.txt`);
  await question.getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => read("src/bucket.txt")).toBe(lines({ 3: "line three" }));
  await changes.button("Undo").first().click();
  await expect.poll(() => read("src/bucket.txt")).toBe(changed);

  // It has become another one: nothing is thrown away, and that is said. Staged and not staged, it is listed twice, once the list
  // has heard of what was brought back.
  const rows = changes.file(/^src\/bucket\.txt, modified/);
  await expect(rows).toHaveCount(2);
  await rows.last().click();
  await changes.button("Discard hunk, lines 17–23").click();
  await expect(question).toContainText("Holdfast keeps a copy");
  const retyped = lines({ 3: "line three", 20: "line 20 once more" });
  write("src/bucket.txt", retyped);
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(changes.page.getByText("It has changed meanwhile, so nothing was done.")).toBeVisible();
  expect(read("src/bucket.txt")).toBe(retyped);

  // A file that git does not know, with the keyboard in the list.
  await changes.file(/^notes\.txt/).click();
  await changes.list.focus();
  await changes.page.keyboard.press("Space");
  await expect.poll(() => git("diff", "--cached", "--name-status")).toContain("A\tnotes.txt");
  await expect(second.group(/^Staged, 2/)).toBeVisible();
});

test("what is around a change is shown bit by bit, from the version that is compared; a new file is deleted by its hunk", async ({
  holdfast,
  repository: { git, write, read },
}) => {
  const many = (changed: Record<number, string>) =>
    Array.from({ length: 120 }, (_, at) => `${changed[at + 1] ?? `line ${at + 1}`}\n`).join("");
  write("long.txt", many({}));
  git("add", "long.txt");
  git("commit", "--quiet", "--message", "Long");
  write("long.txt", many({ 30: "thirty", 60: "sixty" }));
  const changes = new ChangesPage(holdfast.page);
  await changes.open();
  await changes.file(/^long\.txt, modified/).click();
  const grid = changes.grid("long.txt");
  const row = (name: string) => grid.getByRole("row", { name, exact: true });
  await expect(row("26 lines that are the same, not shown")).toBeVisible();
  await expect(row("23 lines that are the same, not shown")).toBeVisible();
  await expect(row("57 lines that are the same, not shown")).toBeAttached();

  await changes.button("Show 20 more down from line 34").click();
  await expect(row("line 34: line 34")).toBeVisible();
  await expect(row("3 lines that are the same, not shown")).toBeVisible();
  await expect(row("line 54: line 54")).toHaveCount(0);
  await changes.button("Show both versions side by side").click();
  await expect(row("line 34: line 34")).toBeVisible();
  await changes.button("Show one version below the other").click();

  // With the keyboard: around the second change, then all that is left above the first.
  await grid.focus();
  await changes.page.keyboard.press("j");
  await changes.page.keyboard.press("j");
  await changes.page.keyboard.press("e");
  await expect(row("line 56: line 56")).toBeVisible();
  await changes.page.keyboard.press("End");
  await expect(row("37 lines that are the same, not shown")).toBeVisible();
  await changes.page.keyboard.press("Home");
  await changes.page.keyboard.press("e");
  await expect(row("line 1: line 1")).toBeVisible();
  await expect(grid).toBeFocused();

  // They can be commented on, and no part that is staged is another one for them; what was shown stays.
  await row("line 2: line 2").hover();
  await changes.button("Comment on line 2").click();
  await expect(changes.page.getByRole("textbox", { name: "Comment on long.txt, line 2" })).toBeFocused();
  await changes.page.keyboard.press("Escape");
  await grid.focus();
  await changes.page.keyboard.press("j");
  await changes.page.keyboard.press("s");
  await expect(changes.group(/^Staged, 1/)).toBeVisible();
  expect(git("show", ":long.txt")).toBe(many({ 30: "thirty" }).trimEnd());
  await expect(row("removed, line 30: line 30")).toHaveCount(0);
  await changes.page.keyboard.press("Home");
  await expect(row("line 2: line 2")).toBeVisible();

  // The file is another one by now: that is said, and what is different now is shown. Once more where the page has just looked
  // again because of what was staged.
  let line = 90;
  await expect(async () => {
    line += 1;
    write("long.txt", many({ 60: "sixty", [line]: "another" }));
    await changes.page.keyboard.press("End");
    await changes.page.keyboard.press("e");
    await expect(changes.page.getByText("“long.txt” has changed meanwhile").first()).toBeVisible({
      timeout: 3_000,
    });
  }).toPass();
  await expect(row(`removed, line ${line}: line ${line}`)).toBeVisible();

  // Of a file that git does not know all is one hunk: without it the file is gone, which is said before.
  write("notes.txt", "new\n");
  await changes.button("Look at the folder again").click();
  await changes.file(/^notes\.txt, untracked/).click();
  await changes.button("Discard hunk, line 1").click();
  const question = changes.page.getByRole("alertdialog");
  await expect(question).toContainText("Delete “notes.txt”?");
  await expect(question).toContainText("it is deleted");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => read("notes.txt")).toBeNull();
  await changes.button("Undo").first().click();
  await expect.poll(() => read("notes.txt")).toBe("new\n");
});

test("a commit with a suggested message is refused by a hook, made, pushed against resistance, and becomes a pull request", async ({
  sandbox,
  codexHome,
  model,
  repository: { git, write },
}) => {
  const remote = path.join(sandbox.temporary, "remote.git");
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", remote]);
  git("remote", "add", "origin", remote);
  git("push", "--quiet", "--set-upstream", "origin", "main");
  git("checkout", "--quiet", "-b", "fix/limit");
  write("limits.txt", "burst = 200\n");
  write(".git/hooks/pre-commit", "#!/bin/sh\necho 'The limits need a test.'\nexit 1\n");
  chmodSync(path.join(sandbox.workspace, ".git/hooks/pre-commit"), 0o755);
  const gh = fakeGh(path.join(sandbox.root, "user"));
  const holdfast = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  const changes = new ChangesPage(holdfast.page);
  await changes.open();
  await expect(changes.file(/^limits\.txt, modified/)).toBeVisible();

  // codex reads the difference and names the commit.
  model.queue(({ body }) => {
    expect(JSON.stringify(body)).toContain("burst = 200");
    return reply(message(JSON.stringify({ message: "Raise the burst limit\n\nFifty was too few." })));
  });
  const field = changes.page.getByRole("textbox", { name: "Commit message" });
  await changes.button("Suggest a message").click();
  await expect(field).toHaveValue("Raise the burst limit\n\nFifty was too few.");
  expect(model.requests).toHaveLength(1);

  // A hook says no: what it said is there, and nothing is lost.
  await changes.button("Commit everything").click();
  await expect(changes.page.getByRole("region", { name: "Commit" }).getByRole("alert")).toBeVisible();
  await expect(changes.page.getByRole("log", { name: "Output" })).toContainText("The limits need a test.");
  expect(git("log", "--format=%s", "-1")).toBe("Begin");
  write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n");
  await expect(changes.button("Commit everything")).not.toHaveAttribute("aria-disabled");
  await field.press("ControlOrMeta+Enter");
  await expect(field).toHaveValue("");
  await expect(changes.page.getByText("Nothing has changed", { exact: true })).toBeVisible();
  expect(git("log", "--format=%B", "-1").trim()).toBe("Raise the burst limit\n\nFifty was too few.");
  expect(git("status", "--porcelain")).toBe("");

  await pushUnderAttack(changes, sandbox.workspace, remote, git);
  await changes.button(/^Push$/).click();
  await expect(changes.page.getByText("Pushed to origin/fix/limit")).toBeVisible();
  const pushed = execFileSync("git", ["--git-dir", remote, "rev-parse", "fix/limit"], { encoding: "utf8" });
  expect(pushed.trim()).toBe(git("rev-parse", "HEAD"));

  // From elsewhere both are found by their words, and lead to this page.
  const { keyboard } = changes.page;
  for (const words of ["push", "pull request"]) {
    await keyboard.press("ControlOrMeta+l");
    await expect(changes.page).not.toHaveTitle(/Changes - Holdfast$/);
    await keyboard.press("ControlOrMeta+k");
    await keyboard.type(words);
    await keyboard.press("Enter");
    await expect(changes.page).toHaveTitle(/Changes - Holdfast$/);
  }
  await expect(changes.page.getByText("origin/fix/limit has everything already.")).toBeVisible();
  const dialog = changes.page.getByRole("dialog", { name: "Pull request" });
  await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue("Raise the burst limit");
  await expect(dialog.getByRole("textbox", { name: "Description" })).toHaveValue("Fifty was too few.");
  await dialog.getByRole("textbox", { name: "Description" }).pressSequentially("!");
  await keyboard.press("Escape");
  const discard = changes.page.getByRole("alertdialog", { name: /^Discard what/ });
  await expect(discard.getByRole("button", { name: "Cancel" })).toBeFocused();
  await keyboard.press("Escape");
  await expect(discard).toBeHidden();
  await expect(dialog.getByRole("textbox", { name: "Description" })).toBeFocused();
  await keyboard.press("Backspace");
  await dialog.getByRole("button", { name: "Open pull request" }).click();
  await expect(changes.page.getByText("Pull request opened")).toBeVisible();
  expect(gh.created()).toEqual([
    "--title=Raise the burst limit",
    "--head=fix/limit",
    "--base=main",
    "Fifty was too few.",
  ]);

  // Asked for again, there is one; the link is the browser's.
  await holdfast.app.evaluate(({ shell }) => {
    shell.openExternal = async (url) => {
      Object.assign(globalThis, { opened: url });
    };
  });
  await changes.button("Pull request…").click();
  await dialog.getByRole("button", { name: "Open it in the browser" }).click();
  await expect
    .poll(() => holdfast.app.evaluate(() => (globalThis as { opened?: string }).opened))
    .toBe("https://github.example/ada/atlas/pull/7");
});

/** A remote that wants a password, a hook that does not end, and a remote that goes away in the middle: each ends, and is said. */
async function pushUnderAttack(
  changes: ChangesPage,
  workspace: string,
  remote: string,
  git: Repository["git"],
): Promise<void> {
  const notice = changes.page.getByRole("alert").filter({ hasText: /remote|push/ });
  const server = createServer((_request, response) => {
    response.writeHead(401, { "WWW-Authenticate": 'Basic realm="atlas"' }).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  git("remote", "set-url", "origin", `http://127.0.0.1:${port}/atlas.git`);
  await changes.button(/^Push$/).click();
  await expect(notice).toContainText("does not let git in without asking you something");
  await expect(notice).toContainText("Push once in a terminal");
  await new Promise((done) => server.close(done));
  git("remote", "set-url", "origin", remote);

  const hook = path.join(workspace, ".git/hooks/pre-push");
  const waits = `sleep 4005.${process.pid}`;
  writeFileSync(hook, `#!/bin/sh\necho 'The hook waits.' >&2\n${waits} & wait\n`, { mode: 0o755 });
  await changes.button(/^Push$/).click();
  await expect(changes.page.getByRole("log", { name: "Output" })).toContainText("The hook waits.");
  await changes.button("Stop the push").click();
  await expect(changes.button("Stop the push")).toHaveCount(0);
  await expect(changes.button(/^Push$/)).not.toHaveAttribute("aria-busy", "true");
  expect(commandsWith(waits, listProcesses())).toEqual([]);
  expect(readdirSync(path.join(remote, "refs", "heads"))).toEqual(["main"]);

  writeFileSync(hook, `#!/bin/sh\ncp -r '${remote}' '${remote}.kept' && rm -r '${remote}'\n`, {
    mode: 0o755,
  });
  await changes.button(/^Push$/).click();
  await expect(notice).toContainText("The push did not go through.");
  await expect(changes.page.getByRole("log", { name: "Output" })).not.toBeEmpty();
  renameSync(`${remote}.kept`, remote);
  rmSync(hook);
}

/** A `gh` that is signed in and knows of the pull request that it was asked to open. */
function fakeGh(home: string): { created(): string[] } {
  const folder = path.join(home, ".local", "bin");
  const record = path.join(home, "created");
  mkdirSync(folder, { recursive: true });
  // As far as a login shell is asked, it comes before one of this machine.
  writeFileSync(path.join(home, ".profile"), `PATH="${folder}:$PATH"\nexport PATH\n`);
  const url = "https://github.example/ada/atlas/pull/7";
  const script = [
    "#!/bin/sh",
    'case "$1 $2" in',
    `"pr create") shift 2; for each in "$@"; do case "$each" in --title=*|--head=*|--base=*) echo "$each" >> '${record}';; esac; done; cat >> '${record}'; echo '${url}';;`,
    `"pr list") if [ -f '${record}' ]; then echo '[{"url":"${url}","number":7,"title":"Raise the burst limit"}]'; else echo '[]'; fi;;`,
    '"repo view") echo main;;',
    "*) exit 0;;",
    "esac",
    "",
  ].join("\n");
  writeFileSync(path.join(folder, "gh"), script, { mode: 0o755 });
  return { created: () => readFileSync(record, "utf8").trim().split("\n") };
}

test("comments on lines survive a kill and are sent once, as one message", async ({
  sandbox,
  codexHome,
  model,
  repository: { write },
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await first.newThread();
  write("src/bucket.txt", lines({ 3: "line three", 4: "line four", 20: "line twenty" }));
  const before = new ChangesPage(first.page);
  await before.open();
  await before.file(/^src\/bucket\.txt/).click();
  const grid = before.grid("src/bucket.txt");
  await expect(grid.getByRole("row", { name: "added, line 4: line four" })).toBeVisible();
  await grid.focus();
  await before.page.keyboard.press("j");
  await before.page.keyboard.press("ArrowDown");
  await before.page.keyboard.press("ArrowDown");
  await before.page.keyboard.press("Shift+ArrowDown");
  await before.page.keyboard.press("c");
  await before.page
    .getByRole("textbox", { name: "Comment on src/bucket.txt, lines 3–4" })
    .fill("Why in words?");
  await before.page.keyboard.press("Escape");
  await expect(grid).toBeFocused();
  await before.page.keyboard.press("j");
  await before.page.keyboard.press("ArrowDown");
  await before.page.keyboard.press("c");
  await expect(
    before.page.getByRole("textbox", { name: "Comment on src/bucket.txt, line 20" }),
  ).toBeFocused();
  await before.page.keyboard.type("This one was right");
  await expect.poll(() => sandbox.ledger.reviewComments()).toEqual(["Why in words?", "This one was right"]);

  // With the mouse, too, the keyboard goes on from the line that was commented on, whatever becomes of the comment.
  const goesOnFrom = async (line: string) => {
    await expect(grid).toBeFocused();
    await expect(grid).toHaveAttribute("aria-activedescendant", /./);
    const id = (await grid.getAttribute("aria-activedescendant")) ?? "";
    await expect(before.page.locator(`[id="${id}"]`)).toHaveAccessibleName(line);
  };
  await grid.getByRole("row", { name: "line 22: line 22" }).hover();
  await before.button("Comment on line 22").click();
  await before.page.keyboard.type("Gone soon");
  await before.page.keyboard.press("ControlOrMeta+Enter");
  await goesOnFrom("line 22: line 22");
  const passing = grid.getByRole("group", { name: "Comment on src/bucket.txt, line 22" });
  await before.page.keyboard.press("Home");
  await passing.getByRole("button", { name: "Edit the comment" }).click();
  await before.page.keyboard.press("Escape");
  await goesOnFrom("line 22: line 22");
  await before.page.keyboard.press("Home");
  await passing.getByRole("button", { name: "Delete the comment" }).click();
  await expect(passing).toHaveCount(0);
  await goesOnFrom("line 22: line 22");
  await grid.getByRole("row", { name: "line 18: line 18" }).hover();
  await before.button("Comment on line 18").click();
  await before.page.keyboard.press("Escape");
  await goesOnFrom("line 18: line 18");
  await expect.poll(() => sandbox.ledger.reviewComments()).toEqual(["Why in words?", "This one was right"]);

  await sandbox.kill(first);
  // What the second one was about is another line now.
  write("src/bucket.txt", `above\n${lines({ 3: "line three", 4: "line four", 20: "line XX" })}`);
  const second = await sandbox.launch({ environment });
  const after = new ChangesPage(second.page);
  await expect(after.page.getByRole("heading", { name: "Changes", exact: true })).toBeVisible();
  const shown = after.grid("src/bucket.txt");
  await expect(
    shown.getByRole("group", { name: /^Comment on src\/bucket\.txt, lines 4–5, its lines have moved/ }),
  ).toContainText("Why in words?");
  await expect(
    shown.getByRole("group", { name: /^Comment on src\/bucket\.txt, line 20.*outdated/ }),
  ).toContainText("This one was right");

  const asked = model.requests.length;
  model.queue(reply(message("I see both.")));
  await after.button("Send comments").click();
  await expect(after.page.getByText(/comments? to send/)).toHaveCount(0);
  const request = await model.request(asked);
  expect(request.lastUserText).toContain("I have 2 comments on the changes.");
  expect(request.lastUserText).toContain(
    "1. `src/bucket.txt`, lines 3-4:\n\n```\nline three\nline four\n```\n\nWhy in words?",
  );
  expect(request.lastUserText).toContain("This one was right");
  await after.button(/^Back to/).click();
  await expect(second.conversation).toContainText("I see both.");
  // In the conversation they are drawn as what they are, without the marks that the agent gets.
  const sent = second.article("You").getByRole("group", { name: "Comment on src/bucket.txt, lines 3–4" });
  await expect(sent).toHaveText("src/bucket.txtlines 3–4line three\nline fourWhy in words?");
  await expect(second.article("You")).not.toContainText("```");
  await second.page.screenshot({ path: test.info().outputPath("sent-light.png") });
  await second.page.emulateMedia({ colorScheme: "dark" });
  await second.page.screenshot({ path: test.info().outputPath("sent-dark.png") });
  expect(model.requests).toHaveLength(asked + 1);
  expect(sandbox.ledger.reviewComments()).toEqual([]);
});
