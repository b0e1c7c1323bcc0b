// One run of a script as windows show it: what it writes as it comes, how it ends, what it asks, and what it has done to
// threads, which is shown there as done by it.

import { expect, type Holdfast, test } from "./support/app";
import { askedAgain } from "./support/askedAgain";
import { CellsPage } from "./support/cellsPage";
import { message, partOf, reply, streamed } from "./support/modelServer";
import { openWindow } from "./support/openWindow";

async function cellsOf(holdfast: Holdfast): Promise<CellsPage> {
  const cells = new CellsPage(holdfast);
  await cells.open();
  return cells;
}

async function begun(holdfast: Holdfast, source: string): Promise<CellsPage> {
  const cells = await cellsOf(holdfast);
  await cells.write(source, "Steer");
  await holdfast.button("Run").click();
  await expect(cells.shownRun).toBeVisible();
  return cells;
}

/** A second window on the run that the first one shows. */
async function secondOn(first: Holdfast, state: string): Promise<{ second: Holdfast; cells: CellsPage }> {
  const second = await openWindow(first);
  const cells = await cellsOf(second);
  await cells.run("Steer", state).click();
  return { second, cells };
}

/** So that all parts of a run are in view below its script. */
async function makeWide(holdfast: Holdfast): Promise<void> {
  await holdfast.ready();
  await askedAgain(async () => {
    const window = await holdfast.app.browserWindow(holdfast.page);
    await window.evaluate((own) => own.setSize(1500, 940));
  });
}

const stateOf = (cells: CellsPage) => cells.shownRun.getByRole("status", { name: "Run" });
const needs = ({ page }: Holdfast) => page.getByRole("region", { name: "Needs you" });

test("what it writes is there as it comes: the end stays in view until one goes up, and what is long folds", async ({
  holdfast,
}) => {
  const cells = await begun(
    holdfast,
    `for (let line = 1; line <= 300; line += 1) text("line " + line);
     text({ title: "Race", files: ["a.ts"], line: 42 });
     notify("Half of it is done");
     await tools.ask({ question: "More?" });
     for (let line = 1; line <= 300; line += 1) text("more " + line);`,
  );
  await expect(stateOf(cells)).toHaveText("waiting for answer");
  await expect(cells.output).toContainText("line 300");
  await expect(cells.output.getByText("Half of it is done")).toBeInViewport();
  await expect(cells.output).toContainText("told you");
  const object = cells.output.getByRole("button", { name: "Object, 7 lines" });
  await expect(cells.output).toContainText('"title": "Race"');
  await object.click();
  await expect(cells.output).not.toContainText('"title": "Race"');
  await expect(cells.output).toContainText('{ title: "Race", files: […], line: 42 }');
  await object.click();

  await cells.output.hover();
  await holdfast.page.mouse.wheel(0, -2_000);
  await expect(cells.output.getByText("Half of it is done")).not.toBeInViewport();
  await cells.answer("More?", "Yes.");
  await expect(stateOf(cells)).toHaveText("completed");
  const jump = cells.shownRun.getByRole("button", { name: "Jump to latest, 300 new items" });
  await expect(jump).toBeVisible();
  await expect(cells.output.getByText("more 300", { exact: true })).not.toBeInViewport();
  await jump.click();
  await expect(cells.output.getByText("more 300", { exact: true })).toBeInViewport();
});

test("of much output the end is there at once, the rest when it is asked for, and all of it can be copied", async ({
  holdfast,
}) => {
  const cells = await begun(
    holdfast,
    `const filler = "x".repeat(500);
     for (let line = 0; line < 4000; line += 1) text("line " + line + " " + filler);
     text("the end");`,
  );
  await expect(stateOf(cells)).toHaveText("completed");
  await expect(cells.output.getByText("the end")).toBeInViewport();
  const { second, cells: others } = await secondOn(holdfast, "completed");
  await expect(others.output.getByText("the end")).toBeInViewport();
  await others.output.focus();
  await second.page.keyboard.press("Home");
  const earlier = others.output.getByRole("button", { name: "Show earlier output" });
  const before = others.output.getByText(/items before this/);
  const amount = await before.textContent();
  await earlier.click();
  await expect(before).not.toHaveText(amount ?? "");
  await others.shownRun.getByRole("button", { name: "Copy all output" }).first().click();
  await expect
    .poll(async () => (await second.app.evaluate(({ clipboard }) => clipboard.readText())).length)
    .toBeGreaterThan(4_000 * 500);
  const copied = await second.app.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied.startsWith("line 0 x")).toBe(true);
  expect(copied.endsWith("\nthe end")).toBe(true);
});

