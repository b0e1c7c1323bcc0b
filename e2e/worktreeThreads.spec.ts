// Threads in worktrees of their own, from Send to the merge, with the real codex and real git.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { test as base, expect, type Holdfast } from "./support/app";
import { type ModelServer, message, reply, shell } from "./support/modelServer";
import { isAlive } from "./support/processes";

const test = base.extend<{ git: (...args: string[]) => string }>({
  git: [
    async ({ sandbox }, use) => {
      const config = "[user]\n\tname = Ada\n\temail = ada@example.org\n";
      writeFileSync(path.join(sandbox.root, "user", ".gitconfig"), config);
      const env = { ...process.env, HOME: path.join(sandbox.root, "user") };
      const git = (...args: string[]) =>
        execFileSync("git", ["-C", sandbox.workspace, ...args], { encoding: "utf8", env }).trim();
      writeFileSync(path.join(sandbox.workspace, ".gitignore"), ".env\n");
      git("add", "--all");
      git("commit", "--quiet", "--message", "Begin");
      await use(git);
    },
    { auto: true },
  ],
});

async function choose(holdfast: Holdfast, workspace: RegExp, item: string | RegExp): Promise<void> {
  await holdfast.thread(workspace).click({ button: "right" });
  await holdfast.page.getByRole("menuitem", { name: item }).click();
}

async function chooseWorktree({ page }: Holdfast): Promise<void> {
  await page.getByRole("button", { name: "Where: This folder" }).click();
  await page.getByRole("menuitemradio", { name: /^New worktree/ }).click();
}

/** How often the model was told these words. */
function told({ requests }: ModelServer, words: string): number {
  const entries = requests.at(-1)?.entries ?? [];
  return entries.filter((entry) => entry.type === "user" && entry.text.includes(words)).length;
}

