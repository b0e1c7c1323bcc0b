// Child agents on the real codex: below their parent with state and task, asking, given more to do, stopped, and there again
// after a restart.

import type { Locator } from "@playwright/test";
import {
  agentsV1,
  agentsV2,
  answersIn,
  followUp,
  scriptTeam,
  spawn,
  spawnV1,
  waitForAgents,
  whenAnswered,
} from "./support/agentTeam";
import { expect, type Holdfast, test } from "./support/app";
import { message, partOf, reply, shell } from "./support/modelServer";

const agentTree = ({ page }: Holdfast): Locator =>
  page.getByRole("tabpanel").getByRole("tree", { name: /agent/ });
const agent = (holdfast: Holdfast, name: RegExp): Locator =>
  agentTree(holdfast).getByRole("treeitem", { name });
const details = ({ page }: Holdfast, name: string): Locator =>
  page.getByRole("region", { name, exact: true });

async function showAgents(holdfast: Holdfast): Promise<void> {
  await holdfast.tab("Agents").click();
  await expect(agentTree(holdfast)).toBeVisible();
}

async function ask(holdfast: Holdfast): Promise<void> {
  await holdfast.newThread();
  await holdfast.send("[lead] Get it tested and written down.");
}

const runsOutside = (words: string) =>
  shell(words, { escalate: { justification: "It must leave the sandbox." } });

