import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PortMessage } from "../../preload/contract";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import { silentLog } from "../log";
import { type SubscriptionLimits, Subscriptions, subscriptionLimits } from "./subscriptions";
import { agentItem } from "./testData";
import { TestTopics } from "./testTopics";

const frameMs = subscriptionLimits.frameMs;

interface Given {
  limits?: Partial<SubscriptionLimits>;
  post?: (message: PortMessage) => boolean;
}

function setUp({ limits = {}, post = () => true }: Given = {}) {
  const topics = new TestTopics();
  const clock = new ManualClock();
  const posted: PortMessage[] = [];
  const subscriptions = new Subscriptions({
    topics,
    post: (message) => {
      if (!post(message)) return false;
      posted.push(message);
      return true;
    },
    clock,
    log: silentLog,
    limits: { ...subscriptionLimits, ...limits },
  });
  const open = (key = "t") => {
    const { subscriptionId } = subscriptions.open({ topic: "thread", key });
    subscriptions.begin(subscriptionId);
    return subscriptionId;
  };
  const texts = () => posted.map(textOf);
  return { topics, clock, posted, subscriptions, open, texts };
}

/** "seq:text" of a change that appends, "resync" of a resync. */
function textOf(message: PortMessage): string {
  if (message.kind !== "change" || message.changes.topic !== "thread") return message.kind;
  const text = message.changes.list.map((change) => (change.type === "append" ? change.text : change.type));
  return `${message.seq}:${text.join("|")}`;
}

