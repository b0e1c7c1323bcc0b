// A thread that codex says it has loaded, whether it answers or not.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codexThread, codexTurn, listed, resumed, userItem } from "./testCodexData";
import { settle, TestThreads } from "./testThreads";

const T = "thread-1";
let bench: TestThreads;

beforeEach(async () => {
  bench = new TestThreads();
  bench.rule("thread/turns/list", () => listed([theTurn("completed")]));
  bench.rule("thread/queue/list", () => listed([]));
  bench.rule("thread/read", () => ({ thread: codexThread(T) }));
  bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
  bench.ledger.threads.upsert([
    {
      threadId: T,
      workspaceId: bench.workspaceId,
      profileId: "user",
      title: "Title",
      preview: "Hello",
      createdAtMs: 1,
      updatedAtMs: 1,
      archived: false,
      lastKnownState: "idle",
      parentThreadId: null,
      source: "app",
    },
  ]);
  bench.threads.rows.remember(bench.workspaceId);
  await bench.reconnect();
});

afterEach(() => bench.end());

const theTurn = (status: string) => codexTurn("t1", status, [userItem("u", "Do it")]);
const sayStarted = (more: Record<string, unknown> = {}) =>
  bench.codex.say("thread/started", { thread: codexThread(T, more) });
const active = { status: { type: "active", activeFlags: [] } };

describe("thread/started completes a thread/resume", () => {
  it("whose answer never comes", async () => {
    const window = bench.open(T);
    await settle();
    sayStarted();
    await settle();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null, state: "idle" });
    expect(window.texts).toEqual(["user completed: Do it"]);
    bench.threads.send(T, { clientId: "c", text: "Go on", attachments: [], mode: "turn" });
    await settle();
    expect(bench.codex.only("turn/start").params.threadId).toBe(T);
    expect(bench.codex.all("thread/resume")).toHaveLength(1);
  });

  it("whose answer comes after it", async () => {
    const window = bench.open(T);
    await settle();
    sayStarted();
    bench.codex.only("thread/resume").answer(resumed(T, [theTurn("completed")]));
    await settle();
    expect(window.head.residency).toBe("loaded");
    expect(window.texts).toEqual(["user completed: Do it"]);
    expect(bench.codex.all("thread/resume")).toHaveLength(1);
  });

  it("and changes nothing when the answer has come before", async () => {
    const window = bench.open(T);
    await settle();
    bench.codex.only("thread/resume").answer(resumed(T, [theTurn("inProgress")], { status: "active" }));
    await settle();
    const asked = bench.codex.asked.length;
    // As it was when it was written.
    sayStarted({ status: { type: "idle" } });
    await settle();
    expect(window.head.state).toBe("running");
    expect(bench.codex.asked).toHaveLength(asked);
  });

  it("and says whether a turn runs", async () => {
    bench.rule("thread/turns/list", () => listed([theTurn("inProgress")]));
    const window = bench.open(T);
    await settle();
    sayStarted(active);
    await settle();
    expect(window.head).toMatchObject({ state: "running", run: { turnId: "t1" } });
  });

  it("also after its deadline, when the thread had been given up", async () => {
    bench.rule("thread/turns/list", () => listed([]));
    const window = bench.open(T);
    await settle();
    bench.clock.advance(120_000);
    await settle();
    expect(window.head).toMatchObject({ residency: "stored", fault: { code: "deadline" } });
    bench.rule("thread/turns/list", () => listed([theTurn("completed")]));
    sayStarted();
    await settle();
    expect(window.head).toMatchObject({ residency: "loaded", fault: null });
    expect(window.texts).toEqual(["user completed: Do it"]);
  });

  it("but not one that was refused, or that went over a connection that is gone", async () => {
    const window = bench.open(T);
    await settle();
    bench.codex.only("thread/resume").refuse("thread is archived");
    await settle();
    sayStarted();
    expect(window.head).toMatchObject({ residency: "stored", fault: { code: "thread_archived" } });
    await bench.cut();
    await bench.reconnect();
    sayStarted();
    bench.codex.only("thread/resume").refuse("thread is archived");
    await settle();
    expect(window.head.residency).toBe("loaded");
  });
});
