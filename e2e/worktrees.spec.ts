// A worktree from the window: made, worked in by the real codex, and removed without losing what is in it.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test as base, expect, type Holdfast } from "./support/app";
import { message, reply, shell } from "./support/modelServer";
import { expectKeyboardInMenu } from "./support/openMenu";

const test = base.extend<{ git: (...args: string[]) => string }>({
  git: [
    async ({ sandbox }, use) => {
      const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
      const git = (...args: string[]) =>
        execFileSync("git", ["-C", sandbox.workspace, ...identity, ...args], { encoding: "utf8" }).trim();
      git("add", "--all");
      git("commit", "--quiet", "--message", "Begin");
      await use(git);
    },
    { auto: true },
  ],
});

async function chooseFor(holdfast: Holdfast, workspace: RegExp, item: string): Promise<void> {
  await holdfast.thread(workspace).click({ button: "right" });
  await holdfast.page.getByRole("menuitem", { name: item }).click();
}

test("a worktree is made, worked in, and removed with a snapshot of what was in it", async ({
  holdfast,
  sandbox,
  codexHome,
  model,
  git,
}) => {
  const { page } = holdfast;
  const begin = git("rev-parse", "HEAD");

  await chooseFor(holdfast, /^atlas, branch main/, "New worktree…");
  const making = page.getByRole("dialog", { name: "New worktree of atlas" });
  await making.getByRole("textbox", { name: "Name" }).fill("main");
  await making.getByRole("button", { name: "Make worktree" }).click();
  await expect(making.getByRole("alert")).toContainText("There is a branch “main” already.");
  await making.getByRole("textbox", { name: "Begin at" }).fill("nowhere");
  await making.getByRole("textbox", { name: "Name" }).fill("fix/limiter burst");
  await making.getByRole("textbox", { name: "Name" }).press("Enter");
  await expect(making.getByRole("alert")).toContainText("no branch, tag or commit “nowhere”");
  await page.screenshot({ path: test.info().outputPath("new-worktree.png") });
  await making.getByRole("textbox", { name: "Begin at" }).fill("");
  await making.getByRole("textbox", { name: "Begin at" }).press("Enter");
  await expect(making).toBeHidden();

  const row = /^fix\/limiter-burst, worktree of atlas, branch fix\/limiter-burst/;
  await expect(holdfast.thread(row)).toBeVisible();
  await expect(holdfast.message).toBeFocused();
  const [folder] = git("worktree", "list", "--porcelain")
    .split("\n")
    .flatMap((line) => (line.startsWith("worktree ") ? [line.slice("worktree ".length)] : []))
    .slice(1);
  if (folder === undefined) throw new Error("git lists no worktree");
  expect(path.dirname(path.dirname(folder))).toBe(path.join(sandbox.home, "worktrees"));

  // The real codex works there, in its sandbox, and only there.
  model.queue(
    reply(shell("echo new > made.txt; echo more >> limits.txt; git status --short")),
    reply(message("Done.")),
  );
  await holdfast.send("Change something.");
  await expect(holdfast.article("Agent")).toContainText("Done.");
  await expect(holdfast.thread(/^Change something\., idle/)).toBeVisible();
  expect(readFileSync(path.join(folder, "made.txt"), "utf8")).toBe("new\n");
  expect(git("status", "--porcelain")).toBe("");
  await page.screenshot({ path: test.info().outputPath("in-the-worktree.png") });

  // The name of a workspace chooses it: what is new goes there, and the button says so. What is folded is folded as a whole.
  await holdfast.workspace("atlas").click();
  await expect(holdfast.workspace("atlas")).toHaveAttribute("aria-selected", "true");
  await expect(holdfast.workspace("atlas")).toHaveAttribute("aria-expanded", "true");
  await expect(holdfast.button("New thread")).toHaveAccessibleDescription("in atlas");
  await holdfast.button("Fold atlas").click();
  await expect(holdfast.thread(row)).toHaveCount(0);
  await expect(holdfast.thread(/^Change something\./)).toHaveCount(0);
  const tree = page.getByRole("tree", { name: "Threads" });
  await tree.press("ArrowRight");
  await expect(holdfast.thread(row)).toBeVisible();
  await tree.press("ArrowLeft");
  await expect(holdfast.thread(row)).toHaveCount(0);
  await tree.press("Enter");
  await holdfast.thread(row).click();
  await expect(holdfast.button("New thread")).toHaveAccessibleDescription("in fix/limiter-burst");
  await holdfast.thread(/^Change something\./).click();

  // While a turn runs there, it is not touched.
  model.queue(reply([model.hold("end")], message("Done again.")));
  await holdfast.send("Again.");
  await expect(holdfast.thread(/^Change something\., running/)).toBeVisible();
  await chooseFor(holdfast, row, "Remove worktree…");
  const removing = page.getByRole("dialog", { name: "Remove the worktree “fix/limiter-burst”?" });
  await expect(removing.getByRole("region", { name: "1 changed file" })).toContainText("limits.txt");
  await expect(removing.getByRole("region", { name: "1 untracked file" })).toContainText("made.txt");
  await expect(removing).toContainText("Its branch fix/limiter-burst stays.");
  await expect(removing).toContainText(/Its thread goes off the list with it\. codex keeps what was said/);
  await removing.getByRole("button", { name: "Discard and remove" }).click();
  await expect(removing.getByRole("alert")).toContainText(
    "At work in this worktree: the thread “Change something.”.",
  );
  await page.screenshot({ path: test.info().outputPath("remove-worktree.png") });
  await removing.getByRole("button", { name: "Cancel" }).click();
  model.gate("end").release();
  await expect(holdfast.thread(/^Change something\., idle/)).toBeVisible();
  expect(existsSync(folder)).toBe(true);

  await chooseFor(holdfast, row, "Remove worktree…");
  await removing.getByRole("button", { name: "Discard and remove" }).click();
  await expect(removing).toBeHidden();
  await expect(holdfast.thread(row)).toBeHidden();
  const notice = page.getByRole("status").filter({ hasText: "What was in it is kept as" });
  await expect(notice).toBeVisible();
  await page.screenshot({ path: test.info().outputPath("removed.png") });
  const told = await notice.textContent();
  const snapshot = /refs\/holdfast\/removed\/fix-limiter-burst-\d{8}-\d{6}/.exec(told ?? "")?.[0] ?? "none";
  expect(git("show", `${snapshot}:made.txt`)).toBe("new");
  expect(git("show", `${snapshot}:limits.txt`)).toBe("burst = 50\nmore");
  expect(git("rev-parse", "fix/limiter-burst")).toBe(begin);
  expect(existsSync(folder)).toBe(false);
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
  expect(readdirSync(path.join(sandbox.home, "worktrees"))).toEqual([]);
  expect(sandbox.ledger.openCleanups()).toEqual([]);
  // codex trusts the repository, not each worktree: its configuration keeps nothing of this one.
  expect(readFileSync(path.join(codexHome.path, "config.toml"), "utf8")).not.toContain(folder);
  // Its codex has ended, the main checkout's is still there to work with.
  const places = () =>
    sandbox.ledger.notGone().map(({ workspaceId }) => sandbox.ledger.pathOfWorkspace(workspaceId));
  await expect.poll(places).not.toContain(folder);
});

