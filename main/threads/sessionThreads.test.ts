// A process that had been running before Holdfast was; and what keeps a session.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Connection } from "../supervisor/connection";
import { lingerMs } from "./linger";
import {
  agentItem,
  codexThread,
  codexTurn,
  commandApproval,
  listed,
  resumed,
  started,
  userItem,
} from "./testCodexData";
import { settle, TestThreads } from "./testThreads";

let bench: TestThreads;
/** What codex has in memory, and how each thread is. */
let memory: Map<string, { status: object; parentThreadId?: string; ephemeral?: boolean }>;

const idle = { type: "idle" };
const active = { type: "active", activeFlags: [] };

beforeEach(async () => {
  bench = new TestThreads();
  memory = new Map();
  bench.rule("thread/resume", ({ params: { threadId } }) => {
    const isActive = memory.get(threadId)?.status === active;
    return resumed(threadId, isActive ? [theTurn()] : [], { status: isActive ? "active" : "idle" });
  });
  bench.rule("thread/loaded/list", () => ({ data: [...memory.keys()], nextCursor: null }));
  bench.rule("thread/read", ({ params: { threadId } }) => ({
    thread: codexThread(threadId, { preview: `About ${threadId}`, ...memory.get(threadId) }),
  }));
  bench.rule("thread/turns/list", () => listed([]));
  bench.rule("thread/queue/list", () => listed([]));
  bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
  bench.rule("config/read", () => ({ config: { mcp_servers: {} } }));
  addThread("known");
});

afterEach(() => bench.end());

function addThread(threadId: string, more: object = {}): void {
  bench.ledger.threads.upsert([
    {
      threadId,
      workspaceId: bench.workspaceId,
      profileId: "user",
      title: threadId,
      preview: "Hello",
      createdAtMs: 1,
      updatedAtMs: 1,
      archived: false,
      lastKnownState: "idle",
      parentThreadId: null,
      source: "app",
      ...more,
    },
  ]);
  bench.threads.rows.remember(bench.workspaceId);
}

const theTurn = (...items: Record<string, unknown>[]) =>
  codexTurn("t1", "inProgress", [userItem("u", "Do it"), ...items]);

async function adopt(): Promise<void> {
  await bench.reconnect();
  await bench.threads.adopted(bench.workspaceId, bench.connection as Connection);
  await settle();
}

const resumedIds = () => bench.codex.all("thread/resume").map(({ params }) => params.threadId);
const later = async (byMs: number) => {
  await settle();
  for (let left = byMs; left > 0; left -= 1_000) {
    bench.clock.advance(Math.min(left, 1_000));
    await settle();
  }
};
const say = (threadId: string, method: string, more: object = {}) =>
  bench.codex.say(method, { threadId, ...more });
const unload = (threadId: string) => {
  memory.delete(threadId);
  say(threadId, "thread/status/changed", { status: { type: "notLoaded" } });
  say(threadId, "thread/closed");
};
const complete = (threadId: string) => {
  memory.set(threadId, { status: idle });
  say(threadId, "thread/status/changed", { status: idle });
  say(threadId, "turn/completed", { turn: codexTurn("t1", "completed") });
};