test("an error says what went wrong and where, and leads there", async ({ holdfast }) => {
  const cells = await begun(
    holdfast,
    'text("before");\nconst nothing = {};\nnothing.at.all();\ntext("after");',
  );
  await expect(stateOf(cells)).toHaveText("failed");
  await expect(cells.error).toContainText("TypeError");
  await expect(cells.error).toContainText("nothing.at.all();");
  await expect(cells.output).toHaveText("before");
  await cells.error.getByRole("button", { name: "Line 3" }).click();
  const editor = holdfast.page.getByRole("textbox", { name: "Script" });
  await expect(editor).toBeFocused();
  await holdfast.page.keyboard.insertText("// here ");
  await expect(editor).toContainText("nothing.at// here .all();");
});

test("a limit that is reached is named, and leads to its setting", async ({ holdfast }) => {
  const cells = await cellsOf(holdfast);
  await holdfast.page.keyboard.press("ControlOrMeta+,");
  const settings = holdfast.page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("tab", { name: "Cells" }).click();
  const output = settings.getByRole("textbox", { name: "Output of a cell in MiB" });
  await output.fill("0");
  await output.press("Enter");
  await expect(settings.getByRole("alert")).toHaveText(
    "From 0.1 to 64 MiB can be set. 8 MiB stays in force.",
  );
  await output.fill("0.1");
  await output.press("Enter");
  await expect(settings.getByRole("alert")).toHaveCount(0);
  await holdfast.page.keyboard.press("Escape");
  await cells.beginOwn('for (;;) text("x".repeat(1000));');
  await expect(stateOf(cells)).toHaveText("failed");
  await expect(cells.error).toContainText("more than a cell may write");
  await cells.error.getByRole("button", { name: "Change the limits…" }).click();
  await expect(settings.getByRole("textbox", { name: "Output of a cell in MiB" })).toBeVisible();
});

test("a script that never comes back is stopped at once, and the window answers meanwhile", async ({
  holdfast,
}) => {
  const cells = await begun(holdfast, 'text("begun"); while (true) {}');
  await expect(cells.output).toHaveText("begun");
  await expect(holdfast.page.getByRole("status", { name: "Scripts" })).toHaveText("1 script running");
  const pressedAtMs = Date.now();
  await cells.shownRun.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(stateOf(cells)).toHaveText("stopped");
  // Long before any of its limits would have ended it. That it takes less than a second is for a test without a window to say.
  expect(Date.now() - pressedAtMs).toBeLessThan(6_000);
  await expect(holdfast.page.getByRole("status", { name: "Scripts" })).toHaveCount(0);
  await expect(cells.shownRun.getByRole("button", { name: "Run again" })).toBeVisible();
});

test("Stop that is pressed twice stops it, and runs nothing", async ({ holdfast }) => {
  const cells = await begun(holdfast, 'text("begun"); while (true) {}');
  await expect(cells.output).toHaveText("begun");
  const stop = cells.shownRun.getByRole("button", { name: "Stop", exact: true });
  const place = await stop.boundingBox();
  if (!place) throw new Error("Stop is not in view");
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  await holdfast.page.mouse.dblclick(x, y);
  await expect(stateOf(cells)).toHaveText("stopped");
  await holdfast.page.mouse.click(x, y);
  await expect(cells.runs.getByRole("option")).toHaveCount(1);

  await cells.shownRun.getByRole("button", { name: "Run again" }).click();
  await expect(cells.output).toHaveText("begun");
  await stop.focus();
  await holdfast.page.keyboard.press("Enter");
  await holdfast.page.keyboard.press("Enter");
  await expect(stateOf(cells)).toHaveText("stopped");
  await expect(cells.output).toBeFocused();
  await holdfast.page.keyboard.press("Enter");
  await expect(cells.runs.getByRole("option")).toHaveCount(2);
  for (const run of await cells.runs.getByRole("option").all())
    await expect(run).toHaveAccessibleName(/^Steer, stopped/);
});

