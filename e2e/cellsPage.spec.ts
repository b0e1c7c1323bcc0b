// The page of cells: the list, the editor, what is kept of what is typed, and the way from a script to its run and back.

import { expect, type Holdfast, test } from "./support/app";
import { CellsPage } from "./support/cellsPage";
import { expectKeyboardInMenu } from "./support/openMenu";
import { openWindow } from "./support/openWindow";
import { typeAtOnce } from "./support/typeAtOnce";

async function opened(holdfast: Holdfast): Promise<CellsPage> {
  const cells = new CellsPage(holdfast);
  await expect(holdfast.session).toContainText(/^connected/);
  await cells.open();
  return cells;
}

test("what is typed is kept by itself: over a reload at once, and over a death of Holdfast", async ({
  sandbox,
  codexHome,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  const violations: string[] = [];
  first.page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  const cells = await opened(first);
  await cells.write("// Hunts for flaky tests.\n", "Hunt");
  await expect(cells.script("Hunt")).toHaveAttribute("aria-selected", "true");
  await first.page.keyboard.insertText('text("typed last");');
  // Nothing is waited for: the page takes its last words with it.
  await first.page.reload();
  await expect(cells.text).toContainText('text("typed last");');
  await expect(first.page).toHaveTitle("Cells - Holdfast");

  await cells.text.press("ControlOrMeta+End");
  await first.page.keyboard.insertText("\n// And more.");
  await expect
    .poll(() => sandbox.ledger.scriptTexts())
    .toContainEqual(expect.stringContaining("// And more."));
  await expect(cells.saving).toHaveText("Saved");
  expect(violations).toEqual([]);
  await sandbox.kill(first);

  // It comes back to where it was.
  const again = new CellsPage(await sandbox.launch({ environment }));
  await expect(again.text).toContainText("// And more.");
  await expect(again.text).toContainText("// Hunts for flaky tests.");
  await expect(again.script("Hunt")).toBeVisible();
});

test("the verbs, their fields and the fields of what they give are offered as one types", async ({
  holdfast,
}) => {
  const { keyboard } = holdfast.page;
  const cells = await opened(holdfast);
  await cells.write("");
  await keyboard.type("const turn = await tools.wai");
  const verb = cells.offered.getByRole("option", { name: "waitForTurn" });
  await expect(verb).toHaveAttribute("aria-selected", "true");
  await expect(holdfast.page.getByText("says how the last turn ended")).toBeVisible();
  // The key does nothing for a moment, so that nobody takes what they have not seen.
  await verb.click();
  await expect(cells.text).toContainText('await tools.waitForTurn({ threadId: "" })');
  // Tab goes on to what is next, and out of it at last.
  await keyboard.type("one");
  await keyboard.press("Tab");
  await keyboard.type(";\ntext(turn.");
  await expect(cells.text).toContainText('await tools.waitForTurn({ threadId: "one" });');
  await expect(cells.offered.getByRole("option")).toHaveText(["answer", "error", "status", "turnId"]);
  await keyboard.press("Escape");
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type("await tools.startThread({ sandbox: ");
  await keyboard.press("ControlOrMeta+Space");
  await expect(cells.offered.getByRole("option")).toHaveText([
    '"read-only"',
    '"workspace-write"',
    '"danger-full-access"',
  ]);
});

test("the name of a new script is ended without a line break in its text", async ({ holdfast }) => {
  const cells = await opened(holdfast);
  await holdfast.page.keyboard.press("ControlOrMeta+Alt+n");
  const field = holdfast.page.getByRole("textbox", { name: "Name of the script" });
  await expect(field).toBeFocused();
  await expect(cells.text).toBeVisible();
  const before = await cells.text.textContent();
  const lines = await cells.text.locator(".cm-line").count();
  await holdfast.page.keyboard.type("Named");
  await holdfast.page.keyboard.press("Enter");
  await expect(cells.script("Named")).toBeVisible();
  await expect(cells.text).toBeFocused();
  // What follows is typed where the key left the keyboard.
  await holdfast.page.keyboard.type("§");
  await expect(cells.text).toContainText("§");
  expect(await cells.text.locator(".cm-line").count()).toBe(lines);
  expect((await cells.text.textContent())?.replace("§", "")).toBe(before);

  // A shortcut of the window is one in that field, too; the name is kept, and the keyboard stays where the shortcut has led.
  await holdfast.page.keyboard.press("ControlOrMeta+Alt+n");
  await expect(field).toBeFocused();
  await holdfast.page.keyboard.type("Kept");
  await holdfast.page.keyboard.press("ControlOrMeta+k");
  const palette = holdfast.page.getByRole("combobox", { name: "Command palette" });
  await expect(palette).toBeFocused();
  await holdfast.page.keyboard.type("zoom");
  await expect(palette).toHaveValue("zoom");
  await holdfast.page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  await expect(cells.script("Kept")).toBeVisible();
});

test("scripts run where the person has chosen, whatever is looked at meanwhile", async ({ holdfast }) => {
  const { page } = holdfast;
  const cells = await opened(holdfast);
  await cells.write('text("here");', "Stays");
  const runsIn = (name: string) => page.getByRole("combobox", { name: `Runs in: ${name}` });
  await expect(runsIn("atlas")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
  await page.keyboard.type("Open the demo");
  await page.keyboard.press("Enter");
  await expect(holdfast.message).toBeFocused();
  await cells.open();
  await expect(runsIn("atlas")).toBeVisible();
  await cells.text.press("ControlOrMeta+Enter");
  await expect(cells.run("Stays", "completed")).toHaveAccessibleName(/in atlas/);

  await runsIn("atlas").click();
  await page.getByRole("option", { name: /^Demo/i }).click();
  await expect(runsIn("Demo")).toBeVisible();
  await holdfast.thread(/^atlas/).click();
  await cells.open();
  await page.reload();
  await expect(runsIn("Demo")).toBeVisible();

  // It goes away: scripts run where the window is, which is said.
  await holdfast.thread(/^Demo/i).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Remove from list…" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(runsIn("atlas")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Scripts run in “atlas” now" })).toBeVisible();
});