describe("a process that is adopted", () => {
  it("is followed in what it is at work in, to the end; what is idle is left alone", async () => {
    memory = new Map([
      ["known", { status: active }],
      ["resting", { status: idle }],
    ]);
    await adopt();
    expect(resumedIds()).toEqual(["known"]);
    expect(bench.rows.get("known")).toBe("known: running");
    expect(bench.rows.has("resting")).toBe(false);
    complete("known");
    expect(bench.rows.get("known")).toBe("known: idle");
    expect(bench.endedUnseen).toEqual(["known"]);
  });

  it("shows threads at work that nobody had heard of, and children under their parents", async () => {
    memory = new Map([
      ["stranger", { status: active }],
      ["child", { status: active, parentThreadId: "mother" }],
      ["mother", { status: idle }],
      ["fleeting", { status: active, ephemeral: true }],
    ]);
    await adopt();
    expect(bench.rows.get("stranger")).toBe("About stranger: running");
    expect(bench.threads.rows.get("child")).toMatchObject({ parentThreadId: "mother", state: "running" });
    expect(bench.threads.rows.get("mother")).toMatchObject({ parentThreadId: null });
    // Resuming the parent would not bring what the child says and asks.
    expect(resumedIds().sort()).toEqual(["child", "stranger"]);
    expect(bench.ledger.threads.get("stranger")).toMatchObject({ workspaceId: bench.workspaceId });
  });

  it("is asked page by page, and one thread that cannot be read hides no other", async () => {
    memory = new Map([["known", { status: active }]]);
    bench.rule("thread/loaded/list", ({ params }) =>
      params.cursor === "next"
        ? { data: ["known"], nextCursor: null }
        : { data: ["broken"], nextCursor: "next" },
    );
    bench.rule("thread/read", ({ params: { threadId } }) =>
      threadId === "broken"
        ? new Error("no rollout found")
        : { thread: codexThread(threadId, memory.get(threadId)) },
    );
    await adopt();
    expect(resumedIds()).toEqual(["known"]);
  });

  it("loads three threads at a time, those that are shown first", async () => {
    const ids = ["a", "b", "c", "d", "e"];
    memory = new Map(ids.map((id) => [id, { status: active }]));
    for (const id of ids) addThread(id);
    bench.hold("thread/resume");
    await bench.reconnect();
    const adopted = bench.threads.adopted(bench.workspaceId, bench.connection as Connection);
    await settle();
    expect(resumedIds()).toEqual(["a", "b", "c"]);
    // Shown threads do not wait for their turn.
    const window = bench.open("e");
    await settle();
    expect(resumedIds()).toEqual(["a", "b", "c", "e"]);
    for (const id of ["a", "b", "c", "e", "d"]) {
      bench.codex
        .all("thread/resume")
        .find(({ params }) => params.threadId === id)
        ?.answer(resumed(id, [theTurn()], { status: "active" }));
      await settle();
    }
    await adopted;
    expect(resumedIds()).toEqual(["a", "b", "c", "e", "d"]);
    expect(window.head.state).toBe("running");
  });

  it("that does not answer keeps nothing from going on", async () => {
    bench.hold("thread/loaded/list");
    await bench.reconnect();
    const adopted = bench.threads.adopted(bench.workspaceId, bench.connection as Connection);
    await settle();
    const window = bench.open("known");
    await settle();
    expect(window.head.residency).toBe("loaded");
    await bench.cut();
    await expect(adopted).resolves.toBeUndefined();
  });

  it("asks again what it waits for, once, also for a child agent", async () => {
    memory = new Map([
      ["mother", { status: idle }],
      ["child", { status: active, parentThreadId: "mother" }],
    ]);
    bench.rule("thread/resume", ({ params: { threadId } }) => {
      queueMicrotask(() =>
        bench.codex.ask(0, "item/commandExecution/requestApproval", commandApproval(threadId, "t1")),
      );
      return resumed(threadId, [theTurn()], { status: "active", flags: ["waitingOnApproval"] });
    });
    await adopt();
    expect(bench.waiting.map(({ threadId }) => threadId)).toEqual(["child"]);
    expect(bench.rows.get("child")).toBe("About child: waiting for approval");
    const request = bench.waiting[0];
    if (!request) throw new Error("nothing waits");
    const answer = { requestKey: request.key, decisionId: request.decisions[0]?.id ?? "" };
    expect(bench.threads.answer(answer)).toBe("sent");
    expect(bench.codex.answers).toEqual([{ id: 0, result: { decision: "accept" } }]);
  });
});

