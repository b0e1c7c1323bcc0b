// What a person sends while connections and processes go, or codex is silent.

import { describe, expect, it } from "vitest";
import { codexThread, codexTurn, listed, resumed, userItem } from "./testCodexData";
import {
  begin,
  bench,
  codex,
  end,
  later,
  opened,
  prepareBench,
  send,
  shows,
  stateOf,
  T,
} from "./testDelivery";
import { settle } from "./testThreads";

prepareBench();

describe("the connection goes", () => {
  it("before the message was written: it goes over the next one, once", async () => {
    const window = await opened();
    await bench.cut();
    bench.holdConnections();
    send("Do it");
    await settle();
    expect(window.sending).toEqual(["Do it: sending"]);
    await bench.letConnect();
    codex().only("turn/start");
  });

  it("just before the message is written: it goes over the next one, once", async () => {
    const window = await opened();
    const id = send("Do it");
    // The thread is ready and the request about to be made; nothing has been heard of the end yet.
    bench.codex.transport.isOpen = false;
    await Promise.resolve();
    bench.codex.transport.isOpen = true;
    await bench.cut();
    await bench.reconnect();
    expect(codex().only("turn/start").params).toMatchObject({ clientUserMessageId: id });
    expect(window.head.submissions[0]?.fault).toBeNull();
  });

  it("while the thread loads: it is loaded over the next one, and the message goes out", async () => {
    bench.hold("thread/resume");
    const window = await opened();
    send("Do it");
    await settle();
    codex().only("thread/resume");
    bench.rule("thread/resume", () => resumed(T, []));
    await bench.cut();
    await bench.reconnect();
    codex().only("turn/start");
    expect(window.head.fault).toBeNull();
  });

  /** The message has left, and nobody knows whether it has arrived. */
  async function cutOff(mode: "turn" | "queue" = "turn") {
    const window = await opened();
    const id = send("Do it", mode);
    await settle();
    codex().only("turn/start");
    await bench.cut();
    expect(window.sending).toEqual(["Do it: sending"]);
    expect(window.head.submissions[0]?.fault?.code).toBe("delivery_unknown");
    return { window, id };
  }

  it("after it was written, and codex has it in a turn that runs", async () => {
    const { window, id } = await cutOff();
    const turn = codexTurn("t2", "inProgress", [userItem(`u-${id}`, "Do it", id)]);
    bench.rule("thread/resume", () => resumed(T, [turn], { status: "active" }));
    await bench.reconnect();
    expect(window.sending).toEqual([]);
    expect(window.texts.at(-1)).toBe("user completed: Do it");
    expect(window.head.run?.turnId).toBe("t2");
    await later(5_000);
    expect(codex().all("turn/start")).toEqual([]);
    end("t2");
    expect(stateOf(id)).toBe("delivered");
  });

  it("after it was written, and codex has it in a turn that has ended", async () => {
    const { window, id } = await cutOff();
    bench.rule("thread/resume", () =>
      resumed(T, [codexTurn("t2", "completed", [userItem(`u-${id}`, "Do it", id)])]),
    );
    await bench.reconnect();
    expect(stateOf(id)).toBe("delivered");
    expect(window.head.run).toBeNull();
    expect(window.sending).toEqual([]);
  });

  it("after it was written, and codex has it in its queue", async () => {
    const { window, id } = await cutOff();
    bench.rule("thread/queue/list", () => listed([{ id: "q", clientUserMessageId: id, input: [] }]));
    await bench.reconnect();
    await later(1_000);
    expect(window.sending).toEqual([]);
    expect(window.waiting).toEqual(["Do it: queued"]);
    expect(stateOf(id)).toBe("sent");
  });

  it("after it was written, and codex does not have it: it comes back, and is not sent again by itself", async () => {
    const { window, id } = await cutOff();
    await bench.reconnect();
    expect(window.sending).toEqual(["Do it: sending"]);
    await later(1_000);
    expect(window.head.submissions).toMatchObject([{ state: "undelivered", fault: { code: "not_kept" } }]);
    expect(window.head.run).toBeNull();
    expect(stateOf(id)).toBe("undelivered");
    expect(codex().all("turn/start")).toEqual([]);
  });

  it("after it was written, and codex takes it from its queue just when it is looked for", async () => {
    const { window, id } = await cutOff();
    bench.hold("thread/turns/list");
    await bench.reconnect();
    await later(1_000);
    // Not in the queue any more, and not yet in a turn that is recorded.
    codex().last("thread/turns/list").answer(listed([]));
    begin("t2");
    await settle();
    expect(window.sending).toEqual(["Do it: sending"]);
    shows("t2", "Do it", id);
    end("t2");
    expect(stateOf(id)).toBe("delivered");
  });

  it("after it was written, and codex's queue is just going on when the thread is loaded", async () => {
    const { window, id } = await cutOff();
    await bench.reconnect();
    await later(900);
    expect(window.sending).toEqual(["Do it: sending"]);
    begin("t2");
    await later(2_000);
    expect(window.sending).toEqual(["Do it: sending"]);
    shows("t2", "Do it", id);
    expect(window.sending).toEqual([]);
  });

  it("and somebody sends it again by hand: it is looked for first, and not sent twice", async () => {
    const { window, id } = await cutOff();
    await bench.reconnect();
    await later(1_000);
    expect(window.sending).toEqual(["Do it: undelivered"]);
    bench.rule("thread/turns/list", () =>
      listed([codexTurn("t2", "completed", [userItem(`u-${id}`, "Do it", id)])]),
    );
    bench.threads.runtime(T).delivery.resend(id);
    await settle();
    expect(codex().all("turn/start")).toEqual([]);
    expect(stateOf(id)).toBe("delivered");
    expect(window.sending).toEqual([]);
  });

  it("and it is seen although it was held to be lost", async () => {
    const { window, id } = await cutOff();
    await bench.reconnect();
    await later(1_000);
    expect(window.sending).toEqual(["Do it: undelivered"]);
    begin("t2");
    shows("t2", "Do it", id);
    expect(window.sending).toEqual([]);
    end("t2");
    expect(stateOf(id)).toBe("delivered");
  });

  it("after it was written, and another turn comes and goes just when it is looked for", async () => {
    const { window, id } = await cutOff();
    bench.hold("thread/queue/list");
    await bench.reconnect();
    await later(1_000);
    begin("t2");
    end("t2");
    bench.rule("thread/queue/list", () => listed([]));
    codex().last("thread/queue/list").answer(listed([]));
    await later(2_000);
    expect(window.sending).toEqual(["Do it: undelivered"]);
    expect(stateOf(id)).toBe("undelivered");
  });

  it("looks back as far as the message is old", async () => {
    const { id } = await cutOff();
    bench.clock.advance(1);
    const pages: Record<string, object> = {
      first: listed([codexTurn("t900000", "completed")], "second"),
      second: listed([codexTurn("t899999", "completed", [userItem(`u-${id}`, "Do it", id)])], "third"),
      third: listed([codexTurn("t1", "completed")]),
    };
    bench.rule("thread/turns/list", ({ params }) => pages[(params.cursor as string | null) ?? "first"]);
    await bench.reconnect();
    await later(1_000);
    expect(stateOf(id)).toBe("delivered");
  });
});