describe("a subscription", () => {
  it("sends what came within one frame as one message", () => {
    const { topics, clock, open, texts } = setUp();
    open();
    topics.say("t", "a");
    topics.say("t", "b");
    expect(texts()).toEqual([]);
    clock.advance(frameMs - 1);
    expect(texts()).toEqual([]);
    clock.advance(1);
    expect(texts()).toEqual(["1:ab"]);
    expect(clock.pendingCount).toBe(0);
  });

  it("sends urgent changes at once, together with what waits before them", () => {
    const { topics, clock, open, texts } = setUp();
    open();
    topics.say("t", "a");
    topics.say("t", "b", true);
    expect(texts()).toEqual(["1:ab"]);
    expect(clock.pendingCount).toBe(0);
  });

  it("has one message in flight: what comes meanwhile is merged, also when it is urgent", () => {
    const { topics, clock, subscriptions, open, texts } = setUp();
    const subscriptionId = open();
    topics.say("t", "a", true);
    topics.say("t", "b");
    topics.say("t", "c", true);
    clock.advance(10 * frameMs);
    topics.say("t", "d");
    expect(texts()).toEqual(["1:a"]);
    subscriptions.acknowledged(subscriptionId, 1);
    expect(texts()).toEqual(["1:a", "2:bcd"]);
  });

  it("waits for the frame when the acknowledgement comes first", () => {
    const { topics, clock, subscriptions, open, texts } = setUp();
    const subscriptionId = open();
    topics.say("t", "a", true);
    topics.say("t", "b");
    subscriptions.acknowledged(subscriptionId, 1);
    expect(texts()).toEqual(["1:a"]);
    clock.advance(frameMs);
    expect(texts()).toEqual(["1:a", "2:b"]);
  });

  it("takes no acknowledgement but that of the message in flight", () => {
    const { topics, subscriptions, open, texts } = setUp();
    const subscriptionId = open();
    topics.say("t", "a", true);
    topics.say("t", "b", true);
    subscriptions.acknowledged(subscriptionId, 2);
    subscriptions.acknowledged(subscriptionId + 1, 1);
    expect(texts()).toEqual(["1:a"]);
    subscriptions.acknowledged(subscriptionId, 1);
    topics.say("t", "c", true);
    subscriptions.acknowledged(subscriptionId, 1);
    expect(texts()).toEqual(["1:a", "2:b"]);
  });

  it("ignores a late acknowledgement meant for the subscription before it", () => {
    const { topics, subscriptions, open, texts } = setUp();
    const before = open();
    topics.say("t", "a", true);
    subscriptions.end(before);
    const current = open();
    expect(current).not.toBe(before);
    topics.say("t", "b", true);
    topics.say("t", "c", true);
    subscriptions.acknowledged(before, 1);
    expect(texts()).toEqual(["1:a", "1:b"]);
  });

  it("waits longer after a flood, but not with what is urgent", () => {
    const { topics, clock, subscriptions, open, texts } = setUp({
      limits: { floodBytes: 1000, floodFrameMs: 200 },
    });
    const subscriptionId = open();
    topics.say("t", "x".repeat(1000));
    clock.advance(frameMs);
    subscriptions.acknowledged(subscriptionId, 1);
    topics.say("t", "a");
    clock.advance(199);
    expect(texts()).toHaveLength(1);
    clock.advance(1);
    expect(texts()[1]).toBe("2:a");
    subscriptions.acknowledged(subscriptionId, 2);
    topics.say("t", "b");
    clock.advance(frameMs);
    expect(texts()[2]).toBe("3:b");
    subscriptions.acknowledged(subscriptionId, 3);
    topics.say("t", "x".repeat(1000), true);
    subscriptions.acknowledged(subscriptionId, 4);
    topics.say("t", "c", true);
    expect(texts()[4]).toBe("5:c");
  });

  it("holds changes until its snapshot has been posted, in order, and sends them first", () => {
    const { topics, clock, subscriptions, texts } = setUp();
    topics.whileOpening = (listener) =>
      listener([{ type: "append", itemId: "a", field: "text", text: "early " }], false);
    const { subscriptionId } = subscriptions.open({ topic: "thread", key: "t" });
    topics.say("t", "then", true);
    clock.advance(10 * frameMs);
    expect(texts()).toEqual([]);
    subscriptions.begin(subscriptionId);
    expect(texts()).toEqual(["1:early then"]);
  });

  it("sends what came while it was opened in a frame when nothing of it is urgent", () => {
    const { topics, clock, subscriptions, texts } = setUp();
    const { subscriptionId } = subscriptions.open({ topic: "thread", key: "t" });
    topics.say("t", "early");
    subscriptions.begin(subscriptionId);
    expect(texts()).toEqual([]);
    clock.advance(frameMs);
    expect(texts()).toEqual(["1:early"]);
  });

  it("ends with a resync when too much waits, closes its topic once and is silent afterwards", () => {
    const { topics, clock, subscriptions, open, texts } = setUp({ limits: { waitingBytes: 1000 } });
    const subscriptionId = open();
    topics.say("t", "a", true);
    topics.say("t", "b");
    topics.say("t", "x".repeat(1000));
    expect(texts()).toEqual(["1:a", "resync"]);
    topics.say("t", "c", true);
    subscriptions.acknowledged(subscriptionId, 1);
    subscriptions.end(subscriptionId);
    subscriptions.endAll();
    clock.advance(10 * frameMs);
    expect(texts()).toEqual(["1:a", "resync"]);
    expect(topics.closed).toEqual(["t"]);
    expect(subscriptions.count).toBe(0);
    expect(clock.pendingCount).toBe(0);
  });

  it("says resync only after its snapshot when too much came while it was being opened", () => {
    const { topics, subscriptions, texts } = setUp({ limits: { waitingBytes: 1000 } });
    const { subscriptionId } = subscriptions.open({ topic: "thread", key: "t" });
    topics.say("t", "x".repeat(1000));
    topics.say("t", "more", true);
    expect(texts()).toEqual([]);
    subscriptions.begin(subscriptionId);
    expect(texts()).toEqual(["resync"]);
    expect(topics.closed).toEqual(["t"]);
  });

  it("holds no more than its bound for a window that never acknowledges", () => {
    const { topics, clock, posted, open } = setUp({ limits: { waitingBytes: 64_000 } });
    open();
    for (let nth = 0; nth < 10_000; nth += 1) {
      topics.say("t", "x".repeat(100));
      clock.advance(1);
    }
    const sent = posted.reduce((units, message) => units + textOf(message).length, 0);
    expect(sent).toBeLessThan(64_000);
    expect(posted.map((message) => message.kind)).toEqual(["change", "resync"]);
  });

  it("starts anew when a change is no plain data", () => {
    const { topics, open, texts } = setUp({ post: (message) => message.kind !== "change" });
    open();
    topics.say("t", "a", true);
    expect(texts()).toEqual(["resync"]);
    expect(topics.closed).toEqual(["t"]);
  });

  it("leaves nothing behind when the topic cannot be opened", () => {
    const { subscriptions, clock } = setUp();
    expect(() => subscriptions.open({ topic: "thread", key: "unknown" })).toThrow(Fault);
    expect(subscriptions.count).toBe(0);
    expect(clock.pendingCount).toBe(0);
  });

  it("is refused above the bound", () => {
    const { subscriptions, open } = setUp({ limits: { subscriptions: 2 } });
    open("a");
    const second = open("b");
    expect(() => subscriptions.open({ topic: "app" })).toThrow(/too many/);
    subscriptions.end(second);
    expect(subscriptions.open({ topic: "app" }).snapshot.topic).toBe("app");
  });

  it("closes every topic exactly once, whatever ends first", () => {
    const { topics, subscriptions, open, clock } = setUp();
    const first = open("a");
    open("b");
    topics.say("b", "waits");
    subscriptions.end(first);
    subscriptions.end(first);
    subscriptions.endAll();
    subscriptions.endAll();
    expect(topics.closed.sort()).toEqual(["a", "b"]);
    expect(clock.pendingCount).toBe(0);
  });

  it("hands over everything once and in order, numbered without a gap, with one message in flight, whatever the order of events", () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant("say" as const), urgent: fc.boolean() }),
      fc.record({ kind: fc.constant("time" as const), ms: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ kind: fc.constant("ack" as const) }),
      fc.record({ kind: fc.constant("stray ack" as const), seq: fc.integer({ min: 1, max: 20 }) }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const { topics, clock, posted, subscriptions, open } = setUp();
        const subscriptionId = open();
        let said = "";
        let acknowledged = 0;
        const check = () => expect(posted.length - acknowledged).toBeLessThanOrEqual(1);
        const acknowledge = () => {
          if (posted.length === acknowledged) return;
          acknowledged += 1;
          subscriptions.acknowledged(subscriptionId, acknowledged);
        };
        for (const [nth, happens] of events.entries()) {
          if (happens.kind === "say") {
            const text = `${nth},`;
            said += text;
            topics.say("t", text, happens.urgent);
          } else if (happens.kind === "time") clock.advance(happens.ms);
          else if (happens.kind === "ack") acknowledge();
          else if (happens.seq !== posted.length) subscriptions.acknowledged(subscriptionId, happens.seq);
          check();
        }
        for (let round = 0; round < 3; round += 1) {
          clock.advance(frameMs);
          acknowledge();
        }
        const texts = posted.map(textOf);
        expect(texts.map((text) => text.replace(/^\d+:/, "")).join("")).toBe(said);
        expect(texts.map((text) => Number.parseInt(text, 10))).toEqual(texts.map((_, at) => at + 1));
        expect(clock.pendingCount).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it("lets other subscriptions go on while one is not acknowledged", () => {
    const { topics, open, texts } = setUp();
    open("slow");
    open("quick");
    topics.say("slow", "a", true);
    topics.say("slow", "b", true);
    topics.changeThread("quick", [{ type: "items", items: [agentItem("a")] }], true);
    expect(texts()).toEqual(["1:a", "1:items"]);
  });
});
