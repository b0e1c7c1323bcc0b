// What a person sends while a turn runs: into the turn, or behind it.

import { describe, expect, it } from "vitest";
import { codexThread, codexTurn, listed } from "./testCodexData";
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
    expect(window.waiting).toEqual(["Then this: queued"]);
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

  it("of a codex that has none is the ledger's", async () => {
    const window = await opened();
    begin("t2");
    const id = send("Then this", "queue");
    await settle();
    codex()
      .only("thread/queue/add")
      .refuse("Invalid request: unknown variant `thread/queue/add`, expected one of x");
    await settle();
    expect(window.waiting).toEqual(["Then this: queued"]);
    expect(window.head.followUps.keeper).toBe("holdfast");
    expect(stateOf(id)).toBe("recorded");
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
