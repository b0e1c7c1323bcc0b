// Follow-ups with the real codex: written, changed, moved, deleted, sent now, held and let go. What the model is asked, and
// in which order, is the proof.

import { test as base, expect, type Holdfast } from "./support/app";
import { asked, FollowUpsTab } from "./support/followUps";
import { type ModelServer, message, partOf, reply, streamed } from "./support/modelServer";

const test = base.extend<{ followUps: FollowUpsTab }>({
  followUps: async ({ holdfast }, use) => use(new FollowUpsTab(holdfast)),
});

/** A turn that goes on until the gate is released. */
async function begin(holdfast: Holdfast, model: ModelServer, gate: string): Promise<void> {
  model.queue(reply(partOf("I am at it. "), [model.hold(gate)], streamed("Now I am done.")));
  await holdfast.newThread();
  await holdfast.send("Begin.");
  await expect(holdfast.conversation).toContainText("I am at it.");
}

const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

// In the page.
const writeHalf = `{
  const field = document.activeElement;
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(field, "Look \\ud83d");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}`;
const pasteImage = `{
  const bytes = Uint8Array.from(atob("${onePixel}"), (letter) => letter.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], "shot.png", { type: "image/png" }));
  const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(paste);
}`;

function answers(model: ModelServer, amount: number): void {
  for (let at = 0; at < amount; at += 1) model.queue(reply(message(`Answer ${at + 1}.`)));
}

test("they are added, edited, moved by the pointer and the keyboard and deleted, and sent as they stand then", async ({
  holdfast,
  model,
  followUps,
}) => {
  await begin(holdfast, model, "first");
  await followUps.queue("one", "two", "three");
  await expect(holdfast.article("You"), "what waits is no part of the conversation").toHaveText(["Begin."]);
  await expect(followUps.strip).toContainText("one");
  await followUps.strip.getByRole("button", { name: /^3 follow-ups wait\. Next: one/ }).click();
  await followUps.expectOrder("one", "two", "three");
  await followUps.newField.fill("four");
  await followUps.newField.press("Enter");
  await followUps.expectOrder("one", "two", "three", "four");
  await expect(followUps.newField).toHaveValue("");

  await followUps.row("one").dragTo(followUps.row("three"));
  await followUps.expectOrder("two", "three", "one", "four");
  await followUps.row("four").dragTo(followUps.row("two"));
  await followUps.expectOrder("four", "two", "three", "one");
  await followUps.row("four").focus();
  await holdfast.page.keyboard.press("Alt+ArrowDown");
  await followUps.expectOrder("two", "four", "three", "one");
  await expect(followUps.row("four"), "the keyboard stays with what it moved").toBeFocused();
  await followUps.row("one").getByRole("button", { name: "More" }).click();
  await holdfast.page.getByRole("menuitem", { name: "Move up" }).click();
  await followUps.expectOrder("two", "four", "one", "three");

  await followUps.row("two").getByRole("button", { name: "Edit" }).click();
  await expect(followUps.editField).toBeFocused();
  await expect(followUps.editField).not.toHaveValue("");
  await followUps.editField.fill("two, anew\nwith a second line");
  await followUps.editField.press("Enter");
  await followUps.expectOrder("two, anew with a second line", "four", "one", "three");
  await followUps.row("four").focus();
  await holdfast.page.keyboard.press("Enter");
  await expect(followUps.editField).not.toHaveValue("");
  await followUps.editField.fill("not this");
  await followUps.editField.press("Escape");
  await followUps.expectOrder("two, anew with a second line", "four", "one", "three");
  await expect(followUps.row("four")).toBeFocused();

  await followUps.row("one").getByRole("button", { name: "Delete" }).click();
  await followUps.expectOrder("two, anew with a second line", "four", "three");
  await holdfast.button("Undo").click();
  await followUps.expectOrder("two, anew with a second line", "four", "one", "three");
  await followUps.row("four").focus();
  await holdfast.page.keyboard.press("Delete");
  await followUps.expectOrder("two, anew with a second line", "one", "three");
  await expect(followUps.row("one")).toBeFocused();

  expect(asked(model)).toEqual(["Begin."]);
  answers(model, 3);
  model.gate("first").release();
  await expect(holdfast.conversation).toContainText("Answer 3.");
  await expect(holdfast.thread(/^Begin\., idle/)).toBeVisible();
  await followUps.expectNone();
  expect(asked(model)).toEqual(["Begin.", "two, anew\nwith a second line", "one", "three"]);
  await expect(holdfast.article("You")).toHaveText([
    "Begin.",
    "two, anew\nwith a second line",
    "one",
    "three",
  ]);
  expect(model.unexpected).toEqual([]);
});

