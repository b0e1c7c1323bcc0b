// What is known about child agents, from whatever says it first.

import { describe, expect, it } from "vitest";
import { agentItem, codexThread, codexTurn, commandApproval, resumed, userItem } from "../testCodexData";
import {
  addThread,
  begin,
  bench,
  C,
  codex,
  complete,
  finish,
  idle,
  later,
  opened,
  P,
  prepareBench,
  row,
  say,
  spawned,
} from "../testTree";
import { askAfterMs } from "./agentRecords";

prepareBench();

const agent = (threadId: string) => row(threadId)?.agent;
const activity = (id: string, kind: string, agentThreadId: string, path = `/root/${agentThreadId}`) => ({
  type: "subAgentActivity",
  id,
  kind,
  agentThreadId,
  agentPath: path,
});
const tool = (id: string, name: string, receivers: string[], more: object = {}) => ({
  type: "collabAgentToolCall",
  id,
  tool: name,
  status: "completed",
  senderThreadId: P,
  receiverThreadIds: receivers,
  prompt: null,
  agentsStates: {},
  ...more,
});
const spawnSource = (parent: string, more: object = {}) => ({
  subAgent: {
    thread_spawn: {
      parent_thread_id: parent,
      agent_path: null,
      agent_nickname: null,
      agent_role: null,
      ...more,
    },
  },
});
const usage = (threadId: string, totalTokens: number) =>
  say(threadId, "thread/tokenUsage/updated", {
    turnId: "c1",
    tokenUsage: { total: { totalTokens }, last: { totalTokens: 5 }, modelContextWindow: null },
  });

async function parentAtWork() {
  const window = await opened(P);
  begin(P, "p1");
  return window;
}
const askRecords = () => later(askAfterMs);

describe("what is known about an agent", () => {
  it("follows what it does: task, last words, tokens, and how its work ended", async () => {
    await parentAtWork();
    finish(P, "p1", tool("s", "spawnAgent", [C], { prompt: "Run  the\ntests" }));
    expect(agent(C)).toMatchObject({ name: "Agent", task: "Run the tests", outcome: null, tokens: null });
    begin(C, "c1");
    finish(C, "c1", agentItem("m", `They pass. ${"x".repeat(400)}`));
    usage(C, 1234);
    expect(agent(C)?.lastMessage).toMatch(/^They pass\. x{288}…$/);
    expect(agent(C)).toMatchObject({ tokens: 1234, outcome: null });
    idle(C);
    complete(C, "c1");
    expect(agent(C)?.outcome).toBe("completed");
    begin(C, "c2");
    finish(C, "c2", userItem("u", "And once more"));
    expect(agent(C)).toMatchObject({ outcome: null, task: "And once more" });
    complete(C, "c2", "failed");
    expect(agent(C)?.outcome).toBe("failed");
  });

  it("a message that the person wrote to it is no task", async () => {
    await parentAtWork();
    finish(P, "p1", tool("s", "spawnAgent", [C], { prompt: "Run the tests" }));
    begin(C, "c1");
    finish(C, "c1", userItem("u", "Faster, please", "client-1"));
    expect(agent(C)?.task).toBe("Run the tests");
  });

  it("interrupted, failed and closed are told apart, also by the one above alone", async () => {
    await parentAtWork();
    for (const id of ["a", "b", "c", "d"]) finish(P, "p1", activity(`s${id}`, "started", id));
    finish(P, "p1", activity("i", "interrupted", "a"));
    finish(
      P,
      "p1",
      tool("w", "wait", ["b"], { agentsStates: { b: { status: "errored", message: "No disk" } } }),
    );
    finish(
      P,
      "p1",
      tool("x", "closeAgent", ["c"], { agentsStates: { c: { status: "completed", message: "Ok" } } }),
    );
    finish(P, "p1", activity("f", "completed", "d"));
    expect(["a", "b", "c", "d"].map((id) => agent(id)?.outcome)).toEqual([
      "interrupted",
      "failed",
      "closed",
      "completed",
    ]);
    expect(agent("b")?.lastMessage).toBe("No disk");
  });

  it("an end that the one above reports late does not end what it does now", async () => {
    await parentAtWork();
    finish(P, "p1", activity("s", "started", C));
    say(C, "thread/status/changed", { status: { type: "active", activeFlags: [] } });
    begin(C, "c2");
    finish(P, "p1", activity("subagent-completed-c1", "completed", C));
    expect(agent(C)?.outcome).toBeNull();
  });

  it("of earlier runs: the conversation fills what is not known, and replaces nothing", async () => {
    addThread(C, { parentThreadId: P, title: "helper" });
    bench.ledger.runningItems.update(C, [
      {
        turnId: "",
        itemId: "agent",
        kind: "fact",
        item: {
          value: {
            name: "helper",
            role: "explorer",
            task: "The newest task",
            lastMessage: null,
            tokens: 7,
            acceptsMessages: true,
            outcome: "interrupted",
          },
        },
        textSoFar: "",
      },
    ]);
    bench.threads.rows.remove(C);
    bench.threads.rows.remember(bench.workspaceId);
    expect(agent(C)).toMatchObject({
      name: "helper",
      acceptsMessages: null,
      tokens: 7,
      outcome: "interrupted",
    });
    bench.rule("thread/resume", () =>
      resumed(P, [
        codexTurn("p0", "completed", [
          tool("s", "spawnAgent", [C], { prompt: "An old task" }),
          tool("w", "wait", [C], {
            agentsStates: { [C]: { status: "completed", message: "An old answer" } },
          }),
        ]),
      ]),
    );
    await opened(P);
    expect(agent(C)).toMatchObject({
      task: "The newest task",
      lastMessage: "An old answer",
      outcome: "interrupted",
    });
  });

  it("is kept: a later run knows it before codex has said anything", async () => {
    await parentAtWork();
    finish(P, "p1", activity("s", "started", C, "/root/tester"));
    begin(C, "c1");
    finish(C, "c1", agentItem("m", "Done"));
    usage(C, 42);
    complete(C, "c1");
    bench.threads.rows.remove(C);
    expect(row(C)).toBeNull();
    bench.threads.rows.remember(bench.workspaceId);
    expect(row(C)).toMatchObject({ title: "tester", parentThreadId: P });
    expect(agent(C)).toMatchObject({ name: "tester", lastMessage: "Done", tokens: 42, outcome: "completed" });
  });

  it("its own conversation, once loaded, says the rest", async () => {
    addThread(C, { parentThreadId: P });
    bench.rule("thread/resume", () =>
      resumed(C, [codexTurn("c1", "interrupted", [userItem("u", "Count"), agentItem("m", "One, two")])], {
        thread: {
          parentThreadId: P,
          agentNickname: "Pascal",
          agentRole: "explorer",
          canAcceptDirectInput: true,
          source: spawnSource(P),
        },
      }),
    );
    await opened(C);
    expect(agent(C)).toEqual({
      name: "Pascal",
      role: "explorer",
      task: "Count",
      lastMessage: "One, two",
      tokens: null,
      acceptsMessages: true,
      outcome: "interrupted",
    });
    say(C, "thread/closed");
    expect(agent(C)?.acceptsMessages).toBeNull();
  });
});