test("two windows on one script: the other's words are shown, and where both have typed the person chooses", async ({
  holdfast: first,
}) => {
  const one = await opened(first);
  await one.write("// Both.\n", "Ours");
  await expect(one.saving).toHaveText("Saved");
  const second = await openWindow(first);
  const two = await opened(second);
  await two.script("Ours").click();
  await expect(two.text).toContainText("// Both.");

  await one.text.press("ControlOrMeta+End");
  await first.page.keyboard.insertText("one();\n");
  await expect(two.text).toContainText("one();");

  await two.text.press("ControlOrMeta+End");
  await typeAtOnce([first, "mine();\n"], [second, "theirs();\n"]);
  const notice = (window: Holdfast) => window.page.getByText("changed in another window");
  await expect
    .poll(async () => (await notice(first).count()) + (await notice(second).count()), {
      message: "one of the two is asked",
    })
    .toBe(1);
  const asked =
    (await notice(first).count()) === 1 ? { window: first, cells: one } : { window: second, cells: two };
  const words =
    asked.window === first
      ? { mine: "mine();", theirs: "theirs();" }
      : { mine: "theirs();", theirs: "mine();" };
  await expect(asked.cells.text).toContainText(words.mine);
  await asked.window.button("Take theirs").click();
  await expect(asked.cells.text).toContainText(words.theirs);
  await expect(asked.cells.text).not.toContainText(words.mine);
  // What was given up comes back as anything typed does.
  await asked.cells.text.press("ControlOrMeta+z");
  await expect(asked.cells.text).toContainText(words.mine);
  await expect(asked.cells.saving).toHaveText("Saved");
  for (const cells of [one, two]) await expect(cells.text).toContainText(words.mine);
});

test("a script is run, stopped, and marked where it failed", async ({ holdfast }) => {
  const cells = await opened(holdfast);
  await cells.write('text("begun");\nawait tools.ask({ question: "Go on?" });\n', "Asks");
  await holdfast.page.keyboard.press("ControlOrMeta+Enter");
  await expect(cells.output).toContainText("begun");
  await expect(cells.run("Asks", "waiting for answer")).toBeVisible();
  await expect(
    holdfast.sidebar.getByRole("button", { name: "Cells, 1 waiting for an answer" }),
  ).toBeVisible();
  await cells.text.press("ControlOrMeta+.");
  await expect(cells.run("Asks", "stopped")).toBeVisible();

  await cells.text.press("ControlOrMeta+a");
  await holdfast.page.keyboard.insertText('text("begun again");\nnull.length;\n');
  await holdfast.page.keyboard.press("ControlOrMeta+Enter");
  await expect(cells.run("Asks", "failed")).toBeVisible();
  const marked = cells.text.locator(".cm-lintRange-error");
  await expect(marked).toBeVisible();
  await marked.hover();
  await expect(holdfast.page.getByText(/The run failed here: /)).toBeVisible();
  // It is about the text that was run, and about no other.
  await cells.text.press("ControlOrMeta+End");
  await holdfast.page.keyboard.insertText("// Other.");
  await expect(marked).toHaveCount(0);

  // Without its script, and back.
  await holdfast.thread(/./).first().or(holdfast.button("New thread")).first().click();
  await expect(cells.text).toHaveCount(0);
  await cells.open();
  await expect(cells.text).toContainText("// Other.");
});

test("one that came with Holdfast stays as it is: typing makes a copy", async ({ holdfast }) => {
  const cells = await opened(holdfast);
  await cells.script("Review a branch").click();
  await expect(cells.text).toContainText("Three agents review a branch");
  await cells.text.click();
  await cells.text.press("ControlOrMeta+Home");
  await holdfast.page.keyboard.type("// Mine. ", { delay: 5 });
  await expect(cells.script("Review a branch (copy)")).toHaveAttribute("aria-selected", "true");
  await expect(cells.text).toContainText("// Mine. ");
  await expect(cells.text).toBeFocused();
  await expect(cells.saving).toHaveText("Saved");
  await cells.script("Review a branch").click();
  await expect(holdfast.button("Edit a copy")).toBeVisible();
  await expect(cells.text).not.toContainText("// Mine. ");
});