test("one is sent now into the running turn, the others wait on", async ({ holdfast, model, followUps }) => {
  await begin(holdfast, model, "first");
  await followUps.open();
  await followUps.queue("one", "two", "three");
  await followUps.expectOrder("one", "two", "three");
  model.queue(reply(partOf("I have read it. "), [model.hold("second")], streamed("And that is all.")));
  await followUps.row("two").getByRole("button", { name: "Send now" }).click();
  await followUps.expectOrder("one", "three");
  // codex has it; before that the turn could end without it. It may break off for it what the model is saying.
  await expect(holdfast.conversation).toContainText(/Sent; the agent reads it|I have read it\./);
  model.gate("first").release();
  await expect(holdfast.conversation).toContainText("I have read it.");
  expect(asked(model), "in the turn that runs").toEqual(["Begin.", "two"]);
  expect(model.requests[1]?.turnId).toBe(model.requests[0]?.turnId);
  await followUps.expectOrder("one", "three");
  answers(model, 2);
  model.gate("second").release();
  await expect(holdfast.conversation).toContainText("Answer 2.");
  await followUps.expectNone();
  expect(asked(model)).toEqual(["Begin.", "two", "one", "three"]);
});

test("Stop holds them; one sent now goes first, and the rest goes on after it", async ({
  holdfast,
  model,
  followUps,
}) => {
  await begin(holdfast, model, "never");
  await followUps.queue("one", "two", "three");
  await holdfast.button("Stop").click();
  await expect(holdfast.thread(/^Begin\., interrupted/)).toBeVisible();
  await expect(
    followUps.strip.getByRole("button", { name: /^\d follow-ups? waits?, held: the turn was stopped/ }),
  ).toBeVisible();
  await followUps.open();
  await expect(followUps.panel).toContainText("Held: the turn was stopped.");
  await followUps.expectOrder("one", "two", "three");
  await followUps.row("three").dragTo(followUps.row("two"));
  await followUps.expectOrder("one", "three", "two");
  expect(asked(model)).toEqual(["Begin."]);

  answers(model, 3);
  await followUps.row("two").getByRole("button", { name: "Send now" }).click();
  await expect(holdfast.conversation).toContainText("Answer 3.");
  await followUps.expectNone();
  expect(asked(model)).toEqual(["Begin.", "two", "one", "three"]);
});

test("Stop holds them until Continue is pressed, also what is added meanwhile", async ({
  holdfast,
  model,
  followUps,
}) => {
  await begin(holdfast, model, "never");
  await followUps.open();
  await followUps.queue("one");
  await followUps.expectOrder("one");
  await holdfast.button("Stop").click();
  await expect(followUps.panel).toContainText("Held: the turn was stopped.");
  await followUps.newField.fill("two");
  await followUps.newField.press("Enter");
  await followUps.expectOrder("one", "two");
  await expect(followUps.panel).toContainText("Held: the turn was stopped.");
  expect(asked(model)).toEqual(["Begin."]);

  answers(model, 2);
  await followUps.panel.getByRole("button", { name: "Continue" }).click();
  await expect(holdfast.conversation).toContainText("Answer 2.");
  await followUps.expectNone();
  expect(asked(model)).toEqual(["Begin.", "one", "two"]);
});