describe("codex's records of agents", () => {
  const record = (id: string, parent: string, more: object = {}) =>
    codexThread(id, {
      parentThreadId: parent,
      canAcceptDirectInput: false,
      source: spawnSource(parent, {
        agent_path: `/root/${id}`,
        agent_nickname: "Gauss",
        agent_role: "worker",
      }),
      ...more,
    });

  it("are asked for once, however many agents are named and however deep they are", async () => {
    bench.rule("thread/list", () => ({
      data: [record("deep", "b"), record("b", P), record("a", P), codexThread("stranger")],
      nextCursor: null,
    }));
    await parentAtWork();
    for (const id of ["a", "b"]) finish(P, "p1", activity(`s${id}`, "started", id));
    await askRecords();
    expect(codex().only("thread/list").params).toMatchObject({ ancestorThreadId: P });
    expect(row("deep")).toMatchObject({ parentThreadId: "b", title: "deep" });
    expect(row("stranger")).toBeNull();
    expect(agent("a")).toMatchObject({ name: "a", role: "worker", acceptsMessages: false });
    finish(P, "p1", activity("again", "interacted", "a"));
    await askRecords();
    expect(codex().all("thread/list")).toHaveLength(1);
  });

  it("more agents while they are asked: asked once more", async () => {
    await parentAtWork();
    finish(P, "p1", activity("sa", "started", "a"));
    await askRecords();
    finish(P, "p1", activity("sb", "started", "b"));
    finish(P, "p1", activity("sc", "started", "c"));
    await askRecords();
    codex()
      .only("thread/list")
      .answer({ data: [record("a", P)], nextCursor: null });
    await askRecords();
    expect(codex().all("thread/list")).toHaveLength(2);
  });

  it("that are not there yet are asked for again, and not for ever", async () => {
    bench.rule("thread/list", () => ({ data: [], nextCursor: null }));
    await parentAtWork();
    finish(P, "p1", activity("sa", "started", "a"));
    await askRecords();
    expect(agent("a")?.role).toBeNull();
    bench.rule("thread/list", () => ({ data: [record("a", P)], nextCursor: null }));
    await later(2 * askAfterMs);
    expect(agent("a")?.role).toBe("worker");
    await later(3_000);
    expect(codex().all("thread/list")).toHaveLength(2);
    bench.rule("thread/list", () => ({ data: [], nextCursor: null }));
    finish(P, "p1", activity("sb", "started", "b"));
    for (let step = 0; step < 18; step += 1) await later(askAfterMs);
    expect(codex().all("thread/list")).toHaveLength(6);
  });

  it("that cannot be had cost nothing but themselves", async () => {
    bench.rule("thread/list", () => new Error("unknown variant"));
    await parentAtWork();
    finish(P, "p1", activity("sa", "started", "a"));
    await askRecords();
    expect(row("a")).toMatchObject({ parentThreadId: P, title: "a" });
  });

  it("a placeholder gets its name when it is known, everywhere", async () => {
    const window = await parentAtWork();
    bench.rule("thread/list", () => ({ data: [record(C, P)], nextCursor: null }));
    finish(P, "p1", tool("s", "spawnAgent", [C]));
    codex().ask(1, "item/commandExecution/requestApproval", commandApproval(C, "c1"));
    expect(window.head.run?.waitingFor).toEqual(["your approval in agent Agent"]);
    await askRecords();
    expect(window.head.run?.waitingFor).toEqual(["your approval in agent child"]);
    expect(bench.waiting[0]?.agentName).toBe("child");
    expect(row(C)?.title).toBe("child");
    begin(C, "c1");
    expect(row(C)?.title).toBe("child");
  });
});