test("by the keyboard alone: go there, choose, rename, write, run, leave the text, delete and bring back", async ({
  holdfast,
}) => {
  const { page } = holdfast;
  const { keyboard } = page;
  const cells = await opened(holdfast);
  await cells.write('text("by hand");', "Aa");
  await expect(cells.saving).toHaveText("Saved");

  await cells.scripts.focus();
  await keyboard.press("Home");
  await keyboard.press("F2");
  await expect(page.getByRole("textbox", { name: "Name of the script" })).toBeFocused();
  await keyboard.type("Ab");
  await keyboard.press("Enter");
  await expect(cells.script("Ab")).toBeVisible();
  await expect(cells.scripts).toBeFocused();
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowUp");
  await keyboard.press("Enter");
  await expect(cells.text).toBeFocused();
  await keyboard.press("ControlOrMeta+Enter");
  await expect(cells.output).toContainText("by hand");
  await expect(cells.run("Ab", "completed")).toBeVisible();

  // Tab indents; after Escape it goes on to what follows.
  await keyboard.press("ControlOrMeta+Home");
  await keyboard.press("Tab");
  await expect(cells.text).toContainText('  text("by hand");');
  await keyboard.press("Escape");
  await keyboard.press("Tab");
  await expect(cells.text).not.toBeFocused();

  await cells.scripts.focus();
  await keyboard.press("Home");
  await keyboard.press("Delete");
  await expect(cells.script("Ab")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(cells.text).toContainText('  text("by hand");');
  await expect(cells.script("Ab")).toHaveAttribute("aria-selected", "true");
});

test("one press is one run, and the keyboard stays near what goes away", async ({ holdfast }) => {
  const { page } = holdfast;
  const { keyboard } = page;
  const cells = await opened(holdfast);
  const rows = cells.runs.getByRole("option");
  await cells.write(
    `const asked = ["One?", "Two?"].map((question) => tools.ask({ question, options: ["Yes", "No"] }));
     text((await Promise.all(asked)).map(({ answer }) => answer).join(", "));`,
    "Asks twice",
  );
  await keyboard.down("ControlOrMeta");
  for (let press = 0; press < 4; press += 1) await keyboard.down("Enter");
  await keyboard.up("Enter");
  await keyboard.up("ControlOrMeta");
  await expect(cells.question).toContainText("One?");
  await expect(rows).toHaveCount(1);

  const next = cells.question.getByRole("button", { name: "Next question" });
  await next.focus();
  await keyboard.press("Enter");
  await expect(cells.question).toContainText("Two?");
  await expect(next).toBeFocused();
  await cells.question.getByRole("textbox", { name: "Your answer" }).fill("Perhaps");
  await keyboard.press("Enter");
  await expect(cells.question).toContainText("One?");
  await expect(cells.question).toBeFocused();
  await cells.question.getByRole("button", { name: "No" }).focus();
  await keyboard.press("Enter");
  await expect(cells.output).toHaveText("No, Perhaps");
  await expect(cells.output).toBeFocused();

  // Run again takes the place of Stop.
  await cells.text.click();
  await keyboard.press("ControlOrMeta+Enter");
  await expect(rows).toHaveCount(2);
  await cells.shownRun.getByRole("button", { name: "Stop", exact: true }).click();
  // What is pressed right after Run is about the run that is being started, before it is there.
  await cells.text.press("ControlOrMeta+Enter");
  await keyboard.press("ControlOrMeta+.");
  await expect(rows).toHaveCount(3);
  await expect(cells.run("Asks twice", "stopped")).toBeVisible();
  await cells.shownRun.getByRole("button", { name: "Run again" }).hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await holdfast.button("Run").focus();
  for (let press = 0; press < 4; press += 1) await keyboard.down("Enter");
  await keyboard.up("Enter");
  await expect(cells.question).toBeVisible();
  await cells.text.press("ControlOrMeta+End");
  await keyboard.type("// Later.");
  await expect(cells.saving).toHaveText("Saved");
  await expect(rows).toHaveCount(4);

  // Into the run: to what it asks.
  await keyboard.press("F6");
  await expect(cells.question).toBeFocused();
  // One whose text is not there yet.
  await cells.scripts.focus();
  await keyboard.press("End");
  await keyboard.press("Enter");
  await expect(cells.script("File by file")).toHaveAttribute("aria-selected", "true");
  await expect(cells.text).toContainText("tools.");
  await expect(cells.text).toBeFocused();

  // What a dialog, or a menu, would give it back to is gone by then.
  await cells.script("Asks twice").click();
  await holdfast.button("More about this script").focus();
  await keyboard.press("Enter");
  await expectKeyboardInMenu(page);
  await page.getByRole("menuitem", { name: "Delete" }).focus();
  await keyboard.press("Enter");
  await expect(cells.script("Asks twice")).toHaveCount(0);
  await expect(cells.scripts).toBeFocused();
});
