// What goes wrong with codex, as a person sees it and what they press then: a scripted codex for each, one window, and a
// thread that can be used afterwards. The same kinds without a window are in main/threads/faults.

import { expect, type Holdfast, type Sandbox } from "./support/app";
import type { FakeCodex, FakeScenario } from "./support/fakeCodex/scenario";
import { launchWith, test } from "./support/withFake";

interface Case {
  name: string;
  scenario: FakeScenario | ((sandbox: Sandbox) => FakeScenario);
  play(holdfast: Holdfast, codex: FakeCodex): Promise<void>;
}

const wayOff = { message: "Never asked for." };
/** What every thread does after its fault. */
const usual = [{ message: "All is well." }];
const begin = async (holdfast: Holdfast, text: string) => {
  await holdfast.newThread();
  await holdfast.send(text);
};
const turn = (holdfast: Holdfast) => holdfast.conversation.getByRole("status", { name: "Turn" });
const past = (sandbox: Sandbox, name: string) => ({
  cwd: sandbox.workspace,
  name,
  turns: [{ prompt: `Ask of ${name}`, answer: `Answer of ${name}` }],
});
const approve = { name: "Approve", exact: true };

/** In the page, in one tick. */
const twoEnters = `
  const enter = () => new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  const field = document.activeElement;
  field.dispatchEvent(enter());
  field.dispatchEvent(enter());
`;

