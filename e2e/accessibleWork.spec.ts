// What a developer has in front of them all day, filled as it is then, looked at by axe in both themes: one Holdfast, in a
// repository with changes, that is walked through.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { agentsV2, scriptTeam, spawn, whenAnswered } from "./support/agentTeam";
import { expect, type Holdfast, test } from "./support/app";
import { expectAccessible } from "./support/axe";
import { CellsPage } from "./support/cellsPage";
import { ChangesPage } from "./support/changesPage";
import { placeChip, runsOn } from "./support/environments";
import { EnvironmentsPage } from "./support/environmentsPage";
import { FollowUpsTab } from "./support/followUps";
import { expectUsableLarge } from "./support/large";
import { type ModelServer, message, partOf, reply, streamed } from "./support/modelServer";
import { expectKeyboardSeen, expectStill } from "./support/seenAndStill";
import { openFirstTerminal, screenOf, terminalInput, terminalTabs } from "./support/terminals";

test.use({ codexHomeOptions: { extraLines: agentsV2 } });

/** With something staged, something not, a file that is new, one that is no text, and a worktree. */
function prepare(workspace: string): void {
  const git = (...args: string[]) => execFileSync("git", ["-C", workspace, ...args]);
  const write = (name: string, text: string | Buffer) => writeFileSync(path.join(workspace, name), text);
  const lines = Array.from({ length: 60 }, (_, at) => `export const limit${at + 1} = ${at + 1};\n`);
  write("limits.ts", lines.join(""));
  write("picture.png", Buffer.from([0, 1, 2]));
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
  git("remote", "add", "origin", path.join(workspace, "..", "tmp", "nowhere.git"));
  lines[5] = "export const burst = 200;\n";
  lines[40] = "export const refill = 40;\n";
  write("limits.ts", lines.join(""));
  write("limits.txt", "burst = 200\n");
  git("add", "limits.txt");
  write("notes.txt", "new\n");
  write("picture.png", Buffer.from([0, 1, 2, 3]));
}

test("axe finds nothing in what fills a working day", async ({ sandbox, codexHome, model }) => {
  test.setTimeout(420_000);
  prepare(sandbox.workspace);
  const holdfast = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  await expect(holdfast.thread(/^atlas, branch main/)).toBeVisible();
  await holdfast.page.emulateMedia({ reducedMotion: "reduce" });
  await lookAtFollowUps(holdfast, model);
  await lookAtFinding(holdfast);
  await lookAtChanges(holdfast);
  await lookAtTerminals(holdfast);
  await lookAtWorktrees(holdfast);
  await lookAtRuns(holdfast);
  await lookAtAgents(holdfast, model);
  await lookAtPlace(holdfast);
});

async function lookAtFollowUps(holdfast: Holdfast, model: ModelServer): Promise<void> {
  const { page } = holdfast;
  model.queue(
    reply(partOf("It is in `limits.ts:6`. "), [model.hold("follow-ups")], streamed("Now I am done.")),
  );
  await holdfast.newThread();
  await holdfast.send("Begin.");
  await expect(holdfast.conversation).toContainText("limits.ts");
  const followUps = new FollowUpsTab(holdfast);
  await followUps.queue("one", "two", "three");
  await followUps.open();
  await followUps.row("two").dblclick();
  await expect(followUps.editField).toBeVisible();
  await expectAccessible(page, "a follow-up that is edited");
  await expectStill(page, "while a turn runs");
  await expectUsableLarge(holdfast, "a follow-up that is edited");
  await page.keyboard.press("Escape");
  await holdfast.button("Stop").click();
  await expect(followUps.panel.getByRole("button", { name: "Continue" })).toBeVisible();
  await expectAccessible(page, "follow-ups that are held");
  model.gate("follow-ups").release();
}