test("its questions wait with everything else that needs the person, and are answered by key or in words", async ({
  holdfast,
}) => {
  const cells = await begun(
    holdfast,
    `const first = await tools.ask({ question: "Which one?", options: ["The left one", "The right one"] });
     text("first: " + first.answer);
     const second = await tools.ask({ question: "Why?" });
     text("second: " + second.answer);`,
  );
  await expect(cells.question).toContainText("Which one?");
  await expect(cells.shownRun).toContainText("waits for 1 answer");
  await expect(holdfast.page).toHaveTitle(/^\(1\) /);
  await holdfast.newThread();
  await needs(holdfast)
    .getByRole("button", { name: /^Steer, waiting for answer, script/ })
    .click();
  await expect(cells.question).toBeFocused();
  // What has the keyboard nowhere is meant for no question; the key to the pane leads to it.
  await cells.question.blur();
  await holdfast.page.keyboard.press("1");
  await expect(async () => {
    await holdfast.page.keyboard.press("F6");
    await expect(cells.question).toBeFocused({ timeout: 100 });
  }).toPass();
  const unanswered = cells.question
    .filter({ hasText: "Which one?" })
    .and(holdfast.page.locator(":not([aria-busy])"));
  await expect(async () => {
    // A key counts once the card has been there long enough to be read; one more after that would be for something else.
    await holdfast.page.keyboard.press("2");
    await expect(unanswered).toHaveCount(0, { timeout: 300 });
  }).toPass();
  await expect(cells.output).toHaveText("first: The right one");
  await expect(cells.question).toContainText("Why?");
  await expect(cells.question.getByRole("textbox", { name: "Your answer" })).toBeFocused();
  await cells.question.getByRole("textbox", { name: "Your answer" }).fill("Because of the light");
  await holdfast.page.keyboard.press("Enter");
  await expect(cells.output).toContainText("second: Because of the light");
  await expect(stateOf(cells)).toHaveText("completed");
  await expect(needs(holdfast)).toHaveCount(0);
  await expect(holdfast.page).not.toHaveTitle(/^\(/);
});

test("a question that one window answers goes away in the other, which keeps what was being typed", async ({
  holdfast: first,
}) => {
  const cells = await begun(
    first,
    'const { answer } = await tools.ask({ question: "Go on?" }); text(answer);',
  );
  const { second, cells: others } = await secondOn(first, "waiting for answer");
  await others.question.getByRole("textbox", { name: "Your answer" }).fill("I would rather");
  for (const each of [first, second]) await expect(each.page).toHaveTitle(/^\(1\) /);
  await cells.answer("Go on?", "Yes.");
  await expect(others.question).toHaveCount(0);
  await expect(others.output).toHaveText("Yes.");
  await expect(others.shownRun).toContainText("answered elsewhere");
  await others.shownRun.getByRole("button", { name: "Copy what you wrote" }).click();
  await expect
    .poll(() => second.app.evaluate(({ clipboard }) => clipboard.readText()))
    .toBe("I would rather");
  for (const each of [first, second]) await expect(each.page).not.toHaveTitle(/^\(/);

  await cells.shownRun.getByRole("button", { name: "More about this run" }).click();
  await first.page.getByRole("menuitem", { name: /^Forget this run/ }).click();
  await first.page.getByRole("alertdialog").getByRole("button", { name: "Forget" }).click();
  await expect(others.shownRun).toContainText("This run is not there any more.");
  await others.shownRun.getByRole("button", { name: "Close" }).click();
  await expect(others.shownRun).toHaveCount(0);
});

test("what it does in a thread is shown there as done by it, and leads to its run", async ({
  holdfast,
  model,
}) => {
  await makeWide(holdfast);
  model.queue(
    reply(partOf("First "), [model.hold("first")], streamed("answer.")),
    reply(message("Second answer.")),
  );
  const cells = await begun(
    holdfast,
    `const { threadId } = await tools.startThread({ text: "Begin, please." });
     await tools.queueFollowUp({ threadId, text: "And then?" });
     await tools.waitForTurn({ threadId });
     text("over");`,
  );
  await model.gate("first").reached;
  await expect(cells.shownRun).toContainText("waits for 1 turn");
  await expect(cells.activity.getByRole("article", { name: /^Wait for a turn.*, pending$/ })).toBeVisible();
  await cells.shownRun.getByRole("button", { name: "Begin, please., running" }).click();
  await expect(holdfast.article("Script")).toHaveText(/Steer.*Begin, please\./s);
  await expect(holdfast.button("Started by the script Steer. Show the run")).toBeVisible();
  await holdfast.tab("Follow-ups").click();
  await expect(
    holdfast.page.getByRole("listitem", { name: "And then?, 1 of 1, by the script Steer" }),
  ).toBeVisible();
  model.gate("first").release();
  await expect(holdfast.article("Script")).toHaveCount(2);
  await expect(holdfast.article("Agent").last()).toHaveText("Second answer.");
  await expect(holdfast.article("You")).toHaveCount(0);
  await holdfast.message.focus();
  await holdfast.page.keyboard.press("ArrowUp");
  await expect(holdfast.message, "what the person said before").toHaveValue("");
  await holdfast.article("Script").last().getByRole("button", { name: "Steer" }).click();
  await expect(stateOf(cells)).toHaveText("completed");
  await expect(cells.output).toHaveText("over");
  await expect(cells.shownRun.getByRole("button", { name: "Begin, please., idle" })).toBeVisible();
});

test("it can be stopped with the turns that run in its threads, or without them", async ({
  holdfast,
  model,
}) => {
  const source = `const { threadId } = await tools.startThread({ text: "Take your time." });
    text("begun"); await tools.waitForTurn({ threadId });`;
  const answer = (gate: string) => reply(partOf("It takes "), [model.hold(gate)], streamed("a while."));
  await makeWide(holdfast);
  model.queue(answer("one"), answer("two"), answer("three"));
  const cells = await begun(holdfast, source);
  await model.gate("one").reached;
  await cells.shownRun.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(stateOf(cells)).toHaveText("stopped");
  await expect(
    cells.activity.getByRole("article", { name: "Wait for a turn: Take your time., cut off" }),
  ).toBeVisible();
  await expect(cells.shownRun.getByRole("button", { name: "Take your time., running" })).toBeVisible();
  model.gate("one").release();
  await expect(cells.shownRun.getByRole("button", { name: "Take your time., idle" })).toBeVisible();

  await cells.shownRun.getByRole("button", { name: "Run again" }).click();
  await model.gate("two").reached;
  await cells.shownRun.getByRole("button", { name: "More ways to stop" }).click();
  await holdfast.page.getByRole("menuitem", { name: /^Stop, and its threads' turns too/ }).click();
  await expect(stateOf(cells)).toHaveText("stopped");
  await expect(cells.shownRun.getByRole("button", { name: "Take your time., interrupted" })).toBeVisible();
  model.gate("two").release();

  await cells.shownRun.getByRole("button", { name: "Run again" }).click();
  await model.gate("three").reached;
  await cells.shownRun.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(stateOf(cells)).toHaveText("stopped");
  await cells.shownRun.getByRole("button", { name: "More about this run" }).click();
  await holdfast.page.getByRole("menuitem", { name: /^Stop its threads' turns/ }).click();
  await expect(cells.shownRun.getByRole("button", { name: "Take your time., interrupted" })).toBeVisible();
  model.gate("three").release();
});

test("one that Holdfast's death has cut off says so, with what it had written", async ({
  sandbox,
  codexHome,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  const cells = await begun(first, 'text("begun"); await new Promise(() => setTimeout(() => {}, 1e6));');
  await expect(cells.output).toHaveText("begun");
  await sandbox.kill(first);
  const second = await sandbox.launch({ environment });
  const again = await cellsOf(second);
  await again.run("Steer", "cut off").click();
  await expect(stateOf(again)).toHaveText("cut off");
  await expect(again.shownRun).toContainText("Cut off: Holdfast went away while it ran.");
  await expect(again.output).toHaveText("begun");
});

test("the palette finds scripts and runs by name, and runs and stops them", async ({ holdfast }) => {
  const cells = await begun(holdfast, 'text("begun"); while (true) {}');
  await expect(cells.output).toHaveText("begun");
  const palette = holdfast.page.getByRole("dialog", { name: "Command palette" });
  const choose = async (typed: string, name: string) => {
    await holdfast.page.keyboard.press("ControlOrMeta+k");
    await palette.getByRole("combobox").fill(typed);
    await palette.getByRole("option", { name, exact: false }).first().click();
  };
  await holdfast.newThread();
  await choose("steer", "Steer running");
  await expect(stateOf(cells)).toHaveText("running");
  await choose("stop the script", "Stop the script Steer");
  await expect(stateOf(cells)).toHaveText("stopped");
  await holdfast.newThread();
  await choose("run script steer", "Run script Steer");
  await expect(stateOf(cells)).toHaveText("running");
  await holdfast.newThread();
  await holdfast.page.getByRole("status", { name: "Scripts" }).getByRole("button").click();
  await cells.shownRun.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(stateOf(cells)).toHaveText("stopped");
});