test.describe("agents that codex takes no messages for", () => {
  test.use({ codexHomeOptions: { extraLines: agentsV2 } });

  test("two are started; what one asks is answered at the parent, and its card closes at the child", async ({
    holdfast,
    model,
  }) => {
    scriptTeam(model, {
      lead: [
        reply(spawn("tester", "[tester] Run the tests."), spawn("writer", "[writer] Write it down.")),
        whenAnswered(2, reply(message("Both are done."))),
      ],
      tester: [reply(runsOutside("echo tested")), reply(message("All tests pass."))],
      writer: [reply(partOf("I write"), [model.hold("writing")], message("It is written down."))],
    });
    await ask(holdfast);
    await showAgents(holdfast);
    await expect(holdfast.tab("Agents")).toHaveAccessibleDescription("2");
    await expect(agent(holdfast, /^tester, waiting for approval/)).toBeVisible();
    await expect(agent(holdfast, /^writer, running/)).toBeVisible();
    await expect(holdfast.conversation).toContainText("Waiting for your approval in agent tester");
    await expect(holdfast.approval).toContainText("Agent tester");
    await holdfast.newThread();
    await expect(holdfast.approval).toHaveCount(0);
    await holdfast.page.keyboard.press("ControlOrMeta+j");
    await expect(holdfast.approval).toContainText("echo tested");
    await holdfast.newThread();
    const waiting = holdfast.page.getByRole("region", { name: "Needs you" });
    await waiting
      .getByRole("button", { name: /^tester, agent of .*, waiting for approval, command/ })
      .click();
    await expect(holdfast.page.getByRole("navigation", { name: "Works for" })).toBeVisible();
    await expect(holdfast.approval).toContainText("echo tested");
    await holdfast.button("Back to [lead] Get it tested and written down.").click();
    await expect(holdfast.approval).toContainText("echo tested");
    await holdfast.approval
      .getByRole("button", { name: /^Approve/ })
      .first()
      .click();
    await expect(holdfast.approval).toHaveCount(0);
    await expect(waiting).toHaveCount(0);
    await expect(agent(holdfast, /^tester, completed, its last message: All tests pass\./)).toBeVisible();
    await expect(holdfast.conversation).toContainText("Waiting for its agents");
    await agent(holdfast, /^tester/).dblclick();
    await expect(holdfast.article("Agent")).toContainText("All tests pass.");
    await expect(holdfast.approval).toHaveCount(0);
    await expect(holdfast.conversation).not.toContainText("declined");
    await holdfast.button("Back to [lead] Get it tested and written down.").click();
    model.gate("writing").release();
    await expect(holdfast.conversation).toContainText("Both are done.");
    await expect(agent(holdfast, /^writer, completed/)).toBeVisible();
  });

  test("a follow-up reaches one that has answered, with what it knew, and is told at the parent", async ({
    holdfast,
    model,
  }) => {
    const team = scriptTeam(model, {
      lead: [
        reply(spawn("tester", "[tester] Run the tests.")),
        (request) => {
          const isAskedAgain = request.entries.some(
            (entry) => entry.type === "call" && entry.name === "followup_task",
          );
          const answers = answersIn(request);
          if (answers === 1 && !isAskedAgain) return reply(followUp("tester", "Run them once more."));
          return answers < 2 ? reply(waitForAgents()) : reply(message("Tested twice."));
        },
      ],
      tester: [reply(message("All 17 tests pass.")), reply(message("Still 17."))],
    });
    await ask(holdfast);
    await showAgents(holdfast);
    await expect(holdfast.conversation).toContainText("Tested twice.");
    expect(JSON.stringify(team.asked("tester")[1]?.body.input)).toContain("All 17 tests pass.");
    await expect(agent(holdfast, /^tester, completed, its last message: Still 17\./)).toBeVisible();
    const told = holdfast.article("Sub-agent");
    await expect(told.filter({ hasText: "tester was given a follow-up: Run them once more." })).toHaveCount(
      1,
    );
    await expect(told.filter({ hasText: "tester was started: [tester] Run the tests." })).toHaveCount(1);
    await expect(details(holdfast, "tester")).toContainText("Run them once more.");
    await expect(details(holdfast, "tester")).toContainText("codex takes no messages for this agent");
    await details(holdfast, "tester").getByRole("button", { name: "Open tester" }).click();
    await expect(holdfast.page.getByText("codex takes no messages for this agent; write")).toBeVisible();
    await expect(holdfast.article("Agent")).toHaveCount(2);
    await expect(holdfast.article("Task")).toHaveText([
      /From “\[lead\] Get it .*\[tester\] Run the tests\./,
      /From “\[lead\] Get it .*Run them once more\./,
    ]);
    await expect(holdfast.article("You")).toHaveCount(0);
  });

  test("Stop ends the agents at work and their parent", async ({ holdfast, model }) => {
    scriptTeam(model, {
      lead: [
        reply(spawn("tester", "[tester] Run the tests."), spawn("writer", "[writer] Write it down.")),
        reply(waitForAgents()),
      ],
      tester: [reply(partOf("I begin"), [model.hold("never")])],
      writer: [reply(partOf("I begin"), [model.hold("never")])],
    });
    await ask(holdfast);
    await showAgents(holdfast);
    await expect(agent(holdfast, /^tester, running/)).toBeVisible();
    await expect(agent(holdfast, /^writer, running/)).toBeVisible();
    await agent(holdfast, /^writer/).click();
    await details(holdfast, "writer").getByRole("button", { name: "Stop writer" }).click();
    await expect(agent(holdfast, /^writer, interrupted/)).toBeVisible();
    await expect(agent(holdfast, /^tester, running/)).toBeVisible();
    await expect(holdfast.conversation).toContainText("Waiting for its agents");
    await holdfast.button("Stop").click();
    await expect(agent(holdfast, /^tester, interrupted/)).toBeVisible();
    await expect(holdfast.thread(/^\[lead\].*, interrupted/)).toBeVisible();
  });

  test("a restart in the middle: the agents are below their parent, with what they said", async ({
    sandbox,
    codexHome,
    model,
  }) => {
    const environment = { CODEX_HOME: codexHome.path };
    scriptTeam(model, {
      lead: [
        reply(spawn("tester", "[tester] Run the tests."), spawn("writer", "[writer] Write it down.")),
        whenAnswered(2, reply(message("Both are done."))),
      ],
      tester: [reply(message("All tests pass."))],
      writer: [reply(partOf("I write"), [model.hold("writing")], message("It is written down."))],
    });
    const first = await sandbox.launch({ environment });
    await ask(first);
    await showAgents(first);
    await expect(agent(first, /^tester, completed/)).toBeVisible();
    await expect(agent(first, /^writer, running/)).toBeVisible();
    await sandbox.kill(first);
    const second = await sandbox.launch({ environment });
    await second.thread(/^\[lead\].*running/).click();
    await showAgents(second);
    await expect(agent(second, /^tester, completed, its last message: All tests pass\./)).toBeVisible();
    await expect(agent(second, /^writer, running/)).toBeVisible();
    await expect(second.article("Sub-agent").first()).toContainText("[tester] Run the tests.");
    await expect(second.sidebar.getByRole("treeitem", { name: /^(tester|writer),/, level: 2 })).toHaveCount(
      0,
    );
    model.gate("writing").release();
    await expect(second.conversation).toContainText("Both are done.");
    await expect(agent(second, /^writer, completed, its last message: It is written down\./)).toBeVisible();
  });
});