describe("codex does not answer in time", () => {
  it("says so, asks after it, and shows it when codex comes to it", async () => {
    const window = await opened();
    const id = send("Do it");
    await later(30_000);
    expect(window.head.submissions[0]).toMatchObject({
      state: "sending",
      fault: { code: "delivery_unknown" },
    });
    begin("t2");
    shows("t2", "Do it", id);
    expect(window.sending).toEqual([]);
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    end("t2");
    await settle();
    expect(stateOf(id)).toBe("delivered");
    expect(window.head.run).toBeNull();
  });

  it("gives it back when codex is idle and has it nowhere", async () => {
    const window = await opened();
    send("Do it");
    await later(50_000);
    expect(window.sending).toEqual(["Do it: undelivered"]);
    expect(window.head.run).toBeNull();
  });

  it("keeps looking while codex is mute", async () => {
    const window = await opened();
    const id = send("Do it");
    bench.rule("thread/read", () => undefined);
    await later(120_000);
    expect(window.sending).toEqual(["Do it: sending"]);
    bench.rule("thread/read", () => ({ thread: codexThread(T) }));
    await later(60_000);
    expect(stateOf(id)).toBe("undelivered");
    expect(codex().all("turn/start")).toHaveLength(1);
  });
});

describe("codex dies", () => {
  it("after it has shown the message and before it has kept it: it comes back, and is shown once", async () => {
    const window = await opened();
    const id = send("Do it");
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    begin("t2");
    shows("t2", "Do it", id);
    await settle();
    expect(window.texts).toContain("user completed: Do it");
    await bench.kill();
    expect(window.texts).toContain("user completed: Do it");
    expect(stateOf(id)).toBe("sent");
    const record = [codexTurn("t1", "completed", [userItem("u", "Hello")]), codexTurn("t2", "interrupted")];
    bench.rule("thread/resume", () => resumed(T, record));
    bench.rule("thread/turns/list", () => listed(record));
    await bench.reconnect();
    await later(1_000);
    expect(window.sending).toEqual(["Do it: undelivered"]);
    expect(window.texts).toEqual(["user completed: Hello"]);
    expect(stateOf(id)).toBe("undelivered");
  });

  it("after it has kept the message: it is delivered", async () => {
    const window = await opened();
    const id = send("Do it");
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t2") });
    begin("t2");
    shows("t2", "Do it", id);
    await bench.kill();
    bench.rule("thread/resume", () =>
      resumed(T, [codexTurn("t2", "interrupted", [userItem(`u-${id}`, "Do it", id)])]),
    );
    await bench.reconnect();
    expect(stateOf(id)).toBe("delivered");
    expect(window.texts.filter((text) => text.includes("Do it"))).toHaveLength(1);
  });

  it("does not count what is listed in a turn that still runs as kept", async () => {
    await opened();
    const id = send("Do it");
    await settle();
    await bench.cut();
    const turn = codexTurn("t2", "inProgress", [userItem(`u-${id}`, "Do it", id)]);
    bench.rule("thread/resume", () => resumed(T, [turn], { status: "active" }));
    await bench.reconnect();
    expect(stateOf(id)).toBe("sending");
  });
});

