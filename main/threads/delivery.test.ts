import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codexThread, codexTurn, listed, resumed, started, userItem } from "./testCodexData";
import { settle, TestThreads } from "./testThreads";

const T = "thread-1";
let bench: TestThreads;

beforeEach(async () => {
  bench = new TestThreads();
  bench.rule("thread/resume", () => resumed(T, [codexTurn("t1", "completed", [userItem("u", "Hello")])]));
  bench.rule("thread/queue/list", () => listed([]));
  bench.rule("thread/turns/list", () => listed([codexTurn("t1", "completed", [userItem("u", "Hello")])]));
  bench.rule("thread/read", () => ({ thread: codexThread(T) }));
  bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
  addThread(T);
  await bench.reconnect();
});

afterEach(() => bench.end());

function addThread(threadId: string): void {
  bench.ledger.threads.upsert([
    {
      threadId,
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
}

let count = 0;
function send(text: string, mode: "turn" | "steer" | "queue" = "turn", key = T): string {
  count += 1;
  const clientId = `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
  bench.threads.send(key, { clientId, text, attachments: [], mode });
  return clientId;
}

async function opened() {
  const window = bench.open(T);
  await settle();
  return window;
}

const codex = () => bench.codex;
const begin = (turnId: string) => codex().say("turn/started", { threadId: T, turn: codexTurn(turnId) });
const end = (turnId: string, status = "completed") => {
  codex().say("thread/status/changed", { threadId: T, status: { type: "idle" } });
  codex().say("turn/completed", { threadId: T, turn: codexTurn(turnId, status) });
};
const shows = (turnId: string, text: string, clientId: string | null) => {
  const item = userItem(`u-${clientId}`, text, clientId);
  codex().say("item/started", { threadId: T, turnId, item, startedAtMs: 1 });
  codex().say("item/completed", { threadId: T, turnId, item, completedAtMs: 1 });
};
const stateOf = (clientId: string) => bench.ledger.submissions.get(clientId)?.state;
/** Time goes by, and what happens in it happens. */
const later = async (byMs: number) => {
  await settle();
  for (let left = byMs; left > 0; left -= 1_000) {
    bench.clock.advance(Math.min(left, 1_000));
    await settle();
  }
};

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
    expect(window.sending).toEqual(["Do it: sent"]);
    expect(window.head.submissions[0]).toMatchObject({ mode: "queue", fault: null });
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
    expect(window.sending).toEqual(["Then this: sent"]);
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

describe("steering", () => {
  async function running() {
    const window = await opened();
    begin("t2");
    return window;
  }

  it("goes into the running turn", async () => {
    await running();
    const id = send("Left", "steer");
    await settle();
    expect(codex().only("turn/steer").params).toMatchObject({
      expectedTurnId: "t2",
      clientUserMessageId: id,
    });
    codex().only("turn/steer").answer({ turnId: "t2" });
    await settle();
    expect(stateOf(id)).toBe("sent");
  });

  it.each([
    ["the turn has ended meanwhile: a turn of its own", "no active turn to steer", "turn/start"],
    ["another turn runs: the queue", "expected active turn id `t2` but found `t9`", "thread/queue/add"],
    ["a review runs: the queue", "cannot steer a review turn", "thread/queue/add"],
    ["a compaction runs: the queue", "cannot steer a compact turn", "thread/queue/add"],
    ["another version's words: the queue", "active turn is not steerable", "thread/queue/add"],
  ])("%s", async (_name, words, method) => {
    const window = await running();
    const id = send("Left", "steer");
    await settle();
    codex().only("turn/steer").refuse(words);
    await settle();
    expect(codex().only(method).params).toMatchObject({ clientUserMessageId: id });
    codex()
      .only(method)
      .answer({ turn: codexTurn("t3") });
    await settle();
    expect(stateOf(id)).toBe("sent");
    expect(window.sending).toEqual(["Left: sent"]);
  });

  it("takes the new turn for the one that runs when the old one has ended unheard", async () => {
    const window = await running();
    send("Left", "steer");
    await settle();
    codex().only("turn/steer").refuse("no active turn to steer");
    await settle();
    codex()
      .only("turn/start")
      .answer({ turn: codexTurn("t3") });
    await settle();
    expect(window.head.run?.turnId).toBe("t3");
    const record = [codexTurn("t2", "completed"), codexTurn("t3")];
    bench.rule("thread/turns/list", () => listed(record));
    await later(1_000);
    expect(window.copy.turns.map((turn) => turn.status)).toEqual(["completed", "completed", "running"]);
    expect(window.head.run?.turnId).toBe("t3");
  });

  it("comes back with codex's words when it is refused for another reason", async () => {
    const window = await running();
    send("Left", "steer");
    await settle();
    codex().only("turn/steer").refuse("direct app-server input is not allowed for multi-agent v2 sub-agents");
    await settle();
    expect(window.head.submissions).toMatchObject([
      { state: "undelivered", fault: { code: "agent_of_agent" } },
    ]);
    expect(window.head.run?.turnId).toBe("t2");
  });

  it("that is not answered is not sent again, and found when codex takes it up", async () => {
    const window = await running();
    const id = send("Left", "steer");
    bench.rule("thread/read", () => ({
      thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
    }));
    await later(60_000);
    expect(window.sending).toEqual(["Left: sending"]);
    shows("t2", "Left", id);
    expect(window.sending).toEqual([]);
    end("t2");
    await later(10_000);
    expect(stateOf(id)).toBe("delivered");
    expect(codex().all("turn/steer")).toHaveLength(1);
    expect(codex().all("turn/start")).toEqual([]);
  });
});

describe("the queue", () => {
  it("takes a message while a turn runs, and shows it until codex has taken it up", async () => {
    const window = await opened();
    begin("t2");
    const id = send("Then this", "queue");
    await settle();
    codex().only("thread/queue/add").answer({});
    bench.rule("thread/queue/list", () => listed([{ id: "q", clientUserMessageId: id, input: [] }]));
    await settle();
    end("t2", "interrupted");
    await later(60_000);
    // Held after Stop: codex has it, and that is where it stays.
    expect(window.sending).toEqual(["Then this: sent"]);
    expect(codex().all("turn/start")).toEqual([]);
    begin("t3");
    shows("t3", "Then this", id);
    end("t3");
    expect(window.sending).toEqual([]);
    expect(stateOf(id)).toBe("delivered");
  });

  it("is not used when nothing runs", async () => {
    await opened();
    send("Now", "queue");
    await settle();
    codex().only("turn/start");
  });

  it("finds its entries on later pages", async () => {
    await opened();
    begin("t2");
    const id = send("Then this", "queue");
    await settle();
    codex().only("thread/queue/add").answer({});
    bench.rule("thread/queue/list", ({ params }) =>
      params.cursor === "more"
        ? listed([{ id: "q", clientUserMessageId: id, input: [] }])
        : listed([{ id: "p", clientUserMessageId: "other", input: [] }], "more"),
    );
    end("t2");
    await later(1_000);
    expect(stateOf(id)).toBe("sent");
  });

  it("of a codex that has none gives the message back", async () => {
    const window = await opened();
    begin("t2");
    send("Then this", "queue");
    await settle();
    codex()
      .only("thread/queue/add")
      .refuse("Invalid request: unknown variant `thread/queue/add`, expected one of x");
    await settle();
    expect(window.head.submissions).toMatchObject([
      { state: "undelivered", fault: { code: "queue_missing" } },
    ]);
  });

  it("that codex does not have does not hinder looking for a message", async () => {
    const window = await opened();
    send("Do it");
    await settle();
    await bench.cut();
    bench.rule("thread/queue/list", () => new Error("unknown variant `thread/queue/list`"));
    await bench.reconnect();
    await later(1_000);
    expect(window.sending).toEqual(["Do it: undelivered"]);
  });
});

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
    bench.rule("thread/resume", () => new Error("no rollout found for thread id new-1"));
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
