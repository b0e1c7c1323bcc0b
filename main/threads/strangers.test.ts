// Threads that codex tells Holdfast of without having been asked.

import { describe, expect, it } from "vitest";
import { lingerMs } from "./linger";
import { codexThread, codexTurn, commandApproval, resumed } from "./testCodexData";
import { settle } from "./testThreads";
import {
  addThread,
  begin,
  bench,
  C,
  codex,
  finish,
  idle,
  later,
  opened,
  P,
  prepareBench,
  row,
  say,
  spawned,
} from "./testTree";

prepareBench();

const active = { type: "active", activeFlags: [] };
const stranger = "stranger";
const above = "above";

/** Which threads are at work, as codex answers when it is asked; and what is above what. */
function know(threads: Record<string, { isActive: boolean; parent?: string }>): void {
  bench.rule("thread/read", ({ params }) => {
    const thread = threads[params.threadId];
    if (!thread) return new Error(`thread not loaded: ${params.threadId}`);
    const more = {
      status: thread.isActive ? active : { type: "idle" },
      parentThreadId: thread.parent ?? null,
    };
    return { thread: codexThread(params.threadId, more) };
  });
}
const letGo = () =>
  codex()
    .all("thread/unsubscribe")
    .map(({ params }) => params.threadId);

function speak(threadId: string): void {
  say(threadId, "thread/status/changed", { status: active });
  say(threadId, "turn/started", { turn: codexTurn(`${threadId} turn`) });
}

describe("a child of a thread that another program works in", () => {
  it("stays as long as it, or its parent, is at work, and is let go then", async () => {
    know({ [stranger]: { isActive: true, parent: above }, [above]: { isActive: true } });
    speak(stranger);
    await later(3 * lingerMs);
    expect(letGo()).toEqual([]);
    know({ [stranger]: { isActive: false, parent: above }, [above]: { isActive: true } });
    await later(3 * lingerMs);
    expect(letGo(), "its parent may still have something for it").toEqual([]);
    know({ [stranger]: { isActive: false, parent: above }, [above]: { isActive: false } });
    await later(lingerMs);
    expect(letGo()).toEqual([stranger]);
    await later(3 * lingerMs);
    expect(letGo()).toEqual([stranger]);
  });

  it("is let go when what was above it is there no more", async () => {
    know({ [stranger]: { isActive: false, parent: above } });
    speak(stranger);
    await later(lingerMs);
    expect(letGo()).toEqual([stranger]);
  });

  it("gets no row", async () => {
    speak(stranger);
    await settle();
    expect([...bench.rows.keys()]).toEqual([P]);
  });

  it("waits for its siblings", async () => {
    know({ [stranger]: { isActive: false }, other: { isActive: true } });
    speak(stranger);
    speak("other");
    await later(2 * lingerMs);
    expect(letGo()).toEqual([]);
    know({ [stranger]: { isActive: false }, other: { isActive: false } });
    await later(lingerMs);
    expect(letGo()).toEqual([stranger, "other"]);
  });

  it("is nobody's business any more once codex has unloaded it", async () => {
    speak(stranger);
    say(stranger, "thread/closed");
    await later(2 * lingerMs);
    expect(letGo()).toEqual([]);
  });

  it("is not asked about over another connection: nobody there is subscribed", async () => {
    know({ [stranger]: { isActive: false } });
    speak(stranger);
    await bench.cut();
    await bench.reconnect();
    await later(2 * lingerMs);
    expect(letGo()).toEqual([]);
    expect(codex().all("thread/read")).toEqual([]);
  });

  it("is looked at again when codex did not answer", async () => {
    know({ [stranger]: { isActive: false } });
    bench.hold("thread/unsubscribe");
    speak(stranger);
    await later(lingerMs);
    expect(letGo()).toEqual([stranger]);
    await later(10_000);
    bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
    await later(lingerMs);
    expect(letGo()).toEqual([stranger, stranger]);
    await later(2 * lingerMs);
    expect(letGo()).toHaveLength(2);
  });

  it("is let go by its own runtime when it has got a row meanwhile", async () => {
    know({ [stranger]: { isActive: false, parent: P } });
    speak(stranger);
    addThread(stranger, { parentThreadId: P });
    begin(stranger, "next");
    idle(stranger);
    say(stranger, "turn/completed", { turn: codexTurn("next", "completed") });
    await later(2 * lingerMs);
    expect(letGo()).toEqual([stranger]);
  });
});

describe("something is asked in a thread without a row", () => {
  const waiting = () => bench.waiting.map(({ threadId }) => threadId);
  const ask = (threadId: string) =>
    codex().ask(7, "item/commandExecution/requestApproval", commandApproval(threadId, "c1"));

  const asking = () =>
    bench.rule("thread/resume", ({ params }) =>
      resumed(params.threadId, [codexTurn("c1", "inProgress")], { status: "active" }),
    );

  it("codex has a record of it: it is met below its parent, and can be answered there", async () => {
    asking();
    bench.rule("thread/read", ({ params }) => ({
      thread: codexThread(params.threadId, { status: active, parentThreadId: P }),
    }));
    ask(C);
    expect(waiting()).toEqual([C]);
    await settle();
    expect(waiting()).toEqual([C]);
    expect(row(C)).toMatchObject({ parentThreadId: P, state: "waiting for approval" });
    const window = await opened(C);
    const [request] = window.head.requests;
    bench.threads.answer({
      requestKey: request?.key ?? "",
      decisionId: request?.decisions[0]?.id ?? "",
    });
    expect(codex().answers).toMatchObject([{ id: 7, result: { decision: "accept" } }]);
  });

  it("codex keeps no record of it: left to the program that it belongs to", async () => {
    bench.rule("thread/read", ({ params }) => ({
      thread: codexThread(params.threadId, { status: active, ephemeral: true }),
    }));
    ask(stranger);
    await settle();
    expect(waiting()).toEqual([]);
    expect([...bench.rows.keys()]).toEqual([P]);
    expect(codex().answers).toEqual([]);
  });

  it("its parent names it while it is looked up: it is the same", async () => {
    await opened(P);
    asking();
    begin(P, "p1");
    bench.hold("thread/read");
    ask(C);
    finish(P, "p1", spawned(C));
    codex()
      .last("thread/read")
      .answer({ thread: codexThread(C, { status: active, parentThreadId: P }) });
    await settle();
    expect(waiting()).toEqual([C]);
    expect(row(C)).toMatchObject({ parentThreadId: P, title: `helper-of-${C}` });
  });
});