async function lookAtFinding(holdfast: Holdfast): Promise<void> {
  const { page, conversation } = holdfast;
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await palette.getByRole("combobox").fill("limit");
  await expect(palette.getByRole("option", { name: /limits\.txt/ })).toBeVisible();
  await expectAccessible(page, "the palette with what it has found");
  await page.keyboard.press("Escape");

  await conversation.getByRole("link", { name: "limits.ts:6" }).click();
  await expect(page.getByRole("dialog").locator('[aria-current="location"]')).toHaveText(/burst/);
  await expectAccessible(page, "a file");
  await expectUsableLarge(holdfast, "a file");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

async function lookAtChanges(holdfast: Holdfast): Promise<void> {
  const { page } = holdfast;
  const changes = new ChangesPage(page);
  await changes.open();
  await changes.file(/^limits\.ts, modified/).click();
  const grid = changes.grid("limits.ts");
  await expect(grid.getByRole("row", { name: /added, line 6/ })).toBeVisible();
  await expectAccessible(page, "a difference");
  await grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: /^Comment on limits\.ts/ }).fill("Why 200?");
  await expectAccessible(page, "a comment that is written");
  await page.keyboard.press("Escape");
  await changes.button(/comment to send/).click();
  await expectAccessible(page, "comments to send");
  await changes.button("Show both versions side by side").click();
  await expectAccessible(page, "both versions side by side");
  await expectUsableLarge(holdfast, "both versions side by side");
  await changes.button("Show one version below the other").click();
  await expectKeyboardSeen(page, "changes", 32);

  await page.getByRole("textbox", { name: "Commit message" }).fill("Raise the limits");
  await page
    .getByRole("checkbox", { name: "Amend" })
    .or(page.getByRole("switch", { name: "Amend" }))
    .focus();
  await changes.button(/^List the files/).click();
  await expectAccessible(page, "a message for a commit, and the files in another order");
  await expectUsableLarge(holdfast, "a message for a commit, and the files in another order");
  await changes
    .button(/^Discard hunk/)
    .first()
    .click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessible(page, "the question before a discard");
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(changes.button("Undo")).toBeVisible();
  await expectAccessible(page, "what was discarded and can be undone");
  await changes.button("More about these changes").click();
  await expectAccessible(page, "a menu");
  await page.getByRole("menuitem", { name: "Discarded changes…" }).click();
  await expect(page.getByRole("button", { name: /^Bring back/ })).toBeVisible();
  await expectAccessible(page, "discarded changes");
  await page.keyboard.press("Escape");
  await changes.file(/^picture\.png/).click();
  await page.getByRole("radio", { name: "Branch" }).click();
  await expect(page.getByRole("combobox", { name: "Compared with" })).toBeVisible();
  await expectAccessible(page, "changes against a branch");
  await page.getByRole("radio", { name: "Working tree" }).click();

  // A push that goes nowhere.
  await changes.button("Push").click();
  await expect(
    changes.page.getByRole("log", { name: "Output" }).or(page.getByRole("alert")).first(),
  ).toBeVisible();
  await expectAccessible(page, "a push that was refused");
  await changes.button("Pull request…").click();
  const dialog = page.getByRole("dialog", { name: "Pull request" });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText(/…$/)).toHaveCount(0);
  await expectAccessible(page, "a pull request");
  await expectUsableLarge(holdfast, "a pull request");
  await page.keyboard.press("Escape");
  await changes.button(/^Back to/).click();
}

async function lookAtTerminals(holdfast: Holdfast): Promise<void> {
  const { page } = holdfast;
  await openFirstTerminal(holdfast);
  await page.keyboard.type("clear; printf '\\033[31mred\\033[0m and \\033[1;34mblue\\033[0m\\n'; ls -la\n");
  await expect(screenOf(page)).toContainText("limits.txt");
  await expectAccessible(page, "a terminal beside the thread");
  await page.keyboard.press("Control+Alt+j");
  await expect(page.getByRole("heading", { name: "Terminals", level: 1 })).toBeVisible();
  await page.keyboard.press("Control+Shift+Backquote");
  await expect(terminalTabs(page)).toHaveCount(2);
  await page.keyboard.press("Control+Shift+f");
  await page.getByRole("textbox", { name: "Find in the terminal" }).fill("nothing");
  await expectAccessible(page, "terminals, and words that are looked for");
  await expectUsableLarge(holdfast, "terminals, and words that are looked for");
  await page.keyboard.press("Escape");
  await page.keyboard.type("sleep 4001\n");
  await page.getByRole("button", { name: "Close the terminal" }).click();
  const question = page.getByRole("alertdialog", { name: "Close this terminal?" });
  await expect(question).toBeVisible();
  await expectAccessible(page, "the question before a terminal is closed");
  await question.getByRole("button", { name: "End and close" }).click();
  await expect(terminalTabs(page)).toHaveCount(1);
  await expect(terminalInput(page)).toBeFocused();
  await page.keyboard.type("exit 3\n");
  await expect(terminalTabs(page)).toHaveAccessibleName(/ended with 3/);
  await expectAccessible(page, "a terminal that has ended");
  await page.keyboard.press("Control+Backquote");
}