test("a thread begins in a worktree; killed in the middle of its set-up, its message is delivered once, with what was typed meanwhile kept", async ({
  holdfast,
  sandbox,
  codexHome,
  model,
  git,
}) => {
  const { page } = holdfast;
  const pidFile = path.join(sandbox.temporary, "pid");
  execFileSync("mkfifo", [pidFile]);
  writeFileSync(path.join(sandbox.workspace, ".env"), "KEY=1\n");
  await expect(holdfast.thread(/^atlas, branch main/)).toBeVisible();

  await choose(holdfast, /^atlas, branch main/, "Worktree set-up…");
  const setup = page.getByRole("dialog", { name: "Worktree set-up of atlas" });
  const script = `printf '\\033[32mInstalling\\033[0m in %s\\n' "$PWD"; echo run >> ran.txt; cat .env; sleep 600 & echo $! > '${pidFile}'; wait`;
  await setup.getByRole("textbox", { name: "Script" }).fill(script);
  await setup.getByRole("textbox", { name: "Copy ignored files" }).fill("../outside");
  await setup.getByRole("button", { name: "Save" }).click();
  await expect(setup.getByRole("alert")).toContainText("cannot be copied into worktrees");
  await setup.getByRole("textbox", { name: "Copy ignored files" }).fill(".env");
  await page.screenshot({ path: test.info().outputPath("setup.png") });
  // Escape throws nothing away that was written: it asks, and a second one goes back to it.
  const discard = page.getByRole("alertdialog", { name: "Discard what you have written?" });
  await page.keyboard.press("Escape");
  await expect(discard).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(discard).toBeHidden();
  await expect(setup.getByRole("textbox", { name: "Script" })).toHaveValue(script);
  await expect(setup.getByRole("textbox", { name: "Copy ignored files" })).toBeFocused();
  await setup.getByRole("button", { name: "Close" }).click();
  await discard.getByRole("button", { name: "Cancel" }).click();
  await expect(setup.getByRole("textbox", { name: "Script" })).toHaveValue(script);
  await setup.getByRole("button", { name: "Save" }).click();
  await expect(setup).toBeHidden();
  await choose(holdfast, /^atlas, branch main/, "Worktree set-up…");
  await setup.getByRole("textbox", { name: "Script" }).fill("unwanted");
  await page.keyboard.press("Escape");
  await discard.getByRole("button", { name: "Discard" }).click();
  await expect(setup).toBeHidden();
  await choose(holdfast, /^atlas, branch main/, "Worktree set-up…");
  await expect(setup.getByRole("textbox", { name: "Script" })).toHaveValue(script);
  await page.keyboard.press("Escape");
  await expect(setup).toBeHidden();

  // The set-up is for each new worktree, also for one that is only asked for.
  await choose(holdfast, /^atlas, branch main/, "New worktree…");
  const making = page.getByRole("dialog", { name: "New worktree of atlas" });
  await making.getByRole("textbox", { name: "Name" }).fill("empty");
  await making.getByRole("button", { name: "Make worktree" }).click();
  const begun = page.getByRole("region", { name: "Beginning in a worktree" });
  await expect(begun.getByRole("group", { name: "Output of the set-up" })).toContainText("Installing in");
  const first = Number(await readFile(pidFile, "utf8"));
  await expect(begun).not.toContainText("message");
  await holdfast.message.fill("typed while it was set up");
  await page.screenshot({ path: test.info().outputPath("empty-setting-up.png") });
  await page.getByRole("button", { name: "Use it as it is" }).click();
  await expect(begun).toBeHidden();
  await expect.poll(() => isAlive(first)).toBe(false);
  await expect(holdfast.message).toHaveValue("typed while it was set up");
  await expect(holdfast.thread(/^empty, worktree of atlas/)).toBeVisible();
  await holdfast.message.fill("");

  await choose(holdfast, /^atlas, branch main/, "New thread here");
  await chooseWorktree(holdfast);
  await holdfast.message.fill("Fix the burst of the limiter");
  await expect(page.getByRole("textbox", { name: "Branch" })).toHaveValue("fix-the-burst-of-the");
  await page.getByRole("textbox", { name: "Branch" }).fill("fix/burst");
  // A mistake is said before anything is made, and the message stays where it is.
  await page.getByRole("textbox", { name: "Begin at" }).fill("nowhere");
  await page.screenshot({ path: test.info().outputPath("where.png") });
  await holdfast.button("Send").click();
  await expect(page.getByRole("alert")).toContainText("no branch, tag or commit “nowhere”");
  await expect(holdfast.message).toHaveValue("Fix the burst of the limiter");
  await page.getByRole("textbox", { name: "Begin at" }).fill("");
  await holdfast.button("Send").click();

  const start = page.getByRole("region", { name: "Beginning in a worktree" });
  const output = start.getByRole("group", { name: "Output of the set-up" });
  await expect(output).toContainText("Installing in");
  const pid = Number(await readFile(pidFile, "utf8"));
  await expect(output).toContainText(".env: copied");
  await expect(output).toContainText("KEY=1");
  await expect(start.getByRole("article", { name: "You" })).toHaveText("Fix the burst of the limiter");
  await expect(holdfast.thread(/^Fix the burst of the limiter, setting up/)).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await holdfast.message.fill("typed meanwhile\n\tand more");
  await page.screenshot({ path: test.info().outputPath("setting-up.png") });
  await holdfast.thread(/^fix\/burst, worktree of atlas/).click({ trial: true });
  await holdfast.message.blur();
  await expect.poll(() => sandbox.ledger.drafts()).toContain("typed meanwhile\n\tand more");
  expect(model.requests).toHaveLength(0);
  await sandbox.kill(holdfast);

  const again = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  const notice = again.page.getByRole("status").filter({ hasText: "cut off when Holdfast went away" });
  await expect(notice).toBeVisible();
  await expect.poll(() => isAlive(pid)).toBe(false);
  await expect(again.message).toHaveValue("typed meanwhile\n\tand more");
  await again.page.emulateMedia({ colorScheme: "dark" });
  await again.page.screenshot({ path: test.info().outputPath("cut-off.png") });
  await expect(again.page.getByRole("group", { name: "Output of the set-up" })).toContainText("KEY=1");
  const folder = git("worktree", "list", "--porcelain").match(/worktree (.*\/fix-burst)$/m)?.[1] ?? "none";
  expect(readFileSync(path.join(folder, "ran.txt"), "utf8")).toBe("run\n");

  // Run again at the person's word, and stopped.
  await notice.getByRole("button", { name: "Run the set-up again" }).click();
  const second = Number(await readFile(pidFile, "utf8"));
  await again.page.getByRole("button", { name: "Stop the set-up" }).click();
  await expect(again.page.getByRole("status").filter({ hasText: "You stopped the set-up" })).toBeVisible();
  await expect.poll(() => isAlive(second)).toBe(false);

  model.queue(reply(shell("pwd; git branch --show-current; cat .env")), reply(message("Done.")));
  await again.page.getByRole("button", { name: "Start the thread anyway" }).click();
  await expect(again.article("Agent")).toContainText("Done.");
  await expect(again.article("You")).toHaveCount(1);
  await expect(again.article("You")).toContainText("Fix the burst of the limiter");
  await expect(again.message).toHaveValue("typed meanwhile\n\tand more");
  await expect(again.thread(/^Fix the burst of the limiter, idle/)).toBeVisible();
  expect(told(model, "Fix the burst of the limiter")).toBe(1);
  expect(JSON.stringify(model.requests.at(-1))).toContain(folder);
  expect(git("status", "--porcelain")).toBe("");
  await again.page.screenshot({ path: test.info().outputPath("begun.png") });

  // What the set-up has said can still be read when the thread has begun.
  await again.button("More about this thread").click();
  await again.page.getByRole("menuitem", { name: "Output of the worktree's set-up" }).click();
  const printed = again.page.getByRole("dialog", { name: "Set-up of the worktree fix/burst" });
  await expect(printed).toContainText(`Installing in ${folder}`);
  await expect(printed).toContainText("[stopped]");
  await again.page.screenshot({ path: test.info().outputPath("set-up-output.png") });
  expect(sandbox.ledger.openCleanups()).toEqual([]);
});