describe("an agent that began while nobody listened", () => {
  const spawned = {
    type: "subAgentActivity",
    id: "a",
    kind: "started",
    agentThreadId: "agent",
    agentPath: "/root/scout",
  };
  const asksAtOnce = () => {
    const asked = bench.codex.all("thread/resume").filter(({ params }) => params.threadId === "agent");
    expect(asked).toHaveLength(1);
    bench.codex.ask(3, "item/commandExecution/requestApproval", commandApproval("agent", "t1"));
    expect(bench.waiting.map(({ threadId }) => threadId)).toEqual(["agent"]);
    expect(bench.rows.get("agent")).toBe("scout: waiting for approval");
  };
  const withAgent = () =>
    bench.rule("thread/resume", ({ params: { threadId } }) =>
      resumed(threadId, [codexTurn("t1", "inProgress", threadId === "known" ? [spawned] : [])], {
        status: "active",
      }),
    );

  it("is found when the connection is back, and what it asks is shown", async () => {
    memory.set("known", { status: active });
    await bench.reconnect();
    bench.open("known");
    await settle();
    await bench.cut();
    memory.set("agent", { status: active, parentThreadId: "known" });
    withAgent();
    await bench.reconnect();
    asksAtOnce();
  });

  it("is found when its parent's conversation names it, loaded for whatever reason", async () => {
    await bench.reconnect();
    memory.set("known", { status: active }).set("agent", { status: active, parentThreadId: "known" });
    withAgent();
    bench.open("known");
    await settle();
    asksAtOnce();
  });

  it("is not looked for among agents that have long ended", async () => {
    await bench.reconnect();
    memory.set("known", { status: active });
    withAgent();
    bench.open("known");
    await settle();
    expect(bench.codex.all("thread/read")).toEqual([]);
    expect(bench.codex.all("thread/resume")).toHaveLength(1);
  });
});

describe("Holdfast was killed", () => {
  const asks = () => {
    bench.rule("thread/resume", ({ params: { threadId } }) => {
      queueMicrotask(() =>
        bench.codex.ask(0, "item/commandExecution/requestApproval", commandApproval(threadId, "t1")),
      );
      return resumed(threadId, [theTurn()], { status: "active", flags: ["waitingOnApproval"] });
    });
  };

  it("and a decision given before is sent again, not asked again", async () => {
    memory = new Map([["known", { status: active }]]);
    asks();
    await bench.reconnect();
    bench.open("known");
    await settle();
    const [request] = bench.waiting;
    if (!request) throw new Error("nothing waits");
    bench.threads.answer({ requestKey: request.key, decisionId: request.decisions[0]?.id ?? "" });
    await bench.restart({ codexLives: true });
    await adopt();
    expect(bench.codex.answers).toEqual([{ id: 0, result: { decision: "accept" } }]);
    expect(bench.waiting).toEqual([]);
  });

  it("and what nobody had decided is asked again, once", async () => {
    memory = new Map([["known", { status: active }]]);
    asks();
    await bench.reconnect();
    bench.open("known");
    await settle();
    await bench.restart({ codexLives: true });
    await adopt();
    const window = bench.open("known");
    await settle();
    expect(bench.waiting).toHaveLength(1);
    expect(window.head.requests).toHaveLength(1);
    expect(window.head.state).toBe("waiting for approval");
    expect(bench.ledger.requests.listOpen(bench.codex.handleId)).toHaveLength(1);
  });

  it("and what a process waited for that is gone is not waited for any more", async () => {
    memory = new Map([["known", { status: active }]]);
    asks();
    await bench.reconnect();
    bench.open("known");
    await settle();
    const { handleId } = bench.codex;
    await bench.restart({ codexLives: false });
    bench.threads.requests.processGone(handleId);
    expect(bench.ledger.requests.listOpen(handleId)).toEqual([]);
    expect(bench.waiting).toEqual([]);
  });

  const clientId = "00000000-0000-4000-8000-000000000001";
  const sendAndDie = async () => {
    await bench.reconnect();
    bench.open("known");
    await settle();
    bench.threads.send("known", { clientId, text: "Do it", attachments: [], mode: "turn" });
    await settle();
    expect(bench.codex.all("turn/start")).toHaveLength(1);
    await bench.restart({ codexLives: true });
  };

  it("after turn/start was written, which codex works on: the message is delivered, once", async () => {
    await sendAndDie();
    memory = new Map([["known", { status: active }]]);
    const turn = codexTurn("t1", "inProgress", [userItem("u", "Do it", clientId)]);
    bench.rule("thread/resume", () => resumed("known", [turn], { status: "active" }));
    await adopt();
    const window = bench.open("known");
    await settle();
    expect(window.texts).toEqual(["user completed: Do it"]);
    expect(window.sending).toEqual([]);
    say("known", "item/completed", { turnId: "t1", item: agentItem("m", "Done"), completedAtMs: 1 });
    complete("known");
    await later(15_000);
    expect(bench.ledger.submissions.get(clientId)).toMatchObject({ state: "delivered", turnId: "t1" });
    expect(bench.codex.all("turn/start")).toEqual([]);
    expect(window.texts).toEqual(["user completed: Do it", "agent completed: Done"]);
  });

  it("after turn/start was written, which codex has not got: the message comes back with its text", async () => {
    await sendAndDie();
    memory = new Map([["known", { status: idle }]]);
    await adopt();
    await later(2_000);
    const window = bench.open("known");
    await settle();
    expect(window.sending).toEqual(["Do it: undelivered"]);
    expect(bench.codex.all("turn/start")).toEqual([]);
    bench.threads.runtime("known").delivery.resend(clientId);
    await settle();
    expect(bench.codex.only("turn/start").params).toMatchObject({ clientUserMessageId: clientId });
  });
});