async function lookAtWorktrees(holdfast: Holdfast): Promise<void> {
  const { page } = holdfast;
  const choose = async (workspace: RegExp, item: string | RegExp) => {
    await holdfast.thread(workspace).click({ button: "right" });
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose(/^atlas, branch main/, "Worktree set-up…");
  await expectAccessible(page, "the set-up of worktrees");
  await page.keyboard.press("Escape");
  await choose(/^atlas, branch main/, "New worktree…");
  await page.getByRole("textbox", { name: "Name" }).fill("spare");
  await page.keyboard.press("Enter");
  const row = /^spare, worktree of atlas/;
  await expect(holdfast.thread(row)).toBeVisible();
  await choose(row, "Merge into main…");
  const merging = page.getByRole("dialog", { name: "Merge spare into main" });
  await expect(merging).toBeVisible();
  await expectAccessible(page, "a merge");
  await expectUsableLarge(holdfast, "a merge");
  await expectKeyboardSeen(page, "a merge", 8);
  await page.keyboard.press("Escape");
  await choose(row, "Remove worktree…");
  await expect(page.getByRole("dialog", { name: /^Remove the worktree/ })).toBeVisible();
  await expectAccessible(page, "a worktree that is to be removed");
  await expectUsableLarge(holdfast, "a worktree that is to be removed");
  await page.keyboard.press("Escape");
}

async function lookAtRuns(holdfast: Holdfast): Promise<void> {
  const { page } = holdfast;
  const cells = new CellsPage(holdfast);
  await cells.open();
  await cells.beginOwn('text("one");\nthrow new Error("It went wrong.");');
  await expect(cells.error).toBeVisible();
  await expectAccessible(page, "a run that failed");
  await cells.beginOwn('text("two");\nawait tools.ask({ question: "Which one?" });');
  await expect(cells.question).toBeVisible();
  await expectAccessible(page, "a run that asks");
  await holdfast.button("Stop").click();
  await expectAccessible(page, "rows of runs");
  await expectUsableLarge(holdfast, "rows of runs");
}

async function lookAtAgents(holdfast: Holdfast, model: ModelServer): Promise<void> {
  const { page } = holdfast;
  scriptTeam(model, {
    lead: [
      reply(spawn("tester", "[tester] Run the tests."), spawn("writer", "[writer] Write it down.")),
      whenAnswered(2, reply(message("Both are done."))),
    ],
    tester: [reply(message("All tests pass."))],
    writer: [reply(partOf("I write"), [model.hold("writing")], message("It is written down."))],
  });
  await holdfast.workspace("atlas").click();
  await holdfast.newThread();
  await holdfast.send("[lead] Get it tested and written down.");
  await holdfast.tab("Agents").click();
  const tree = page.getByRole("tabpanel").getByRole("tree", { name: /agent/ });
  await tree.getByRole("treeitem", { name: /^tester, completed/ }).click();
  await expect(page.getByRole("region", { name: "tester", exact: true })).toBeVisible();
  await expectAccessible(page, "agents");
  await expectStill(page, "while an agent works");
  await expectUsableLarge(holdfast, "agents");
  await expectKeyboardSeen(page, "agents", 16);
  await tree.getByRole("treeitem", { name: /^tester/ }).dblclick();
  await expect(page.getByRole("navigation", { name: "Works for" })).toBeVisible();
  await expectAccessible(page, "the thread of an agent");
  model.gate("writing").release();
}

async function lookAtPlace(holdfast: Holdfast): Promise<void> {
  const { page } = holdfast;
  const environments = new EnvironmentsPage(holdfast);
  await environments.open();
  await environments.button("Run one on this machine").click();
  await expect(environments.state).toContainText("running", { timeout: 30_000 });
  const name = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
  await holdfast.newThread();
  await runsOn(holdfast).click();
  await page.getByRole("menuitemradio", { name: new RegExp(`^${name}`) }).click();
  await expect(placeChip(holdfast)).toBeVisible();
  await expectAccessible(page, "a thread that runs in an environment");
  await expectUsableLarge(holdfast, "a thread that runs in an environment");
}