test("a dialog that a menu has opened keeps the keyboard, which comes back to the list", async ({
  holdfast,
}) => {
  const { page } = holdfast;
  const workspace = holdfast.thread(/^atlas, branch main/);
  const tree = page.getByRole("tree", { name: "Threads" });
  await expect(workspace).toBeVisible();
  await tree.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+F10");
  const item = page.getByRole("menuitem", { name: "New worktree…" });
  await expect(item).toBeVisible();
  await expectKeyboardInMenu(page);
  await page.keyboard.type("New w");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New worktree of atlas" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect(name).toBeFocused();
  // Until nothing of the menu is left, and a moment more.
  await expect(item).toHaveCount(0);
  await page.keyboard.type("typed at once");
  await expect(name).toHaveValue("typed at once");
  await expect(name).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(tree).toBeFocused();

  await workspace.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Remove from list…" }).click();
  const cancel = page.getByRole("alertdialog").getByRole("button", { name: "Cancel" });
  await expect(cancel).toBeFocused();
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(cancel).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(cancel).toHaveCount(0);
  await expect(tree).toBeFocused();
  await expect(workspace).toBeVisible();

  // Closed without a choice, it gives the keyboard back itself.
  await page.keyboard.press("Shift+F10");
  await expectKeyboardInMenu(page);
  await page.keyboard.press("Escape");
  await expect(item).toHaveCount(0);
  await expect(tree).toBeFocused();
});

test("a worktree is still there after Holdfast was killed, and a clean one is removed at once", async ({
  holdfast,
  sandbox,
  codexHome,
  git,
}) => {
  const { page } = holdfast;
  await expect(holdfast.thread(/^atlas, branch main/)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
  await page.keyboard.type("New worktree");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.keyboard.type("spare");
  await page.keyboard.press("Enter");
  await expect(holdfast.thread(/^spare, worktree of atlas/)).toBeVisible();
  await sandbox.kill(holdfast);

  const again = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  const row = again.thread(/^spare, worktree of atlas/);
  await expect(row).toBeVisible();
  await chooseFor(again, /^spare, worktree of atlas/, "Remove worktree…");
  const removing = again.page.getByRole("dialog", { name: "Remove the worktree “spare”?" });
  await expect(removing).toContainText("Nothing in it would be lost.");
  await again.page.screenshot({ path: test.info().outputPath("clean.png") });
  await removing.getByRole("button", { name: "Remove worktree" }).click();
  await expect(removing).toBeHidden();
  await expect(row).toBeHidden();
  expect(git("branch", "--list", "spare")).toContain("spare");
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
});
