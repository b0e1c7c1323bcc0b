import { once } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import type { CallName, PortMessage } from "../../preload/contract";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import type { Log } from "../log";
import type { Handlers } from "./backend";
import type { BridgePort } from "./port";
import { PortServer, type PortServerLimits, type WindowCall } from "./portServer";
import { agentItem, threadSnapshot } from "./testData";
import { TestTopics } from "./testTopics";

function nodePort(port: MessagePort): BridgePort {
  return {
    post: (message) => port.postMessage(message),
    listen(listener) {
      port.on("message", (data) => listener.message(data));
      port.on("close", () => listener.closed());
    },
    close: () => port.close(),
  };
}

/** The window's end. Messages are taken one by one; a test that waits for one that never comes fails by its time. */
class Page {
  readonly #port: MessagePort;
  readonly #inbox: PortMessage[] = [];
  #arrived: () => void = () => {};

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (message: PortMessage) => {
      this.#inbox.push(message);
      this.#arrived();
    });
  }

  send(message: unknown): void {
    this.#port.postMessage(message);
  }

  call(id: number, name: CallName, params: unknown): void {
    this.send({ kind: "call", id, name, params });
  }

  async next(): Promise<PortMessage> {
    for (;;) {
      const message = this.#inbox.shift();
      if (message) return message;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  /** Everything that was posted to this page before now, proved by an answer that was asked for afterwards. */
  async rest(): Promise<PortMessage[]> {
    this.call(999_999, "threads.markRead", { threadKey: "fence" });
    const rest: PortMessage[] = [];
    for (;;) {
      const message = await this.next();
      if ("id" in message && message.id === 999_999) return rest;
      rest.push(message);
    }
  }

  async close(): Promise<void> {
    const closed = once(this.#port, "close");
    this.#port.close();
    await closed;
  }
}

interface Logged {
  level: string;
  message: string;
  facts: Record<string, unknown> | undefined;
}

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

function setUp(handlers: Partial<Handlers<WindowCall>> = {}, limits: Partial<PortServerLimits> = {}) {
  const channel = new MessageChannel();
  const topics = new TestTopics();
  const clock = new ManualClock();
  const logged: Logged[] = [];
  const entry = (level: string) => (message: string, facts?: Record<string, unknown>) => {
    logged.push({ level, message, facts });
  };
  const log: Log = { info: entry("info"), warn: entry("warn"), error: entry("error") };
  const done = async () => ({ done: true as const });
  const closes: string[] = [];
  const ended = gate<void>();
  const server = new PortServer({
    port: nodePort(channel.port1),
    handlers: { "threads.markRead": done, ...handlers } as Handlers<WindowCall>,
    topics,
    clock,
    log,
    limits,
    closed: () => {
      closes.push("closed");
      ended.open();
    },
  });
  const page = new Page(channel.port2);
  cleanUps.push(() => {
    channel.port1.close();
    channel.port2.close();
  });
  return { server, page, topics, clock, logged, closes, ended: ended.promise };
}

function gate<Value>() {
  let open: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { promise, open: (value: Value) => open(value) };
}

function failureOf(message: PortMessage) {
  if (message.kind !== "failure") throw new Error(`expected a failure, got ${JSON.stringify(message)}`);
  return message;
}

describe("a call", () => {
  it("is answered with its handler's result, without what the contract does not name", async () => {
    const result = { workspaceId: "w", internal: "not for windows" };
    const { page } = setUp({ "workspaces.open": async ({ path }) => ({ ...result, workspaceId: path }) });
    page.call(1, "workspaces.open", { path: "/folder" });
    expect(await page.next()).toEqual({
      kind: "answer",
      id: 1,
      ok: true,
      value: { workspaceId: "/folder" },
    });
  });

  it("with bytes reaches its handler as bytes", async () => {
    let got: Uint8Array | null = null;
    const { page } = setUp({
      "attachments.save": async ({ bytes }) => {
        got = bytes;
        return { attachment: { kind: "image", path: "/p", name: "n", bytes: 3 } };
      },
    });
    page.call(1, "attachments.save", { name: "n", bytes: new Uint8Array([1, 2, 3]) });
    expect((await page.next()).kind).toBe("answer");
    expect(got).toEqual(new Uint8Array([1, 2, 3]));
  });

  it("answers in the order in which handlers finish, not in which they were called", async () => {
    const slow = gate<{ done: true }>();
    const { page } = setUp({ "turns.stop": () => slow.promise });
    page.call(1, "turns.stop", { threadKey: "t" });
    page.call(2, "threads.markRead", { threadKey: "t" });
    expect(await page.next()).toMatchObject({ kind: "answer", id: 2 });
    slow.open({ done: true });
    expect(await page.next()).toMatchObject({ kind: "answer", id: 1 });
  });

  it("fails with the fault that its handler throws, without what looks like a secret", async () => {
    const { page, logged } = setUp({
      "account.signInWithApiKey": async () => {
        throw new Fault("key_refused", "The key sk-abcdefghijklmnop was refused.", {
          hint: "Try another.",
          detail: "Authorization: Bearer abcdefghijklmnop",
          retryable: true,
        });
      },
    });
    page.call(3, "account.signInWithApiKey", { apiKey: "sk-abcdefghijklmnop" });
    const { fault } = failureOf(await page.next());
    expect(fault).toMatchObject({ code: "key_refused", hint: "Try another.", retryable: true });
    expect(JSON.stringify(fault)).not.toContain("abcdefghijklmnop");
    expect(logged.filter((entry) => entry.level === "error")).toEqual([]);
  });

  it("fails as unexpected, and is logged, when its handler throws anything else, at once or later", async () => {
    const { page, logged } = setUp({
      "turns.stop": async () => {
        throw new TypeError("later");
      },
      "turns.retry": () => {
        throw new TypeError("at once");
      },
    });
    page.call(1, "turns.stop", { threadKey: "t" });
    expect(failureOf(await page.next()).fault).toMatchObject({ code: "unexpected", message: "later" });
    page.call(2, "turns.retry", { threadKey: "t" });
    expect(failureOf(await page.next()).fault).toMatchObject({ code: "unexpected", message: "at once" });
    expect(logged.filter((entry) => entry.level === "error")).toHaveLength(2);
  });

  it("fails with contract_broken, and is logged, when the result does not fit", async () => {
    const { page, logged } = setUp({
      "turns.stop": async () => ({ done: "yes" }) as unknown as { done: true },
    });
    page.call(1, "turns.stop", { threadKey: "t" });
    const { fault } = failureOf(await page.next());
    expect(fault.code).toBe("contract_broken");
    expect(fault.detail).toContain("done");
    expect(logged.filter((entry) => entry.level === "error")).toHaveLength(1);
  });

  it.each([
    ["an unknown name", { kind: "call", id: 7, name: "system.exec", params: {} }],
    ["the name of something every object has", { kind: "call", id: 7, name: "constructor", params: {} }],
    ["params that do not fit", { kind: "call", id: 7, name: "workspaces.open", params: { path: 5 } }],
    ["no params", { kind: "call", id: 7, name: "workspaces.open" }],
  ])("with %s fails and reaches no handler", async (_what, message) => {
    let called = 0;
    const { page } = setUp({
      "workspaces.open": async () => {
        called += 1;
        return { workspaceId: "w" };
      },
    });
    page.send(message);
    expect(failureOf(await page.next())).toMatchObject({ id: 7, fault: { code: "contract_broken" } });
    expect(called).toBe(0);
  });

  it("that is too large fails before it is looked at", async () => {
    const { page } = setUp({}, { messageBytes: 10_000 });
    page.call(1, "shell.copy", { text: "x".repeat(20_000) });
    expect(failureOf(await page.next()).fault.code).toBe("message_too_large");
  });

  it("above the bound of open calls fails at once; when one is answered there is room again", async () => {
    const slow = gate<{ done: true }>();
    const { page } = setUp({ "turns.stop": () => slow.promise }, { outstandingCalls: 2 });
    for (const id of [1, 2, 3]) page.call(id, "turns.stop", { threadKey: "t" });
    expect(failureOf(await page.next())).toMatchObject({
      id: 3,
      fault: { code: "too_many_calls", retryable: true },
    });
    slow.open({ done: true });
    expect([await page.next(), await page.next()]).toMatchObject([{ id: 1 }, { id: 2 }]);
    page.call(4, "turns.stop", { threadKey: "t" });
    expect(await page.next()).toMatchObject({ kind: "answer", id: 4 });
  });

  it("with the id of an open call changes nothing for that one", async () => {
    const slow = gate<{ done: true }>();
    let called = 0;
    const { page, server } = setUp({
      "turns.stop": () => {
        called += 1;
        return slow.promise;
      },
    });
    page.call(1, "turns.stop", { threadKey: "t" });
    page.call(1, "turns.stop", { threadKey: "t" });
    expect(await page.rest()).toEqual([]);
    slow.open({ done: true });
    expect(await page.next()).toMatchObject({ kind: "answer", id: 1 });
    expect(await page.rest()).toEqual([]);
    expect(called).toBe(1);
    expect(server.misfits).toBe(1);
  });
});

describe("garbage", () => {
  it("is counted, costs few log lines, and the page goes on", async () => {
    const { page, server, logged } = setUp();
    for (let nth = 0; nth < 1500; nth += 1) page.send({ nonsense: nth });
    for (const odd of [null, 5, "text", [], { kind: "call" }, { kind: "ack", subscriptionId: "x" }])
      page.send(odd);
    expect(await page.rest()).toEqual([]);
    expect(server.misfits).toBe(1506);
    expect(logged.filter((entry) => entry.level === "warn")).toHaveLength(11);
  });
});

describe("a subscription", () => {
  it("is answered with its snapshot before any change of it", async () => {
    const { page, topics } = setUp();
    topics.whileOpening = (listener) =>
      listener([{ type: "append", itemId: "a", field: "text", text: "early" }], true);
    page.call(1, "subscribe", { topic: "thread", key: "t" });
    const answer = await page.next();
    expect(answer).toMatchObject({ kind: "answer", id: 1, value: { snapshot: { topic: "thread" } } });
    expect(await page.next()).toMatchObject({ kind: "change", seq: 1 });
  });

  it("goes on with the next change after the page's acknowledgement", async () => {
    const { page, topics } = setUp();
    page.call(1, "subscribe", { topic: "thread", key: "t" });
    await page.next();
    topics.say("t", "a", true);
    topics.say("t", "b", true);
    expect(await page.next()).toMatchObject({ seq: 1 });
    expect(await page.rest()).toEqual([]);
    page.send({ kind: "ack", subscriptionId: 1, seq: 1 });
    expect(await page.next()).toMatchObject({ seq: 2 });
  });

  it("to the app works the same way", async () => {
    const { page, topics } = setUp();
    page.call(1, "subscribe", { topic: "app" });
    expect(await page.next()).toMatchObject({ value: { snapshot: { topic: "app" } } });
    topics.changeApp([{ type: "state", value: { version: "2" } }], true);
    expect(await page.next()).toMatchObject({
      kind: "change",
      changes: { topic: "app", list: [{ type: "state", value: { version: "2" } }] },
    });
  });

  it("fails with the topic's own fault", async () => {
    const { page } = setUp();
    page.call(1, "subscribe", { topic: "thread", key: "unknown" });
    expect(failureOf(await page.next()).fault.code).toBe("thread_unknown");
  });

  it("whose snapshot does not fit fails, and its topic is closed", async () => {
    const { page, topics, logged } = setUp();
    topics.snapshot = threadSnapshot([{ ...agentItem("a"), kind: "mystery" } as never]);
    page.call(1, "subscribe", { topic: "thread", key: "t" });
    expect(failureOf(await page.next()).fault).toMatchObject({ code: "contract_broken" });
    expect(topics.closed).toEqual(["t"]);
    expect(logged.filter((entry) => entry.level === "error")).toHaveLength(1);
  });

  it("whose snapshot is no plain data fails, and its topic is closed", async () => {
    const { page, topics } = setUp();
    topics.snapshot = threadSnapshot([{ ...agentItem("a"), extra: () => {} } as never]);
    page.call(1, "subscribe", { topic: "thread", key: "t" });
    expect(failureOf(await page.next()).fault).toMatchObject({ code: "contract_broken" });
    expect(topics.closed).toEqual(["t"]);
  });

  it("ends with unsubscribe: its topic is closed and nothing more is sent", async () => {
    const { page, topics, clock } = setUp();
    page.call(1, "subscribe", { topic: "thread", key: "t" });
    await page.next();
    topics.say("t", "a");
    page.call(2, "unsubscribe", { subscriptionId: 1 });
    expect(await page.next()).toMatchObject({ kind: "answer", id: 2 });
    expect(topics.closed).toEqual(["t"]);
    clock.advance(1000);
    topics.say("t", "b", true);
    expect(await page.rest()).toEqual([]);
  });
});

describe("the end", () => {
  it("by the page closes every topic once and tells of it once", async () => {
    const { page, server, topics, closes, ended, clock } = setUp();
    page.call(1, "subscribe", { topic: "thread", key: "t" });
    page.call(2, "subscribe", { topic: "app" });
    await page.next();
    await page.next();
    topics.say("t", "waits");
    await page.close();
    await ended;
    server.close();
    expect(topics.closed.sort()).toEqual(["app", "t"]);
    expect(closes).toEqual(["closed"]);
    expect(clock.pendingCount).toBe(0);
  });

  it("by main closes every topic once; what handlers still bring is dropped", async () => {
    const slow = gate<{ done: true }>();
    const { page, server, topics, closes, logged } = setUp({ "turns.stop": () => slow.promise });
    page.call(1, "subscribe", { topic: "thread", key: "t" });
    await page.next();
    page.call(2, "turns.stop", { threadKey: "t" });
    await page.rest();
    server.close();
    server.close();
    slow.open({ done: true });
    await slow.promise;
    topics.say("t", "late", true);
    server.order({ kind: "command", command: "find" });
    expect(topics.closed).toEqual(["t"]);
    expect(closes).toEqual([]);
    expect(logged.filter((entry) => entry.level === "error")).toEqual([]);
  });

  it("drops calls that arrive afterwards", async () => {
    let listener: { message(data: unknown): void; closed(): void } | null = null;
    const posted: PortMessage[] = [];
    let called = 0;
    const server = new PortServer({
      port: {
        post: (message) => posted.push(message),
        listen: (given) => {
          listener = given;
        },
        close: () => {},
      },
      handlers: {
        "turns.stop": async () => {
          called += 1;
          return { done: true as const };
        },
      } as Partial<Handlers<WindowCall>> as Handlers<WindowCall>,
      topics: new TestTopics(),
      clock: new ManualClock(),
      log: { info() {}, warn() {}, error() {} },
    });
    const call = { kind: "call", id: 1, name: "turns.stop", params: { threadKey: "t" } };
    const deliver = (data: unknown) => listener?.message(data);
    deliver(call);
    expect(called).toBe(1);
    server.close();
    deliver({ ...call, id: 2 });
    await Promise.resolve();
    expect(called).toBe(1);
    expect(posted).toEqual([]);
  });
});

describe("what main asks of a window", () => {
  it("arrives", async () => {
    const { page, server } = setUp();
    server.order({ kind: "command", command: "new-thread" });
    server.order({ kind: "show", workspaceId: "w", threadKey: null, requestKey: null });
    expect(await page.next()).toEqual({ kind: "command", command: "new-thread" });
    expect(await page.next()).toEqual({
      kind: "show",
      workspaceId: "w",
      threadKey: null,
      requestKey: null,
    });
  });
});