describe("a parent that waits for its agents", () => {
  const waitItem = (receivers: string[]) => tool("w", "wait", receivers, { status: "inProgress" });
  const begun = (item: object) => say(P, "item/started", { turnId: "p1", item, startedAtMs: 1 });

  it("says so, with the name where codex says whose, until it waits no more", async () => {
    const window = await parentAtWork();
    finish(P, "p1", activity("s", "started", C, "/root/tester"));
    begun(waitItem([]));
    expect(window.head.run?.waitingFor).toEqual(["its agents"]);
    finish(P, "p1", tool("w", "wait", []));
    expect(window.head.run?.waitingFor).toEqual([]);
    begun({ ...waitItem([C]), id: "w2" });
    expect(window.head.run?.waitingFor).toEqual(["agent tester"]);
    codex().ask(1, "item/commandExecution/requestApproval", commandApproval(C, "c1"));
    expect(window.head.run?.waitingFor).toEqual(["your approval in agent tester"]);
    complete(P, "p1", "interrupted");
    idle(P);
    begin(P, "p2");
    codex().say("serverRequest/resolved", { threadId: C, requestId: 1 });
    expect(window.head.run?.waitingFor).toEqual([]);
  });
});

it("requests of many agents are counted in what the parent waits for", async () => {
  const window = await parentAtWork();
  for (const [index, id] of ["a", "b", "c"].entries()) {
    finish(P, "p1", activity(`s${id}`, "started", id));
    codex().ask(index, "item/commandExecution/requestApproval", commandApproval(id, `${id}1`));
  }
  expect(window.head.run?.waitingFor).toEqual(["your approval in 3 agents"]);
});

describe("stopping", () => {
  it("an agent that begins while its parent is being stopped is stopped too", async () => {
    await parentAtWork();
    await bench.threads.runtime(P).stop();
    finish(P, "p1", spawned(C));
    begin(C, "c1");
    const interrupted = codex()
      .all("turn/interrupt")
      .map(({ params }) => params.threadId);
    expect(interrupted).toEqual([P, C]);
    complete(P, "p1", "interrupted");
    idle(P);
    complete(C, "c1", "interrupted");
    begin(C, "c2");
    expect(codex().all("turn/interrupt")).toHaveLength(2);
  });

  it("one agent alone leaves its parent and the others at work", async () => {
    await parentAtWork();
    for (const id of ["a", "b"]) {
      finish(P, "p1", activity(`s${id}`, "started", id));
      begin(id, `${id}1`);
    }
    await bench.threads.runtime("a").stop();
    expect(codex().only("turn/interrupt").params).toMatchObject({ threadId: "a", turnId: "a1" });
  });
});

it("a message to an agent that takes none is refused before it leaves, and so is its task once more", async () => {
  addThread(C, { parentThreadId: P });
  const turns = [codexTurn("c1", "interrupted", [userItem("u", "Run the tests")])];
  bench.rule("thread/resume", ({ params }) =>
    resumed(params.threadId, turns, { thread: { parentThreadId: P, canAcceptDirectInput: false } }),
  );
  await opened(C);
  const message = { clientId: crypto.randomUUID(), text: "Hello", attachments: [], mode: "turn" as const };
  expect(() => bench.threads.send(C, message)).toThrow(
    expect.objectContaining({ code: "agent_takes_no_messages" }),
  );
  await expect(bench.threads.actions.retry(C)).rejects.toMatchObject({ code: "agent_takes_no_messages" });
  expect(codex().all("turn/start")).toEqual([]);
});