describe("Holdfast dies", () => {
  const again = async (options = { codexLives: false }) => {
    await bench.restart(options);
    await bench.reconnect();
    await later(1_000);
    const window = bench.open(T);
    await settle();
    return window;
  };

  it("with a message that was recorded and never tried", async () => {
    bench.hold("thread/resume");
    await opened();
    const id = send("Do it");
    await settle();
    bench.rule("thread/resume", () => resumed(T, []));
    const window = await again();
    expect(window.head.submissions).toMatchObject([
      { clientId: id, state: "undelivered", fault: { code: "not_sent" } },
    ]);
    expect(bench.rows.get(T)).toBe("Title: failed");
  });

  it("with a message on its way that codex has not got", async () => {
    await opened();
    const id = send("Do it");
    await settle();
    const window = await again();
    expect(window.head.submissions).toMatchObject([
      { clientId: id, text: "Do it", state: "undelivered", fault: { code: "not_kept" } },
    ]);
  });

  it("with a message on its way that codex works at, alive", async () => {
    await opened();
    const id = send("Do it");
    await settle();
    const turn = codexTurn("t2", "inProgress", [userItem(`u-${id}`, "Do it", id)]);
    bench.rule("thread/resume", () => resumed(T, [turn], { status: "active" }));
    const window = await again({ codexLives: true });
    expect(window.sending).toEqual([]);
    expect(window.head.run?.turnId).toBe("t2");
    end("t2");
    expect(stateOf(id)).toBe("delivered");
  });

  it("with a sent message that waits in codex's queue, and a queue that goes on once", async () => {
    await opened();
    begin("t2");
    const id = send("Then this", "queue");
    await settle();
    codex().only("thread/queue/add").answer({});
    await settle();
    expect(stateOf(id)).toBe("sent");
    bench.rule("thread/queue/list", () => listed([{ id: "q", clientUserMessageId: id, input: [] }]));
    const window = await again();
    expect(window.sending).toEqual([]);
    expect(window.waiting).toEqual(["Then this: queued"]);
    begin("t3");
    shows("t3", "Then this", id);
    end("t3");
    expect(stateOf(id)).toBe("delivered");
    expect(codex().all("turn/start")).toEqual([]);
    expect(codex().all("thread/queue/add")).toEqual([]);
  });

  it("with an undelivered message: it is still there", async () => {
    await opened();
    send("Do it");
    await settle();
    codex().only("turn/start").refuse("no");
    await settle();
    const window = await again();
    expect(window.sending).toEqual(["Do it: undelivered"]);
  });
});
