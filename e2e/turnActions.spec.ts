// What a person does with turns: have work reviewed, go back and say it differently, fork, compact, retry. On the real codex.

import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { TestAppServer } from "../main/demo/testAppServer";
import { expect, type Holdfast, test } from "./support/app";
import { failure, type ModelServer, message, partOf, reply, shell, streamed } from "./support/modelServer";
import { realCodex } from "./support/realCodex";

async function told(holdfast: Holdfast, model: ModelServer, question: string, answer: string): Promise<void> {
  model.queue(reply(message(answer)));
  await holdfast.send(question);
  await expect(holdfast.article("Agent").last()).toContainText(answer);
  await expect(holdfast.button("Stop")).toHaveCount(0);
}

async function three(holdfast: Holdfast, model: ModelServer): Promise<void> {
  await holdfast.newThread();
  await told(holdfast, model, "First question", "First answer.");
  await told(holdfast, model, "Second question", "Second answer.");
  await told(holdfast, model, "Third question", "Third answer.");
}

/** The menu at the end of a turn, counted from the first one. */
async function atTurn(holdfast: Holdfast, index: number, item: string | RegExp): Promise<void> {
  const end = holdfast.conversation.getByRole("region", { name: /^End of turn/ }).nth(index);
  await end.hover();
  await end.getByRole("button", { name: "From here" }).click();
  await holdfast.page.getByRole("menuitem", { name: item }).click();
}

async function fromHeader(holdfast: Holdfast, item: string): Promise<void> {
  await holdfast.button("More about this thread").click();
  await holdfast.page.getByRole("menuitem", { name: item }).click();
}

function lastRequest(model: ModelServer): string {
  return JSON.stringify(model.requests.at(-1));
}

const findings = (file: string) =>
  JSON.stringify({
    findings: [
      {
        title: "[P1] The burst is too high",
        body: "Two hundred lets everything through.",
        confidence_score: 0.9,
        priority: 1,
        code_location: { absolute_file_path: file, line_range: { start: 1, end: 1 } },
      },
    ],
    overall_correctness: "patch is incorrect",
    overall_explanation: "The limit is gone.",
    overall_confidence_score: 0.9,
  });

test("uncommitted changes are reviewed, from the dialog to what was found", async ({
  holdfast,
  model,
  sandbox,
}) => {
  const file = path.join(sandbox.workspace, "limits.txt");
  await writeFile(file, "burst = 200\n");
  await holdfast.newThread();
  await told(holdfast, model, "Hello", "Hello to you.");
  model.queue(reply(shell("git status --short")), reply([model.hold("found")], message(findings(file))));
  await fromHeader(holdfast, "Review…");
  const dialog = holdfast.page.getByRole("dialog", { name: "Review" });
  const uncommitted = dialog.getByRole("radio", { name: /^Uncommitted changes/ });
  await expect(uncommitted).toBeChecked();
  await expect(uncommitted).toBeFocused();
  await holdfast.page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(holdfast.thread(/^Hello, running/)).toBeVisible();
  await expect(holdfast.article("Review")).toContainText("current changes");
  await expect(holdfast.article("Command")).toContainText("git status");
  model.gate("found").release();
  const found = holdfast.article("Review").last();
  await expect(found).toContainText("The limit is gone.");
  await expect(found).toContainText("The burst is too high");
  await expect(found).toContainText(" limits.txt:1");
  await expect(holdfast.thread(/^Hello, idle/)).toBeVisible();
  // The task as codex words it is nobody's message, and the outcome is said once.
  await expect(holdfast.article("You")).toHaveCount(1);
  await expect(holdfast.article("Agent")).toHaveCount(1);
  // As it is now, so it is after the next load.
  await holdfast.page.reload();
  await expect(holdfast.article("Review")).toHaveCount(2);
  await expect(holdfast.article("You")).toHaveCount(1);
  await expect(holdfast.conversation.getByRole("region", { name: /^End of turn/ })).toHaveCount(2);
});