test.describe("agents that take messages, and start agents of their own", () => {
  test.use({ codexHomeOptions: { extraLines: agentsV1 } });

  test("an agent's agent is below it; a message reaches it, and its task is not the person's", async ({
    holdfast,
    model,
  }) => {
    const team = scriptTeam(model, {
      lead: [
        reply(spawnV1("[writer] Write it down.", "explorer")),
        reply(partOf("I look on"), [model.hold("end")], message("All done.")),
        () => reply(message("I have heard of it.")),
      ],
      // By what it was asked, not by how often: an agent that ends is told to the one that started it, which costs a request
      // more when that one is still at work.
      writer: [
        ({ lastUserText, entries }) => {
          if (lastUserText === "Say it in French, too.") return reply(message("In French: c'est fait."));
          if (lastUserText === "Wrap it up.") return reply(message("Wrapped up."));
          return entries.some(({ type }) => type === "call")
            ? reply(message("It is written down."))
            : reply(spawnV1("[deep] Look up the word."));
        },
      ],
      deep: [reply(message("The word is holdfast."))],
    });
    await ask(holdfast);
    await showAgents(holdfast);
    const writer = agentTree(holdfast).getByRole("treeitem", { name: /completed, role explorer/, level: 1 });
    await expect(writer).toHaveAccessibleName(/its last message: It is written down\./);
    const deep = agentTree(holdfast).getByRole("treeitem", { name: /The word is holdfast\./, level: 2 });
    await expect(deep).toBeVisible();
    await writer.click();
    await agentTree(holdfast).focus();
    await holdfast.page.keyboard.press("ArrowRight");
    await expect(deep).toHaveAttribute("aria-selected", "true");
    await holdfast.page.keyboard.press("ArrowLeft");
    await expect(writer).toHaveAttribute("aria-selected", "true");
    const field = holdfast.page.getByRole("tabpanel").getByRole("textbox", { name: /^Write to / });
    await field.fill("Say it in French, too.");
    await field.press("Enter");
    await expect(writer).toHaveAccessibleName(/In French: c'est fait\./);
    expect(team.asked("writer").at(-1)?.lastUserText).toBe("Say it in French, too.");
    await agentTree(holdfast).focus();
    await holdfast.page.keyboard.press("Enter");
    await expect(holdfast.article("Task")).toContainText("[writer] Write it down.");
    await expect(holdfast.article("You")).toContainText("Say it in French, too.");
    await holdfast.send("Wrap it up.");
    await expect(holdfast.article("Agent").last()).toContainText("Wrapped up.");
    await holdfast.button("Back to [lead] Get it tested and written down.").click();
    await expect(holdfast.article("Sub-agent").first()).toContainText("[writer] Write it down.");
    model.gate("end").release();
    await expect(holdfast.conversation).toContainText("All done.");
  });
});