test("a worktree is merged back; with conflicts nothing changes; one whose folder has gone is made again", async ({
  holdfast,
  sandbox,
  model,
  git,
}) => {
  const { page } = holdfast;
  await expect(holdfast.thread(/^atlas, branch main/)).toBeVisible();
  await holdfast.newThread();
  await chooseWorktree(holdfast);
  model.queue(reply(shell("echo changed > limits.txt; echo new > made.txt")), reply(message("Done.")));
  await holdfast.send("Raise the limits");
  await expect(holdfast.article("Agent")).toContainText("Done.");
  const row = /^raise-the-limits, worktree of atlas/;
  await expect(holdfast.thread(row)).toBeVisible();
  const folder =
    git("worktree", "list", "--porcelain").match(/worktree (.*\/raise-the-limits)$/m)?.[1] ?? "none";

  // Both have changed the same file.
  await writeFile(path.join(sandbox.workspace, "limits.txt"), "burst = 99\n");
  git("commit", "--quiet", "--all", "--message", "Other");
  await writeFile(path.join(sandbox.workspace, "README.md"), "not committed\n");
  const before = [git("rev-parse", "HEAD"), git("status", "--porcelain=v2", "--branch")];
  await choose(holdfast, row, "Merge into main…");
  const merging = page.getByRole("dialog", { name: "Merge raise-the-limits into main" });
  await expect(merging.getByRole("region", { name: "2 files not committed in the worktree" })).toContainText(
    "made.txt",
  );
  await expect(merging.getByRole("button", { name: "Merge" })).toHaveAttribute("aria-disabled", "true");
  await merging.getByRole("switch", { name: "Commit them first" }).click();
  await merging.getByRole("textbox", { name: "Commit message" }).fill("Raise the limits");
  await page.screenshot({ path: test.info().outputPath("merge.png") });
  await merging.getByRole("button", { name: "Merge" }).click();
  await expect(merging.getByRole("alert")).toContainText(
    "It conflicts with “main” in limits.txt. Nothing was merged.",
  );
  await expect(merging.getByRole("alert")).toContainText(
    /The 2 files that were not committed are commit [0-9a-f]{7} on “raise-the-limits” now; that stays\./,
  );
  await expect(merging.getByRole("button", { name: "Open the main workspace" })).toBeVisible();
  await expect(merging.getByRole("region", { name: "1 commit to merge" })).toContainText("Raise the limits");
  await page.screenshot({ path: test.info().outputPath("conflict.png") });
  expect([git("rev-parse", "HEAD"), git("status", "--porcelain=v2", "--branch")]).toEqual(before);
  expect(existsSync(path.join(sandbox.workspace, ".git", "MERGE_HEAD"))).toBe(false);

  // Solved in the worktree, as the hint says.
  const inWorktree = (...args: string[]) => git("-C", folder, ...args);
  inWorktree("merge", "--quiet", "--strategy-option", "ours", "--no-edit", "main");
  await merging.getByRole("button", { name: "Merge" }).click();
  await expect(merging.getByRole("status")).toContainText("merged into main.");
  expect(git("show", "HEAD:limits.txt")).toBe("changed");
  expect(readFileSync(path.join(sandbox.workspace, "made.txt"), "utf8")).toBe("new\n");
  expect(readFileSync(path.join(sandbox.workspace, "README.md"), "utf8")).toBe("not committed\n");
  await merging.getByRole("button", { name: "Keep it" }).click();
  await expect(holdfast.thread(row)).toBeVisible();

  // Its folder goes away between two turns: codex is not let loose in an empty one, and the branch brings it back.
  execFileSync("rm", ["-rf", folder]);
  await holdfast.send("Go on");
  const undelivered = page.getByRole("alert").filter({ hasText: "is not there" });
  await expect(undelivered.first()).toBeVisible();
  await choose(holdfast, row, "Recreate from branch");
  await expect.poll(() => existsSync(path.join(folder, "made.txt"))).toBe(true);
  await expect(
    holdfast.thread(/^raise-the-limits, worktree of atlas, branch raise-the-limits$/),
  ).toBeVisible();
  expect(sandbox.ledger.openCleanups()).toEqual([]);
});