test("a review is stopped, and looks stopped after the next start too", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await first.newThread();
  await told(first, model, "Hello", "Hello to you.");
  model.queue(reply(partOf("Looking"), [model.hold("never")]));
  await fromHeader(first, "Review…");
  await first.page.getByRole("radio", { name: /^Own instructions/ }).click();
  await first.page.getByRole("textbox", { name: "Instructions" }).fill("Look at the limits.");
  await first.page.keyboard.press("ControlOrMeta+Enter");
  await expect(first.article("Review").first()).toContainText("Look at the limits.");
  await model.gate("never").reached;
  await first.button("Stop").click();
  await expect(first.thread(/^Hello, interrupted/)).toBeVisible();
  await expect(first.article("Review").last()).toContainText("ended before it had a result");
  await sandbox.end(first);

  const second = await sandbox.launch({ environment });
  await expect(second.article("Review").last()).toContainText("ended before it had a result");
  await expect(second.article("You")).toHaveCount(1);
  await expect(second.conversation.getByRole("region", { name: /^End of turn/ })).toHaveCount(2);
  await told(second, model, "Go on", "Going on.");
});

test("a message is edited and sent again from where it was", async ({ holdfast, model }) => {
  await three(holdfast, model);
  await holdfast.message.fill("typed meanwhile");
  await atTurn(holdfast, 1, /^Edit and send again from here/);
  const question = holdfast.page.getByRole("alertdialog");
  await expect(question).toContainText("This turn and the 1 turn after it are taken out");
  await expect(question).toContainText("Files are not changed");
  await expect(question).toContainText("after what you have typed there");
  await question.getByRole("button", { name: "Go back and edit" }).click();
  await expect(holdfast.article("You")).toHaveCount(1);
  await expect(holdfast.message).toHaveValue("typed meanwhile\n\nSecond question");
  await expect(holdfast.message).toBeFocused();
  await holdfast.message.fill("Second question, better");
  model.queue(reply(message("A better answer.")));
  await holdfast.button("Send").click();
  await expect(holdfast.conversation).toContainText("A better answer.");
  const asked = lastRequest(model);
  expect(asked).toContain("First question");
  expect(asked).not.toContain("Second answer.");
  expect(asked).not.toContain("Third question");
  await holdfast.page.reload();
  await expect(holdfast.article("You")).toHaveText([/First question/, /Second question, better/]);
});