describe("a session", () => {
  const isKept = () => bench.threads.keepsSession(bench.workspaceId);

  it("is kept while a thread is shown, and then until codex has unloaded it", async () => {
    expect(isKept()).toBe(false);
    await bench.reconnect();
    expect(isKept()).toBe(false);
    const window = bench.open("known");
    expect(isKept()).toBe(true);
    await settle();
    bench.close(window);
    await later(lingerMs);
    expect(bench.codex.all("thread/unsubscribe")).toHaveLength(1);
    expect(isKept()).toBe(true);
    unload("known");
    expect(isKept()).toBe(false);
  });

  it("is not kept for a thread that codex had unloaded already when we let it go", async () => {
    bench.rule("thread/unsubscribe", () => ({ status: "notLoaded" }));
    await bench.reconnect();
    const window = bench.open("known");
    await settle();
    bench.close(window);
    await later(lingerMs);
    expect(isKept()).toBe(false);
  });

  it("is kept while a message is on its way to a thread that is still to be made", async () => {
    await bench.reconnect();
    const key = bench.threads.compose(bench.workspaceId);
    bench.threads.send(key, { clientId: "c", text: "Do it", attachments: [], mode: "turn" });
    await settle();
    expect(isKept()).toBe(true);
    bench.codex.only("thread/start").answer(started("made"));
    await settle();
    bench.codex.only("turn/start").refuse("The model is not there.");
    await settle();
    await later(lingerMs);
    expect(isKept()).toBe(true);
    unload("made");
    expect(isKept()).toBe(false);
  });

  it("is kept for what an adopted process has in memory", async () => {
    memory = new Map([["resting", { status: idle }]]);
    await adopt();
    expect(isKept()).toBe(true);
    unload("resting");
    expect(isKept()).toBe(false);
  });

  it("is not kept for what was unloaded while nobody listened", async () => {
    memory = new Map([["resting", { status: idle }]]);
    await adopt();
    await bench.cut();
    expect(isKept()).toBe(true);
    memory = new Map();
    await bench.reconnect();
    expect(isKept()).toBe(false);
  });

  it("is not kept for the memory of a process that is gone", async () => {
    memory = new Map([["resting", { status: idle }]]);
    await adopt();
    await bench.kill();
    expect(isKept()).toBe(false);
  });
});
