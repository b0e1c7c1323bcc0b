// Follow-ups with the real codex: what it and Holdfast do together, as the model gets to see it.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failure, message, reply } from "./modelServer";
import { RealThreads } from "./testRealThreads";

let real: RealThreads;

const until = (look: () => unknown) => expect.poll(look, { interval: 10 });

describe.each([
  { keeper: "codex" as const, hasQueue: true },
  { keeper: "holdfast" as const, hasQueue: false },
])("the queue of $keeper", ({ keeper, hasQueue }) => {
  beforeEach(async () => {
    real = await RealThreads.make({ hasQueue });
    real.model.handle(() => message("Done."));
    real.compose();
  });

  afterEach(() => real.end());

  /** A turn that waits for the gate "go", and three follow-ups behind it. */
  async function queued(first = reply(message("Begun."))) {
    real.model.queue([real.model.hold("go"), ...first]);
    real.send("begin");
    await real.model.gate("go").reached;
    const ids = ["one", "two", "three"].map((text) => real.send(text, "queue"));
    await until(() => real.waiting).toEqual(["one", "two", "three"]);
    expect(real.head.followUps.keeper).toBe(keeper);
    return ids as [string, string, string];
  }

  const isDone = async (asked: string[]) => {
    await until(() => real.asked).toEqual(asked);
    await until(() => real.head.run).toBeNull();
    await until(() => real.head.submissions).toEqual([]);
    expect(real.head.followUps.entries).toEqual([]);
  };

  it("is worked off in order, one turn each", async () => {
    await queued();
    expect(real.head).toMatchObject({ submissions: [], followUps: { held: null } });
    real.model.gate("go").release();
    await isDone(["begin", "one", "two", "three"]);
  });

  it("is edited, moved and deleted", async () => {
    const [one, two, three] = await queued();
    const changes = real.runtime.followUpChanges;
    expect(await changes.edit(one, { text: "one, edited", attachments: [] })).toBe("changed");
    expect(await changes.move(three, one)).toBe("changed");
    expect(await changes.delete(two)).toBe("changed");
    expect(real.waiting).toEqual(["three", "one, edited"]);
    expect(await changes.delete(two)).toBe("gone");
    real.model.gate("go").release();
    await isDone(["begin", "three", "one, edited"]);
    expect(await changes.edit(one, { text: "too late", attachments: [] })).toBe("gone");
    expect(real.ledger.submissions.get(two)?.state).toBe("discarded");
  });

  it("is held after Stop until the person says go", async () => {
    await queued();
    await real.runtime.stop();
    await until(() => real.head.followUps.held).toBe("stopped");
    expect(real.waiting).toEqual(["one", "two", "three"]);
    real.model.gate("go").release();
    real.send("four", "queue");
    await until(() => real.waiting).toEqual(["one", "two", "three", "four"]);
    expect(real.asked).toEqual(["begin"]);
    await real.runtime.followUpChanges.resume();
    await isDone(["begin", "one", "two", "three", "four"]);
  });

  it("is held after Stop through the death of both", async () => {
    await queued();
    await real.runtime.stop();
    await until(() => real.head.followUps.held).toBe("stopped");
    await real.killBoth();
    real.threads.open(real.threadKey, () => undefined);
    await until(() => real.head.residency).toBe("loaded");
    await until(() => real.head.followUps.held).toBe("stopped");
    expect(real.waiting).toEqual(["one", "two", "three"]);
    expect(real.asked).toEqual(["begin"]);
    await real.runtime.followUpChanges.resume();
    await isDone(["begin", "one", "two", "three"]);
  });

  it("is held after a failure, which stays one", async () => {
    const [one] = await queued(failure(400, "No."));
    real.model.gate("go").release();
    const failedTurn = () => real.runtime.state.transcript.turns[0];
    await until(() => failedTurn()?.status).toBe("failed");
    await until(() => real.head.run).toBeNull();
    await until(() => real.head.followUps.held).toBe("failed");
    expect(failedTurn()?.fault?.message).toContain("No.");
    // codex does not hold by itself. What it has taken up before it could be stopped is put back in its place.
    await real.runtime.followUps.list("anew");
    await until(() => real.waiting).toEqual(["one", "two", "three"]);

    await real.killBoth();
    real.threads.open(real.threadKey, () => undefined);
    await until(() => real.head.residency).toBe("loaded");
    await until(() => real.head.followUps.held).toBe("failed");
    await until(() => real.waiting).toEqual(["one", "two", "three"]);
    expect(failedTurn()?.status).toBe("failed");
    expect(failedTurn()?.fault?.message).toContain("No.");
    // On a busy machine codex has asked before it is stopped; nothing has come of that.
    expect(real.asked.filter((text) => text !== "one")).toEqual(["begin"]);

    await real.runtime.followUpChanges.resume();
    await until(() => real.asked.slice(-3)).toEqual(["one", "two", "three"]);
    await until(() => real.head.run).toBeNull();
    expect(real.ledger.submissions.get(one)?.state).toBe("delivered");
  });

  it("goes on after a turn of one's own", async () => {
    await queued();
    await real.runtime.stop();
    await until(() => real.head.followUps.held).toBe("stopped");
    real.send("mine");
    await isDone(["begin", "mine", "one", "two", "three"]);
  });

  it("gives one away at once: into the running turn, or as the next turn", async () => {
    const [, two, three] = await queued();
    expect(await real.runtime.followUpChanges.sendNow(two)).toBe("changed");
    await until(() => real.waiting).toEqual(["one", "three"]);
    real.model.gate("go").release();
    await until(() => real.asked.slice(0, 2)).toEqual(["begin", "two"]);
    await isDone(["begin", "two", "one", "three"]);
    expect(await real.runtime.followUpChanges.sendNow(three)).toBe("gone");
  });

  it("gives one away while it is held; the rest follows", async () => {
    const [, , three] = await queued();
    await real.runtime.stop();
    await until(() => real.head.followUps.held).toBe("stopped");
    expect(await real.runtime.followUpChanges.sendNow(three)).toBe("changed");
    await isDone(["begin", "three", "one", "two"]);
  });

  it("goes on after the death of both in the middle of a turn: each once, in order", async () => {
    await queued();
    await real.killBoth();
    await real.connect();
    // The first had reached the model, and so codex's record.
    await isDone(["begin", "one", "two", "three"]);
  });

  it("goes on when the connection is cut after each request that sends something, before its answer", async () => {
    const cut: string[] = [];
    real.isToBeCut = (method) => {
      const isSending = method === "turn/start" || method === "thread/queue/add";
      if (isSending) cut.push(method);
      return isSending;
    };
    await queued();
    real.model.gate("go").release();
    await isDone(["begin", "one", "two", "three"]);
    expect(cut).toHaveLength(4);
  });

  it("goes on when codex is killed after each request that sends something", async () => {
    await queued();
    for (const text of ["one", "two", "three"]) {
      real.model.queue([real.model.hold(`after ${text}`), ...message("Cut off.")]);
    }
    real.model.gate("go").release();
    for (const text of ["one", "two", "three"]) {
      await real.model.gate(`after ${text}`).reached;
      await real.killCodex();
      real.model.gate(`after ${text}`).release();
      await real.connect();
    }
    await isDone(["begin", "one", "two", "three"]);
  });
});