const cases: Case[] = [
  {
    name: "Stop before codex has named the turn: it says that it is stopping, and the turn is stopped once it has a name",
    scenario: {
      replies: { "turn/start": [{ before: [{ gate: "named" }] }] },
      turns: [[{ gate: "never opened" }, wayOff], usual],
    },
    async play(holdfast, codex) {
      await begin(holdfast, "Go on and on.");
      await codex.until((line) => line.event === "gate");
      await holdfast.button("Stop").click();
      await expect(turn(holdfast)).toContainText(/stopping/i);
      expect(await codex.received("turn/interrupt")).toEqual([]);
      await codex.openGate("named");
      await expect(holdfast.thread(/interrupted/)).toBeVisible();
      expect(await codex.received("turn/interrupt")).toHaveLength(1);
      await expect(holdfast.conversation).not.toContainText(wayOff.message);
    },
  },
  {
    name: "nothing at all is told of a turn's end: the thread is idle within seconds, and Send is back",
    scenario: { mute: ["turn/completed", "thread/status/changed"], turns: [usual] },
    async play(holdfast) {
      await begin(holdfast, "Say it.");
      await expect(holdfast.conversation).toContainText("All is well.");
      await expect(holdfast.thread(/idle/)).toBeVisible({ timeout: 15_000 });
    },
  },
  {
    name: "an approval is settled elsewhere: its card goes away by itself, and nothing is answered",
    scenario: {
      turns: [
        [
          {
            request: "item/commandExecution/requestApproval",
            id: "elsewhere",
            wait: false,
            params: {
              threadId: "$threadId",
              turnId: "$turnId",
              itemId: "call",
              command: "make",
              cwd: "/",
              commandActions: [],
              startedAtMs: 1,
              reason: null,
              availableDecisions: ["accept", "decline"],
            },
          },
          { gate: "settled" },
          { notify: "serverRequest/resolved", params: { threadId: "$threadId", requestId: "elsewhere" } },
          { gate: "over" },
          { message: "Settled." },
        ],
        usual,
      ],
    },
    async play(holdfast, codex) {
      await begin(holdfast, "Ask somebody.");
      await expect(holdfast.approval).toBeVisible();
      await expect(holdfast.thread(/waiting for approval/)).toBeVisible();
      await codex.openGate("settled");
      await expect(holdfast.approval).toHaveCount(0);
      await expect(holdfast.thread(/running/)).toBeVisible();
      await codex.openGate("over");
      await expect(holdfast.conversation).toContainText("Settled.");
      expect((await codex.log()).filter((line) => line.received?.id === "elsewhere")).toEqual([]);
    },
  },
  {
    name: "the window is loaded anew while an approval waits, and Approve is clicked twice: the card is there, and one answer is given",
    scenario: {
      turns: [
        [{ command: "make", approval: { id: 7, decisions: ["accept", "decline"] } }, { message: "Made." }],
        usual,
      ],
    },
    async play(holdfast, codex) {
      await begin(holdfast, "Make it.");
      await expect(holdfast.approval).toContainText("make");
      await holdfast.page.reload();
      await expect(holdfast.approval).toContainText("make");
      await holdfast.approval.getByRole("button", approve).dblclick();
      await expect(holdfast.conversation).toContainText("Made.");
      const answers = (await codex.log()).filter(
        ({ received }) => received?.id === 7 && received.method === undefined,
      );
      expect(answers.map(({ received }) => received?.result)).toEqual([{ decision: "accept" }]);
    },
  },
  {
    name: "the connection breaks in mid-message: what was seen stays, what comes later follows, and nothing is there twice",
    scenario: {
      turns: [
        [
          { message: "Before the cut", id: "m", chunks: ["Before "], unfinished: true },
          { gate: "cut" },
          { drop: true },
          { gate: "whole" },
          { message: "Before and after the cut.", id: "m2", chunks: 2 },
        ],
        usual,
      ],
    },
    async play(holdfast, codex) {
      await begin(holdfast, "Speak.");
      await expect(holdfast.article("Agent")).toContainText("Before");
      await codex.openGate("cut");
      await codex.until((line) => line.event === "disconnected");
      await expect(holdfast.article("Agent")).toContainText("Before");
      await expect.poll(async () => (await codex.received("thread/resume")).length).toBe(1);
      await codex.openGate("whole");
      await expect(holdfast.conversation).toContainText("Before and after the cut.");
      await expect(holdfast.article("You")).toHaveCount(1);
      await expect(holdfast.article("Agent")).toHaveCount(2);
    },
  },
  {
    name: "a message is refused: it says so, keeps the text, and Send again sends it once more",
    scenario: {
      replies: { "turn/start": [{ answer: { error: { code: -32603, message: "The stars are wrong." } } }] },
      turns: [[{ message: "Now they are right." }], usual],
    },
    async play(holdfast, codex) {
      await begin(holdfast, "Two\nlines.");
      await expect(holdfast.conversation.getByRole("alert")).toContainText("The stars are wrong.");
      await expect(holdfast.conversation).toContainText("lines.");
      await expect(holdfast.thread(/failed/)).toBeVisible();
      await holdfast.button("Send again").click();
      await expect(holdfast.conversation).toContainText("Now they are right.");
      const sent = await codex.received("turn/start");
      expect(new Set(sent.map(({ params }) => params?.clientUserMessageId)).size).toBe(1);
      await expect(holdfast.article("You")).toHaveCount(1);
    },
  },
  {
    name: "a thread never loads: another one opens and works meanwhile",
    scenario: (sandbox) => ({
      threads: [past(sandbox, "Stuck"), past(sandbox, "Well")],
      replies: { "thread/resume": [{ answer: "none" }] },
      turns: [usual],
    }),
    async play(holdfast) {
      await holdfast.thread(/^Stuck/).click();
      await holdfast.message.fill("Typed while it loads.");
      await holdfast.thread(/^Well/).click();
      await expect(holdfast.conversation).toContainText("Answer of Well");
      await expect(holdfast.message).toHaveValue("");
      await holdfast.thread(/^Stuck/).click();
      await expect(holdfast.message).toHaveValue("Typed while it loads.");
      await holdfast.thread(/^Well/).click();
      await expect(holdfast.conversation).toContainText("Answer of Well");
    },
  },
  {
    name: "another program has the thread open: it can be read, says so plainly, and Retry opens it once it is free",
    scenario: (sandbox) => ({
      threads: [past(sandbox, "Held")],
      replies: {
        "thread/resume": [
          { answer: { error: { code: -32600, message: "thread X already has an active writer" } } },
        ],
      },
      turns: [usual],
    }),
    async play(holdfast) {
      await holdfast.thread(/^Held/).click();
      await expect(holdfast.page.getByText(/Another program has this thread open/).first()).toBeVisible();
      await expect(holdfast.conversation).toContainText("Answer of Held");
      await holdfast.button("Retry").first().click();
      await expect(holdfast.page.getByText(/Another program has this thread open/)).toHaveCount(0);
      await expect(holdfast.thread(/^Held, idle/)).toBeVisible();
      await expect(holdfast.conversation).toContainText("Answer of Held");
    },
  },
  {
    name: "codex has lost the thread's history: said plainly, and a new thread works",
    scenario: (sandbox) => ({
      threads: [past(sandbox, "Lost")],
      replies: {
        "thread/resume": [
          { answer: { error: { code: -32600, message: "no rollout found for thread id 1" } } },
        ],
      },
      turns: [usual],
    }),
    async play(holdfast) {
      await holdfast.thread(/^Lost/).click();
      await expect(holdfast.page.getByText(/no longer has the history/).first()).toBeVisible();
      await holdfast.page.getByRole("note").getByRole("button", { name: "New thread" }).click();
      await expect(holdfast.page.getByText(/no longer has the history/)).toHaveCount(0);
    },
  },
  {
    name: "codex retries and then goes on: a passing notice, and no failure in the end",
    scenario: {
      turns: [
        [
          { trouble: { message: "Reconnecting... 1/5", willRetry: true } },
          { gate: "seen" },
          { message: "Connected after all." },
        ],
        usual,
      ],
    },
    async play(holdfast, codex) {
      await begin(holdfast, "Try.");
      await expect(turn(holdfast)).toContainText("Reconnecting... 1/5");
      await expect(holdfast.thread(/running/)).toBeVisible();
      await codex.openGate("seen");
      await expect(holdfast.conversation).toContainText("Connected after all.");
      await expect(holdfast.conversation).not.toContainText("Reconnecting");
      await expect(holdfast.conversation.getByRole("alert")).toHaveCount(0);
    },
  },
  {
    name: "a turn fails: told once, in codex's words, and Retry sends the same message again",
    scenario: {
      turns: [
        [{ fail: { message: "Selected model is at capacity" } }],
        [{ message: "There is room." }],
        usual,
      ],
    },
    async play(holdfast) {
      await begin(holdfast, "Is there room?");
      await expect(holdfast.conversation.getByText("Selected model is at capacity")).toHaveCount(1);
      await holdfast.button("Retry").click();
      await expect(holdfast.conversation).toContainText("There is room.");
      await expect(holdfast.article("You")).toHaveCount(2);
    },
  },
  {
    name: "Enter twice in one tick while the thread is being made: one thread, one turn",
    scenario: { replies: { "thread/start": [{ before: [{ gate: "made" }] }] }, turns: [usual] },
    async play(holdfast, codex) {
      await holdfast.newThread();
      await holdfast.message.fill("Only once.");
      await holdfast.message.focus();
      await holdfast.page.evaluate(twoEnters);
      await codex.openGate("made");
      await expect(holdfast.conversation).toContainText("All is well.");
      await expect(holdfast.thread(/idle/)).toBeVisible();
      expect(await codex.received("thread/start")).toHaveLength(1);
      expect(await codex.received("turn/start")).toHaveLength(1);
    },
  },
  {
    name: "noise between codex's messages: passed over, and the turn goes on",
    scenario: {
      turns: [
        [
          { raw: "SUCCESS: The process with PID 4711 has been terminated." },
          { raw: '{"method":"item/started","params":{"thr' },
          { raw: "[1,2,3]" },
          { message: "Undisturbed." },
        ],
        usual,
      ],
    },
    async play(holdfast) {
      await begin(holdfast, "Speak up.");
      await expect(holdfast.conversation).toContainText("Undisturbed.");
    },
  },
];

for (const { name, scenario, play } of cases) {
  test(name, async ({ sandbox, fake }) => {
    const codex = await fake(typeof scenario === "function" ? scenario(sandbox) : scenario);
    const holdfast = await launchWith(sandbox, codex);
    await play(holdfast, codex);
    await expect(holdfast.button("Stop")).toHaveCount(0);
    const before = (await codex.received("turn/start")).length;
    const answersBefore = await holdfast.article("Agent").count();
    await holdfast.send("And now?");
    await expect(holdfast.article("Agent")).toHaveCount(answersBefore + 1);
    await expect(holdfast.article("Agent").last()).toHaveText("All is well.");
    await expect(holdfast.button("Stop")).toHaveCount(0, { timeout: 15_000 });
    expect(await codex.received("turn/start")).toHaveLength(before + 1);
    await sandbox.end(holdfast);
  });
}