test("a worktree whose folder goes away before its thread has begun is made again, and the message in view is delivered once", async ({
  holdfast,
  sandbox,
  model,
  git,
}) => {
  const { page } = holdfast;
  await expect(holdfast.thread(/^atlas, branch main/)).toBeVisible();
  await choose(holdfast, /^atlas, branch main/, "Worktree set-up…");
  const setup = page.getByRole("dialog", { name: "Worktree set-up of atlas" });
  await setup.getByRole("textbox", { name: "Script" }).fill("exit 8");
  await setup.getByRole("button", { name: "Save" }).click();

  // Where it fails its script can be mended; whoever takes the message back is told of the worktree, and may remove it.
  await holdfast.newThread();
  // Wanted once by its own command, a worktree is not what the next thread begins with.
  await page.keyboard.press("ControlOrMeta+Alt+W");
  await expect(page.getByRole("button", { name: "Where: New worktree" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+N");
  await chooseWorktree(holdfast);
  await holdfast.message.fill("Lower the limits");
  await holdfast.button("Send").click();
  await expect(page.getByRole("status").filter({ hasText: "exit code 8" })).toBeVisible();
  // Whatever is opened beside it belongs to the worktree.
  const beside = page.getByRole("button", { name: /^New thread/ }).and(page.locator("[title]"));
  await expect(beside).toHaveAttribute("title", /\/lower-the-limits$/);
  await holdfast.button("Edit set-up script…").click();
  await expect(setup.getByRole("textbox", { name: "Script" })).toHaveValue("exit 8");
  await setup.getByRole("textbox", { name: "Script" }).fill("exit 7");
  await setup.getByRole("button", { name: "Save" }).click();
  await holdfast.button("Take the message back").click();
  const left = page.getByRole("status").filter({ hasText: "The worktree lower-the-limits stays" });
  await page.screenshot({ path: test.info().outputPath("taken-back.png") });
  await left.getByRole("button", { name: "Remove worktree…" }).click();
  const removing = page.getByRole("dialog", { name: "Remove the worktree “lower-the-limits”?" });
  await removing.getByRole("button", { name: "Remove worktree" }).click();
  await expect(holdfast.thread(/^lower-the-limits, worktree/)).toBeHidden();
  await expect(holdfast.message).toHaveValue("Lower the limits");
  await holdfast.message.fill("Raise the limits");
  await holdfast.button("Send").dblclick();
  await expect(page.getByRole("status").filter({ hasText: "exit code 7" })).toBeVisible();
  const folder =
    git("worktree", "list", "--porcelain").match(/worktree (.*\/raise-the-limits)$/m)?.[1] ?? "none";
  execFileSync("rm", ["-r", folder]);
  await holdfast.button("Run the set-up again").click();
  await expect(page.getByRole("status").filter({ hasText: "is not there any more" })).toBeVisible();
  await page.screenshot({ path: test.info().outputPath("gone.png") });

  await holdfast.button("Start the thread anyway").click();
  await expect(holdfast.article("You")).toContainText("Raise the limits");
  await expect(holdfast.article("You")).toContainText("Not delivered");
  await page.screenshot({ path: test.info().outputPath("undelivered.png") });
  await page.locator("main").getByRole("button", { name: "Recreate from branch" }).click();
  await expect.poll(() => existsSync(path.join(folder, "limits.txt"))).toBe(true);
  // The thread stays in view.
  model.queue(reply(message("Done.")));
  await holdfast.button("Send again").click();
  await expect(holdfast.article("Agent")).toContainText("Done.");
  await expect(holdfast.article("You")).toHaveCount(1);
  expect([model.requests.length, told(model, "Raise the limits")]).toEqual([1, 1]);
  expect(sandbox.ledger.openCleanups()).toEqual([]);
});
