// What the real codex cannot be made to do on demand, staged by the fake one (whose behaviour is held against the real
// one by its own tests).

import { expect } from "./support/app";
import type { Json } from "./support/fakeCodex/scenario";
import { expectKeyboardInMenu } from "./support/openMenu";
import { launchWith, test } from "./support/withFake";

function model(number: number): Json {
  return {
    id: `model-${number}`,
    model: `model-${number}`,
    displayName: `Model ${number}`,
    description: "One of many models, with a few words about what it is good for.",
    hidden: false,
    supportedReasoningEfforts: [],
    defaultReasoningEffort: "none",
    inputModalities: ["text"],
    isDefault: number === 1,
  };
}

test("an item of an unknown type is shown with its name and content, and many models in a menu that can be used", async ({
  sandbox,
  fake,
}) => {
  const data = Array.from({ length: 30 }, (_, index) => model(index + 1));
  const codex = await fake({
    replies: { "model/list": { answer: { result: { data, nextCursor: null } } } },
    turns: [[{ item: { type: "futureItem", id: "f1", flavour: "vanilla" } }, { message: "It went on." }]],
  });
  const holdfast = await launchWith(sandbox, codex);
  await holdfast.newThread();
  await holdfast.send("Surprise me.");
  await expect(holdfast.conversation).toContainText("It went on.");
  await expect(holdfast.article("Unknown item")).toContainText("futureItem");
  await expect(holdfast.thread(/idle/)).toBeVisible();

  const pill = holdfast.page.getByRole("button", { name: /^Model: / });
  await pill.press("Enter");
  const menu = holdfast.page.getByRole("menu");
  const last = menu.getByRole("menuitemradio", { name: /^Model 30/ });
  await expect(last).toBeAttached();
  expect((await menu.boundingBox())?.height).toBeLessThanOrEqual(480);
  await expect(last).not.toBeInViewport();
  await expectKeyboardInMenu(holdfast.page);
  // The last one of all is the model that the thread has, which codex does not list.
  await holdfast.page.keyboard.press("End");
  await holdfast.page.keyboard.press("ArrowUp");
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport({ ratio: 1 });
  await last.press("Enter");
  await expect(pill).toHaveAccessibleName("Model: Model 30");
  // The head calls it the same, and says what codex calls it.
  const chip = holdfast.page.getByRole("main").getByLabel("Model Model 30", { exact: true });
  await expect(chip).toHaveText("Model 30");
  await expect(chip).toHaveAttribute("title", "model-30");
  await sandbox.end(holdfast);
});

test("an unknown request gets one answer, method not found, and a note in the thread", async ({
  sandbox,
  fake,
}) => {
  const codex = await fake({
    turns: [
      [
        { request: "future/unknownRequest", id: 99, params: { threadId: "$threadId", turnId: "$turnId" } },
        { message: "Never mind." },
      ],
    ],
  });
  const holdfast = await launchWith(sandbox, codex);
  await holdfast.newThread();
  await holdfast.send("Ask me something new.");
  await expect(holdfast.conversation).toContainText("Never mind.");
  await expect(holdfast.article("Notice")).toBeVisible();
  const answers = (await codex.log()).filter((line) => line.received?.id === 99);
  expect(answers).toHaveLength(1);
  expect(answers[0]?.received).toMatchObject({ error: { code: -32601 } });
  await sandbox.end(holdfast);
});

test("a turn whose end is never told does not keep the thread running", async ({ sandbox, fake }) => {
  const codex = await fake({ mute: ["turn/completed"], turns: [[{ message: "All said." }]] });
  const holdfast = await launchWith(sandbox, codex);
  await holdfast.newThread();
  await holdfast.send("Say it.");
  await expect(holdfast.conversation).toContainText("All said.");
  await expect(holdfast.thread(/idle/)).toBeVisible();
  await expect(holdfast.button("Send")).toBeVisible();
  await sandbox.end(holdfast);
});

test("two approvals at once, with the ids 0 and a1: each button answers the request that it was drawn for", async ({
  sandbox,
  fake,
}) => {
  const codex = await fake({
    turns: [
      [
        { command: "first", approval: { id: 0, decisions: ["accept", "decline"] } },
        { command: "second", approval: { id: "a1", decisions: ["accept", "decline"] } },
        { message: "Both answered." },
      ],
    ],
  });
  const holdfast = await launchWith(sandbox, codex);
  await holdfast.newThread();
  await holdfast.send("Two, please.");
  await expect(holdfast.approval).toContainText("first");
  await holdfast.approval.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(holdfast.approval).toContainText("second");
  await holdfast.approval.getByRole("button", { name: "Decline", exact: true }).click();
  await expect(holdfast.conversation).toContainText("Both answered.");
  const answers = (await codex.log()).filter((line) => line.received?.id === 0 || line.received?.id === "a1");
  expect(answers.map((line) => [line.received?.id, line.received?.result])).toEqual([
    [0, { decision: "accept" }],
    ["a1", { decision: "decline" }],
  ]);
  await sandbox.end(holdfast);
});

test("codex dies in the middle of a turn: what is on screen stays, and the next message works", async ({
  sandbox,
  fake,
}) => {
  const codex = await fake({
    turns: [
      [{ message: "Half a", unfinished: true, chunks: 1 }, { gate: "death" }, { die: { signal: "SIGKILL" } }],
    ],
  });
  const holdfast = await launchWith(sandbox, codex);
  await holdfast.newThread();
  await holdfast.send("Speak.");
  await expect(holdfast.conversation).toContainText("Half a");
  // What the next process does; this one has read its scenario.
  await codex.setScenario({ turns: [[{ message: "Whole." }]] });
  await codex.openGate("death");
  await expect(holdfast.conversation).toContainText(/killed \(SIGKILL\)/);
  await expect(holdfast.thread(/interrupted|not loaded|idle/)).toBeVisible();
  await expect(holdfast.session).toContainText(/^connected/);
  await holdfast.send("Again.");
  await expect(holdfast.conversation).toContainText("Whole.");
  await expect(holdfast.conversation).toContainText("Half a");
  await sandbox.end(holdfast);
});

test("New thread right after Send opens another thread, and each message goes to its own", async ({
  sandbox,
  fake,
}) => {
  const codex = await fake({
    replies: { "thread/start": [{ before: [{ gate: "started" }] }] },
    turns: [[{ message: "Heard." }]],
  });
  const holdfast = await launchWith(sandbox, codex);
  await holdfast.newThread();
  await holdfast.send("Left?");
  await holdfast.button("New thread").click();
  await expect(holdfast.message).toHaveValue("");
  await expect(holdfast.article("You")).toHaveCount(0);
  await holdfast.send("Right?");
  await codex.openGate("started");
  await expect(holdfast.thread(/^Left\?, idle/)).toBeVisible();
  await expect(holdfast.thread(/^Right\?, idle/)).toBeVisible();
  const threads = (await codex.received("turn/start")).map((message) => message.params?.threadId);
  expect(new Set(threads).size).toBe(2);
  await sandbox.end(holdfast);
});
