// What a person sends reaches codex once, or stays visible.

import { describe, expect, it } from "vitest";
import { codexTurn, resumed } from "./testCodexData";
import { begin, bench, codex, end, opened, prepareBench, send, shows, stateOf, T } from "./testDelivery";
import { settle } from "./testThreads";

prepareBench();

describe("a message", () => {
  it("is on disk before it leaves, goes out once, and is settled when its turn has ended", async () => {
    const window = await opened();
    const id = send("Do it");
    expect(stateOf(id)).toBe("recorded");
    expect(window.head.run).not.toBeNull();
    await settle();
    const asked = codex().only("turn/start");
    expect(asked.params).toMatchObject({
      threadId: T,
      clientUserMessageId: id,
      input: [{ type: "text", text: "Do it" }],
      approvalPolicy: "on-request",
      sandboxPolicy: { type: "readOnly", networkAccess: false },
    });
    expect(window.sending).toEqual(["Do it: sending"]);
    asked.answer({ turn: codexTurn("t2") });
    await settle();
    expect(window.sending).toEqual(["Do it: sent"]);
    begin("t2");
    shows("t2", "Do it", id);
    expect(window.sending).toEqual([]);
    expect(stateOf(id)).toBe("sent");
    end("t2");
    expect(stateOf(id)).toBe("delivered");
    expect(window.texts).toEqual(["user completed: Hello", "user completed: Do it"]);
  });

  it("sent twice with one client id goes out once, and takes no second draft with it", async () => {
    const window = await opened();
    const id = send("Do it");
    bench.ledger.drafts.put(T, "typed since", []);
    bench.threads.send(T, { clientId: id, text: "Do it", attachments: [], mode: "turn" });
    await settle();
    codex().only("turn/start");
    expect(window.sending).toEqual(["Do it: sending"]);
    expect(bench.ledger.drafts.get(T)?.text).toBe("typed since");
  });

  it("follows the one before it, in their order, as a queued one", async () => {
    await opened();
    for (const text of ["one", "two", "three"]) send(text);
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    await settle();
    codex().only("thread/queue/add").answer({});
    await settle();
    codex().last("thread/queue/add").answer({});
    await settle();
    const texts = codex().asked.flatMap(
      ({ params }) => (params as { input?: { text: string }[] }).input ?? [],
    );
    expect(texts.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(codex().all("turn/start")).toHaveLength(1);
  });

  it("is queued when a turn runs, even when that turn has no name yet", async () => {
    await opened();
    send("one");
    await settle();
    codex().only("turn/start").answer({ turn: {} });
    await settle();
    send("two");
    await settle();
    codex().only("thread/queue/add");
  });

  it("is not lost when codex refuses it: it comes back with the reason, can be sent again or taken back", async () => {
    const window = await opened();
    const id = send("Do it");
    await settle();
    codex().only("turn/start").refuse("the model does not exist");
    await settle();
    expect(window.sending).toEqual(["Do it: undelivered"]);
    expect(window.head.submissions[0]?.fault?.message).toContain("the model does not exist");
    expect(window.head).toMatchObject({ run: null, state: "failed" });
    bench.threads.runtime(T).delivery.resend(id);
    expect(() => bench.threads.runtime(T).delivery.resend(id)).toThrow(
      expect.objectContaining({ code: "not_undelivered" }),
    );
    await settle();
    expect(codex().all("turn/start")).toHaveLength(2);
    expect(codex().last("turn/start").params).toMatchObject({ clientUserMessageId: id });
    codex().last("turn/start").refuse("no");
    await settle();
    expect(bench.threads.runtime(T).delivery.takeBack(id)).toEqual({ text: "Do it", attachments: [] });
    expect(window.sending).toEqual([]);
    expect(stateOf(id)).toBe("discarded");
    // It is a draft before it is anything else: a window that dies now loses nothing.
    expect(bench.ledger.drafts.get(T)?.text).toBe("Do it");
  });

  it("that is taken back joins what has been typed since", async () => {
    await opened();
    const id = send("first");
    await settle();
    codex().only("turn/start").refuse("no");
    await settle();
    bench.ledger.drafts.put(T, "second", []);
    bench.threads.runtime(T).delivery.takeBack(id);
    expect(bench.ledger.drafts.get(T)?.text).toBe("second\n\nfirst");
  });

  it("is not sent at all when Stop is pressed before it has left", async () => {
    bench.hold("thread/resume");
    const window = await opened();
    const id = send("Do it");
    await bench.threads.runtime(T).stop();
    expect(window.head.run).toMatchObject({ stopping: true });
    codex().only("thread/resume").answer(resumed(T, []));
    await settle();
    expect(codex().all("turn/start")).toEqual([]);
    expect(window.head.submissions).toMatchObject([{ state: "undelivered", fault: { code: "stopped" } }]);
    expect(window.head.run).toBeNull();
    expect(stateOf(id)).toBe("undelivered");
  });

  it("is not sent when it cannot be written down", async () => {
    await opened();
    bench.test.ledger.close();
    expect(() => send("Do it")).toThrow();
    await settle();
    expect(codex().all("turn/start")).toEqual([]);
    bench.test.reopen();
  });

  it("is not sent when it cannot be noted that it is about to leave", async () => {
    const window = await opened();
    const { sending } = bench.ledger.submissions;
    bench.ledger.submissions.sending = () => {
      throw new Error("disk full");
    };
    send("Do it");
    await settle();
    bench.ledger.submissions.sending = sending;
    expect(codex().all("turn/start")).toEqual([]);
    expect(window.sending).toEqual(["Do it: undelivered"]);
  });

  it("is what is said of it by codex, not by a failure that comes later", async () => {
    const window = await opened();
    const id = send("Do it");
    await settle();
    begin("t2");
    shows("t2", "Do it", id);
    codex().only("turn/start").refuse("internal error");
    await settle();
    expect(window.sending).toEqual([]);
    expect(window.head.run).not.toBeNull();
    end("t2");
    expect(stateOf(id)).toBe("delivered");
  });
});

describe("codex does not have the thread loaded", () => {
  it("loads it and sends once more", async () => {
    await opened();
    send("Do it");
    await settle();
    codex().only("turn/start").refuse("thread not found: thread-1");
    await settle();
    expect(codex().all("thread/resume")).toHaveLength(2);
    expect(codex().all("turn/start")).toHaveLength(2);
    codex()
      .last("turn/start")
      .answer({ turn: codexTurn("t2") });
    await settle();
    expect(bench.threads.runtime(T).state.runningTurnId).toBe("t2");
  });

  it("gives up when that does not help", async () => {
    const window = await opened();
    bench.rule("turn/start", () => new Error("thread not found: thread-1"));
    send("Do it");
    await settle();
    expect(codex().all("turn/start")).toHaveLength(2);
    expect(window.sending).toEqual(["Do it: undelivered"]);
  });
});
