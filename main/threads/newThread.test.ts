// A thread that is a key of ours until codex has made it.

import { describe, expect, it } from "vitest";
import { codexThread, codexTurn, listed, started, userItem } from "./testCodexData";
import { bench, codex, later, prepareBench, send, stateOf, T } from "./testDelivery";
import { settle } from "./testThreads";

prepareBench();

describe("a new thread", () => {
  const key = () => bench.threads.compose(bench.workspaceId);

  it("is made for its first message, and both go under codex's id from then on", async () => {
    const composed = key();
    const window = bench.open(composed);
    bench.ledger.drafts.put(bench.threads.draftKey(composed), "Do it", []);
    const id = send("Do it\nnow", "turn", composed);
    expect(bench.ledger.drafts.keys()).toEqual([]);
    bench.ledger.drafts.put(bench.threads.draftKey(composed), "and then", []);
    expect(bench.rows.get(composed)).toBe("Do it: running");
    await settle();
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    expect(bench.rows.has(composed)).toBe(false);
    expect(bench.rows.get("new-1")).toBe("Do it: running");
    expect(window.head).toMatchObject({ key: composed, threadId: "new-1", residency: "loaded" });
    expect(bench.ledger.submissions.get(id)).toMatchObject({ threadKey: "new-1", threadId: "new-1" });
    expect(bench.ledger.drafts.get("new-1")?.text).toBe("and then");
    expect(bench.threads.draftKey(composed)).toBe("new-1");
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t1") });
    await settle();
    codex().say("turn/started", { threadId: "new-1", turn: codexTurn("t1") });
    expect(window.head.run?.turnId).toBe("t1");
    expect(bench.threads.runtime("new-1")).toBe(bench.threads.runtime(composed));
  });

  it("has one row at every moment, under one name or the other", async () => {
    let most = 0;
    const put = bench.rows.set.bind(bench.rows);
    bench.rows.set = (id, words) => {
      put(id, words);
      most = Math.max(most, bench.rows.size);
      return bench.rows;
    };
    const before = bench.rows.size;
    const composed = key();
    send("Do it", "turn", composed);
    await settle();
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    expect(bench.rows.has("new-1")).toBe(true);
    expect(most).toBe(before + 1);
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t1") });
    await settle();
  });

  it("that cannot be made keeps the text, and is made when it is sent again", async () => {
    const composed = key();
    const window = bench.open(composed);
    bench.ledger.threads.setSettings(composed, {
      model: "o9",
      effort: "high",
      sandbox: "read-only",
      approvalPolicy: "never",
    });
    const id = send("Do it", "turn", composed);
    await settle();
    codex().only("thread/start").refuse("failed to load configuration");
    await settle();
    expect(window.sending).toEqual(["Do it: undelivered"]);
    expect(window.head).toMatchObject({ state: "failed", threadId: null });
    expect(window.head.fault?.message).toContain("failed to load");
    expect(bench.threads.compose(bench.workspaceId)).not.toBe(composed);
    await bench.restart({ codexLives: false });
    await bench.reconnect();
    const later = bench.open(composed);
    expect(bench.rows.get(composed)).toBe("Do it: failed");
    expect(later.sending).toEqual(["Do it: undelivered"]);
    bench.threads.runtime(composed).delivery.resend(id);
    await settle();
    expect(codex().only("thread/start").params).toMatchObject({ model: "o9", sandbox: "read-only" });
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    expect(codex().only("turn/start").params).toMatchObject({
      threadId: "new-1",
      clientUserMessageId: id,
      effort: "high",
    });
    expect(later.head.fault).toBeNull();
  });

  it("is made once for two messages", async () => {
    const composed = key();
    bench.open(composed);
    send("one", "turn", composed);
    send("two", "turn", composed);
    await settle();
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    codex().only("thread/start");
    codex().only("turn/start");
  });

  it("is taken from thread/started when its answer never comes, and not made twice", async () => {
    const composed = key();
    const window = bench.open(composed);
    const id = send("Do it", "turn", composed);
    await settle();
    codex().say("thread/started", { thread: codexThread("new-1") });
    await settle();
    expect(window.head.threadId).toBe("new-1");
    codex().only("turn/start");
    codex()
      .only("thread/start")
      .answer(started("new-1", { model: "late" }));
    await settle();
    expect(window.head.settings.model).toBe("late");
    expect(stateOf(id)).toBe("sending");
  });

  it("is taken from thread/started that comes after the deadline", async () => {
    const composed = key();
    const window = bench.open(composed);
    const id = send("Do it", "turn", composed);
    await later(120_000);
    expect(window.sending).toEqual(["Do it: undelivered"]);
    codex().say("thread/started", { thread: codexThread("forked", { forkedFromId: T }) });
    codex().say("thread/started", { thread: codexThread("new-1") });
    expect(window.head.threadId).toBe("new-1");
    bench.threads.runtime(composed).delivery.resend(id);
    await settle();
    codex().only("thread/start");
    expect(codex().only("turn/start").params.threadId).toBe("new-1");
  });

  it("goes on when its window has gone while it was made", async () => {
    const composed = key();
    const window = bench.open(composed);
    const id = send("Do it", "turn", composed);
    await settle();
    bench.close(window);
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t1") });
    await settle();
    expect(bench.rows.get("new-1")).toBe("Do it: running");
    codex().say("thread/status/changed", { threadId: "new-1", status: { type: "idle" } });
    codex().say("turn/completed", { threadId: "new-1", turn: codexTurn("t1", "completed") });
    bench.rule("thread/turns/list", () =>
      listed([codexTurn("t1", "completed", [userItem("u", "Do it", id)])]),
    );
    await later(32_000);
    expect(stateOf(id)).toBe("delivered");
    expect(codex().only("thread/unsubscribe").params.threadId).toBe("new-1");
  });

  it("that codex has forgotten before its first turn is made anew, with everything that is its own", async () => {
    const composed = key();
    const window = bench.open(composed);
    const id = send("Do it", "turn", composed);
    await settle();
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    codex().only("turn/start").refuse("out of memory");
    await settle();
    bench.ledger.drafts.put("new-1", "typed", []);
    await bench.kill();
    for (const method of ["thread/resume", "thread/turns/list"])
      bench.rule(method, () => new Error("no rollout found for thread id new-1"));
    await bench.reconnect();
    expect(window.head).toMatchObject({ threadId: null, fault: null });
    expect(bench.rows.get(composed)).toBe("Do it: failed");
    expect(bench.rows.has("new-1")).toBe(false);
    expect(bench.threads.draftKey(composed)).toBe(composed);
    bench.threads.runtime(composed).delivery.resend(id);
    await settle();
    codex().only("thread/start").answer(started("new-2"));
    await settle();
    expect(codex().only("turn/start").params).toMatchObject({ threadId: "new-2", clientUserMessageId: id });
    expect(bench.ledger.submissions.get(id)?.threadId).toBe("new-2");
    expect(bench.ledger.drafts.get("new-2")?.text).toBe("typed");
    expect(bench.ledger.threads.get("new-1")).toBeNull();
    expect(bench.rows.get("new-2")).toBe("Do it: running");
    expect(bench.threads.runtime("new-1")).toBe(bench.threads.runtime(composed));
  });

  it("that codex has forgotten is made anew also after Holdfast was started again", async () => {
    const composed = key();
    bench.open(composed);
    const id = send("Do it", "turn", composed);
    await settle();
    codex().only("thread/start").answer(started("new-1"));
    await settle();
    await bench.restart({ codexLives: false });
    bench.rule("thread/resume", () => new Error("no rollout found for thread id new-1"));
    await bench.reconnect();
    await later(1_000);
    const window = bench.open("new-1");
    await settle();
    expect(window.sending).toEqual(["Do it: undelivered"]);
    bench.threads.runtime("new-1").delivery.resend(id);
    await settle();
    codex().only("thread/start").answer(started("new-2"));
    await settle();
    expect(codex().only("turn/start").params).toMatchObject({ threadId: "new-2", clientUserMessageId: id });
    expect(window.head.threadId).toBe("new-2");
  });
});