test("a turn that fails holds them, and the palette lets them go", async ({ holdfast, model, followUps }) => {
  model.queue(reply(partOf("I am at it. "), [model.hold("failure"), { type: "cut" }]));
  // Nothing is answered before they are seen to be held: an answer that is quicker than the interrupt would end the turn.
  model.handle(({ lastUserText }) => reply([model.hold("held")], message(`Answer to ${lastUserText}.`)));
  await holdfast.newThread();
  await holdfast.send("Begin.");
  await expect(holdfast.conversation).toContainText("I am at it.");
  await followUps.open();
  await followUps.queue("one", "two");
  await followUps.expectOrder("one", "two");
  model.gate("failure").release();
  // codex goes on after a failure: what it takes up before it can be held is stopped, and put back in its place.
  await expect(holdfast.conversation).toContainText("Failed");
  await expect(followUps.panel).toContainText("Held: the turn failed.");
  await followUps.expectOrder("one", "two");
  await expect(holdfast.article("Agent")).toHaveCount(1);

  model.gate("held").release();
  await holdfast.page.keyboard.press("ControlOrMeta+k");
  await expect(holdfast.page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
  await holdfast.page.keyboard.type("continue follow");
  await holdfast.page.keyboard.press("Enter");
  await expect(holdfast.conversation).toContainText("Answer to two.");
  await followUps.expectNone();
  await expect(holdfast.article("Agent")).toHaveText(["I am at it.", "Answer to one.", "Answer to two."]);
  expect(asked(model).slice(-2)).toEqual(["one", "two"]);
});

test("a message that is sent while they are held goes first, and they go on after it", async ({
  holdfast,
  model,
  followUps,
}) => {
  await begin(holdfast, model, "never");
  await followUps.queue("one", "two");
  await holdfast.button("Stop").click();
  await expect(followUps.strip.getByRole("button", { name: /^\d follow-ups? waits?, held: / })).toBeVisible();
  answers(model, 3);
  await holdfast.message.fill("This first.");
  await expect(holdfast.button("Send")).toHaveAccessibleDescription(
    "Send now; the 2 held follow-ups go on after it",
  );
  await holdfast.button("Send").click();
  await expect(holdfast.conversation).toContainText("Answer 3.");
  await expect(followUps.strip).toHaveCount(0);
  expect(asked(model)).toEqual(["Begin.", "This first.", "one", "two"]);
});

test("an edit that comes too late is said to, is kept over a reload, and can be queued anew", async ({
  holdfast,
  model,
  followUps,
}) => {
  await begin(holdfast, model, "first");
  await followUps.open();
  await followUps.queue("one", "two");
  await followUps.row("one").getByRole("button", { name: "Edit" }).click();
  await expect(followUps.editField).not.toHaveValue("");
  await followUps.editField.fill("one, but better");
  await holdfast.page.reload();
  await expect(followUps.editField).toHaveValue("one, but better");

  model.queue(reply(partOf("I do as I was told. "), [model.hold("second")], streamed("Yes.")));
  model.gate("first").release();
  await expect(holdfast.conversation).toContainText("I do as I was told.");
  await expect(followUps.panel).toContainText("It has been sent meanwhile");
  await expect(followUps.editField).toHaveValue("one, but better");
  await followUps.panel.getByRole("button", { name: "Queue again" }).click();
  await followUps.expectOrder("two", "one, but better");
  await expect(followUps.editField).toHaveCount(0);

  answers(model, 2);
  model.gate("second").release();
  await expect(holdfast.conversation).toContainText("Answer 2.");
  await followUps.expectNone();
  expect(asked(model)).toEqual(["Begin.", "one", "two", "one, but better"]);
});

test("while nothing runs and nothing waits, what is added is sent at once", async ({
  holdfast,
  model,
  followUps,
}) => {
  answers(model, 2);
  await holdfast.newThread();
  await holdfast.send("Begin.");
  await expect(holdfast.conversation).toContainText("Answer 1.");
  await expect(holdfast.thread(/^Begin\., idle/)).toBeVisible();
  await followUps.open();
  await followUps.newField.fill("And then?");
  await followUps.newField.press("Enter");
  await expect(holdfast.conversation).toContainText("Answer 2.");
  await followUps.expectNone();
  expect(asked(model)).toEqual(["Begin.", "And then?"]);
  await expect(holdfast.article("You")).toHaveText(["Begin.", "And then?"]);
});

test("an image and half of a character: codex gets what it can read, and the file stays the one that was attached", async ({
  holdfast,
  model,
  followUps,
}) => {
  await begin(holdfast, model, "first");
  await followUps.open();
  await holdfast.message.focus();
  await holdfast.page.evaluate(writeHalf);
  await holdfast.page.evaluate(pasteImage);
  await expect(holdfast.page.getByRole("img", { name: "shot.png" })).toBeVisible();
  await holdfast.button("Queue").click();
  await expect(holdfast.message).toHaveValue("");
  const row = followUps.list.getByRole("listitem", { name: "Look \ufffd, 1 of 1, 1 attachment" });
  await expect(row).toContainText("shot.png");
  await row.getByRole("button", { name: "Edit" }).click();
  await expect(followUps.editField).not.toHaveValue("");
  await followUps.editField.fill("Look again");
  await followUps.editField.press("Enter");
  await expect(
    followUps.list.getByRole("listitem", { name: "Look again, 1 of 1, 1 attachment" }),
  ).toContainText("shot.png");

  answers(model, 1);
  model.gate("first").release();
  await expect(holdfast.conversation).toContainText("Answer 1.");
  const said = holdfast.article("You").filter({ hasText: "Look again" });
  await expect(said.getByRole("button", { name: "shot.png, show in its folder" })).toBeVisible();
  await followUps.expectNone();
  expect(JSON.stringify(model.requests[1]?.body)).toContain(`data:image/png;base64,${onePixel}`);
  expect(model.unexpected).toEqual([]);
});