test("the only message is taken back, and the thread goes on without it", async ({
  sandbox,
  codexHome,
  model,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  await first.newThread();
  await told(first, model, "First question", "First answer.");
  await atTurn(first, 0, /^Edit and send again from here/);
  await first.page.getByRole("button", { name: "Go back and edit" }).click();
  await expect(first.article("You")).toHaveCount(0);
  await expect(first.message).toHaveValue("First question");
  await sandbox.end(first);
  const second = await sandbox.launch({ environment });
  await expect(second.message).toHaveValue("First question");
  model.queue(reply(message("Once more.")));
  await second.button("Send").click();
  await expect(second.conversation).toContainText("Once more.");
  await expect(second.article("You")).toHaveCount(1);
});

test("a fork from the first of three turns is a thread of its own; what another program made is found, and deleted", async ({
  holdfast,
  model,
  sandbox,
  codexHome,
}) => {
  await three(holdfast, model);
  await atTurn(holdfast, 0, "Fork from here");
  await expect(holdfast.page.getByRole("heading", { name: "First question (fork)" })).toBeVisible();
  await expect(holdfast.article("You")).toHaveText([/First question/]);
  await expect(holdfast.thread(/^First question \(fork\), idle/)).toBeVisible();
  await told(holdfast, model, "Another way", "Another answer.");
  expect(lastRequest(model)).not.toContain("Second question");
  await holdfast.button("Fork of First question. Show that thread").click();
  await expect(holdfast.article("You")).toHaveCount(3);
  await expect(holdfast.thread(/^First question \(fork\), idle/)).toBeVisible();
  // codex keeps a thread for its forks: that is said before anything is asked, and codex is not.
  await holdfast.thread(/^First question, idle/).click({ button: "right" });
  const deletion = holdfast.page.getByRole("menuitem", { name: /^Delete…/ });
  await expect(deletion).toBeDisabled();
  await expect(deletion).toContainText("Not while its fork “First question (fork)” exists");
  await holdfast.page.keyboard.press("Escape");
  await holdfast.page.getByRole("tree", { name: "Threads" }).press("Shift+Delete");
  await expect(
    holdfast.page.getByText(
      "“First question” cannot be deleted while its fork “First question (fork)” exists",
    ),
  ).toBeVisible();

  model.queue(reply(message("Answered elsewhere.")));
  const other = await TestAppServer.launch({
    command: await realCodex(),
    environment: { CODEX_HOME: codexHome.path },
    cwd: sandbox.workspace,
  });
  const made = await other.request("thread/start", { cwd: sandbox.workspace });
  await other.turn((made.thread as { id: string }).id, "Asked elsewhere");
  await other.close();
  const found = holdfast.thread(/^Asked elsewhere/);
  await expect(found).toHaveCount(0);
  // Somebody comes back to the window.
  await holdfast.page.evaluate("window.dispatchEvent(new Event('focus'))");
  await expect(found).toBeVisible();

  const question = holdfast.page.getByRole("alertdialog");
  await found.click({ button: "right" });
  await holdfast.page.getByRole("menuitem", { name: "Delete…" }).click();
  await expect(question).toContainText("Delete “Asked elsewhere” for good?");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(found).toBeVisible();
  await found.click({ button: "right" });
  await holdfast.page.getByRole("menuitem", { name: "Delete…" }).click();
  await question.getByRole("button", { name: "Delete for good" }).click();
  await expect(found).toHaveCount(0);
  const records = await readdir(path.join(codexHome.path, "sessions"), { recursive: true });
  expect(records.filter((name) => name.includes((made.thread as { id: string }).id))).toEqual([]);
});

test("a thread plans when it is told to, and carries it out; compacting runs like a turn, can be stopped, and is said to be what it was", async ({
  holdfast,
  model,
}) => {
  await holdfast.newThread();
  await told(holdfast, model, "Hello", "Hello to you.");
  const mode = holdfast.page.getByRole("button", { name: /^Mode: / });
  await expect(mode).toHaveAccessibleName("Mode: Code");
  await holdfast.message.fill("/plan");
  await holdfast.message.press("Enter");
  await expect(mode).toHaveAccessibleName("Mode: Plan");
  model.queue(reply(message("<proposed_plan>\n1. Read the limits\n2. Raise the burst\n</proposed_plan>")));
  await holdfast.send("What would you do?");
  await expect(holdfast.article("Plan")).toContainText("Raise the burst");
  await expect(holdfast.article("Plan")).not.toContainText("proposed_plan");
  expect(lastRequest(model)).toContain("Plan Mode");
  await expect(holdfast.button("Stop")).toHaveCount(0);

  // A plan in the middle of a message that is streamed stands behind it, also where codex's record is read anew.
  const pieces = ["Let me ", "think.\n<prop", "osed_plan>\n1. Ask first\n</proposed_plan>", "\nThat is it."];
  model.queue(reply(streamed(pieces.join(""), pieces)));
  await holdfast.send("And otherwise?");
  const second = holdfast.article("Plan").last();
  await expect(second).toContainText("Ask first");
  await expect(second.getByRole("button", { name: "Carry out" })).toBeVisible();
  await expect(holdfast.button("Carry out")).toHaveCount(1);
  const kinds = () =>
    holdfast.conversation.getByRole("article").evaluateAll((all) => all.map((each) => each.ariaLabel));
  const order = ["You", "Agent", "You", "Plan", "You", "Agent", "Plan"];
  await expect.poll(kinds).toEqual(order);
  await fromHeader(holdfast, "Fork");
  await expect(holdfast.page.getByRole("heading", { name: "Hello (fork)" })).toBeVisible();
  await expect(holdfast.article("Plan").last()).toContainText("Ask first");
  await expect.poll(kinds).toEqual(order);

  // It is carried out: codex codes again, and is told to.
  model.queue(reply(message("Asked.")));
  const asked = model.requests.length;
  await holdfast.button("Carry out").press("Enter");
  await expect(holdfast.message).toBeFocused();
  await expect(holdfast.article("You").last()).toContainText("Implement the plan.");
  await expect(holdfast.article("Agent").last()).toContainText("Asked.");
  await expect(mode).toHaveAccessibleName("Mode: Code");
  expect((await model.request(asked)).lastUserText).toBe("Implement the plan.");
  await expect(holdfast.button("Stop")).toHaveCount(0);
  await expect(holdfast.button("Carry out")).toHaveCount(0);
  model.queue(reply(partOf("In short"), [model.hold("never")]));
  await fromHeader(holdfast, "Compact");
  await expect(holdfast.article("Compaction")).toContainText("Compacting the context");
  await expect(holdfast.thread(/^Hello \(fork\), running/)).toBeVisible();
  await model.gate("never").reached;
  // As in codex's own CLI: Escape asks, and Escape again stops. What is being written is left alone.
  const again = holdfast.page.getByRole("status").filter({ hasText: "Press Esc again to stop" });
  await holdfast.message.fill("unsent");
  await holdfast.message.press("Escape");
  await expect(holdfast.conversation).toBeFocused();
  await holdfast.message.fill("");
  await holdfast.message.press("Escape");
  await expect(again).toHaveCount(1);
  await expect(holdfast.message).toBeFocused();
  await expect(holdfast.message).toHaveAttribute("placeholder", "Press Esc again to stop");
  await holdfast.page.screenshot({ path: test.info().outputPath("again.png") });
  await expect(again, "a second later means nothing").toHaveCount(0);
  await expect(holdfast.button("Stop")).toHaveAttribute("aria-keyshortcuts", "Control+.");
  await holdfast.message.press("Escape");
  await expect(again).toHaveCount(1);
  await holdfast.message.press("Escape");
  await expect(holdfast.thread(/^Hello \(fork\), interrupted/)).toBeVisible();
  // It was the person who stopped it: the list says its age, as it will when the thread is not loaded any more.
  await expect(holdfast.thread(/^Hello \(fork\)/).locator('[data-drawn="interrupted"]')).toHaveCount(0);
  await holdfast.message.press("Escape");
  await expect(holdfast.conversation).toBeFocused();
  await expect(holdfast.article("Compaction")).toContainText("the context is as it was");
  model.queue(reply(message("In short: hello.")));
  await fromHeader(holdfast, "Compact");
  await expect(holdfast.article("Compaction").last()).toContainText("The context was compacted");
  await told(holdfast, model, "Go on", "Going on.");
  expect(lastRequest(model)).toContain("In short: hello.");
});

test("a failed turn says so once, and Retry sends the same again", async ({ holdfast, model }) => {
  model.queue(failure(400, "The model is out."));
  await holdfast.newThread();
  await holdfast.send("Try this");
  await expect(holdfast.thread(/^Try this, failed/)).toBeVisible();
  await expect(holdfast.conversation.getByText("The model is out.")).toHaveCount(1);
  model.queue(reply(message("Now it works.")));
  await holdfast.button("Retry").click();
  await expect(holdfast.conversation).toContainText("Now it works.");
  await expect(holdfast.article("You")).toHaveText([/Try this/, /Try this/]);
});

test.describe("while codex tries again", () => {
  test.use({ codexHomeOptions: { streamRetries: 2 } });

  test("that is said calmly, and nothing is left of it when it goes on", async ({ holdfast, model }) => {
    model.queue(
      reply(partOf("Half an "), [{ type: "cut" }]),
      reply([model.hold("again")], message("A whole answer.")),
    );
    await holdfast.newThread();
    await holdfast.send("Answer me");
    await model.gate("again").reached;
    const turn = holdfast.conversation.getByRole("status", { name: "Turn" });
    await expect(turn).toContainText(/Reconnecting/);
    await expect(holdfast.page.getByRole("tabpanel", { name: "Progress" })).toContainText("Reconnecting");
    await expect(holdfast.button("Retry")).toHaveCount(0);
    await expect(holdfast.page.getByRole("alert")).toHaveCount(0);
    model.gate("again").release();
    await expect(holdfast.conversation).toContainText("A whole answer.");
    await expect(holdfast.thread(/^Answer me, idle/)).toBeVisible();
    await expect(holdfast.page.getByText(/Reconnecting/)).toHaveCount(0);
  });

  test("and when it gives up, the failure is said once", async ({ holdfast, model }) => {
    model.handle(() => reply([{ type: "cut" }]));
    await holdfast.newThread();
    await holdfast.send("Answer me");
    await expect(holdfast.thread(/^Answer me, failed/)).toBeVisible();
    await expect(holdfast.button("Retry")).toHaveCount(1);
    await expect(holdfast.conversation.getByRole("region", { name: "End of turn: failed" })).toHaveCount(1);
    await expect(holdfast.conversation.getByText(/Reconnecting/)).toHaveCount(0);
    await expect(holdfast.article("Notice")).toHaveCount(0);
  });
});
