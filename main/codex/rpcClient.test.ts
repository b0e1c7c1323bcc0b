import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import { silentLog } from "../log";
import { openRpcClient } from "./rpcClient";
import { RequestFault, RpcFault } from "./rpcFault";
import { openTestClient, outcome, TestTransport } from "./testTransport";

describe("who listens to a method", () => {
  it("hears all of its notifications, beside everybody else, until that is ended; a failure is nobody else's", async () => {
    const told: unknown[] = [];
    const { client, transport, heard } = await openTestClient();
    const stop = client.listen("said", (params) => told.push(params));
    client.listen("said", () => {
      throw new Error("not mine");
    });
    client.listen("done", (params) => told.push(params));
    transport.say({ method: "said", params: { word: "one" } });
    transport.say({ method: "meant", params: { word: "none" } });
    stop();
    transport.say({ method: "said", params: { word: "two" } });
    transport.say({ method: "done", params: { word: "end" } });
    expect(told).toEqual([{ word: "one" }, { word: "end" }]);
    expect(heard).toHaveLength(4);
    expect(client.counters.handlerErrors).toBe(2);
  });
});

describe("a request", () => {
  it("is written at once, in order, under its own id, and gets its own answer whatever the order of the answers", async () => {
    const { client, clock, transport } = await openTestClient();
    const one = client.request("thread/list", {});
    const two = client.request("account/logout", undefined);
    expect(transport.sent).toEqual([
      { id: 1, method: "thread/list", params: {} },
      { id: 2, method: "account/logout" },
    ]);
    transport.say({ id: 2, result: {} });
    transport.say({ id: 1, result: { data: [], nextCursor: null } });
    expect(await two).toEqual({});
    expect(await one).toMatchObject({ data: [] });
    expect(clock.pendingCount).toBe(0);
  });

  it("with half of a character in it is one that codex can read, and leaves the rest as it is", async () => {
    const { client, transport } = await openTestClient();
    const words = ["a\ud83db", "\udc00", "\ud83d\ude00 whole", "\\ud83d spelt out"];
    void outcome(client.requestUntyped("x", { words, deep: [{ word: "\ud83d" }] }));
    client.notify("said", { word: "\udfff" });
    expect(transport.sent).toEqual([
      {
        id: 1,
        method: "x",
        params: {
          words: ["a\ufffdb", "\ufffd", "\ud83d\ude00 whole", "\\ud83d spelt out"],
          deep: [{ word: "\ufffd" }],
        },
      },
      { method: "said", params: { word: "\ufffd" } },
    ]);
  });

  it("may be answered with null, and while it is being sent", async () => {
    const { client, transport } = await openTestClient();
    const send = transport.send.bind(transport);
    transport.send = (text) => {
      const sent = send(text);
      transport.say({ id: 1, result: null });
      return sent;
    };
    expect(await client.requestUntyped("x", {})).toBeNull();
  });

  it("that codex refuses fails with codex's own code, words and data", async () => {
    const { client, clock, transport } = await openTestClient();
    const refused = outcome(client.request("thread/resume", { threadId: "T" }));
    transport.say({
      id: 1,
      error: { code: -32600, message: "thread T already has an active writer", data: { a: 1 } },
    });
    expect(await refused).toMatchObject({
      code: "codex_error",
      message: "thread T already has an active writer",
      rpcCode: -32600,
      data: { a: 1 },
      method: "thread/resume",
      isUnknownMethod: false,
    });
    expect(clock.pendingCount).toBe(0);
  });

  it("that this codex does not know says so, without the list of all that it knows", async () => {
    const { client, transport } = await openTestClient();
    const older = outcome(client.requestUntyped("thread/new", {}));
    const message =
      "Invalid request: unknown variant `thread/new`, expected one of `initialize`, `thread/start`";
    transport.say({ id: 1, error: { code: -32600, message } });
    const fault = await older;
    expect(fault).toBeInstanceOf(RpcFault);
    expect(fault).toMatchObject({
      isUnknownMethod: true,
      message: "Invalid request: unknown variant `thread/new`",
    });
  });

  it("fails at its deadline, and what comes afterwards is counted and dropped", async () => {
    const { client, clock, transport } = await openTestClient();
    const short = outcome(client.request("thread/list", {}, { deadlineMs: 50 }));
    const start = outcome(client.request("thread/start", {}));
    clock.advance(50);
    expect(await short).toMatchObject({
      code: "deadline",
      written: true,
      method: "thread/list",
      retryable: true,
    });
    clock.advance(119_949);
    transport.say({ id: 1, result: {} });
    transport.say({ id: 1, error: { code: 1, message: "x" } });
    expect(client.counters).toMatchObject({ lateAnswers: 2, strayAnswers: 0 });
    clock.advance(1);
    expect(await start).toMatchObject({ code: "deadline" });
    expect(clock.pendingCount).toBe(0);
  });

  it("is cancelled by its signal, before and after it was sent, and leaves no listener", async () => {
    const { client, clock, transport } = await openTestClient();
    const controller = new AbortController();
    const { signal } = controller;
    const sent = outcome(client.request("thread/list", {}, { signal }));
    const answered = client.request("thread/list", {}, { signal });
    transport.say({ id: 2, result: {} });
    await answered;
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    controller.abort();
    expect(await sent).toMatchObject({ code: "cancelled", written: true });
    expect(await outcome(client.request("thread/list", {}, { signal }))).toMatchObject({
      code: "cancelled",
      written: false,
    });
    expect(transport.sent).toHaveLength(2);
    expect([clock.pendingCount, getEventListeners(signal, "abort")]).toEqual([0, []]);
  });

  it("that is cancelled with a reason fails with that reason", async () => {
    const { client } = await openTestClient();
    const reason = new Fault("codex_exited", "codex ended with code 1.");
    const controller = new AbortController();
    const cancelled = outcome(client.request("thread/list", {}, { signal: controller.signal }));
    controller.abort(reason);
    expect(await cancelled).toBe(reason);
  });

  it("tells its answer in the order of the wire to who asks for it", async () => {
    const order: unknown[] = [];
    const { client, transport } = await openTestClient({ onNotification: (method) => order.push(method) });
    const answered = client
      .requestUntyped("thread/resume", {}, { onAnswer: (result) => order.push(result) })
      .then(() => order.push("promise"));
    transport.say({ method: "before" });
    transport.say({ id: 1, result: "answer" });
    transport.say({ method: "after" });
    await answered;
    expect(order).toEqual(["before", "answer", "after", "promise"]);
  });

  it("with parameters that JSON cannot express fails without being sent", async () => {
    const { client, clock, transport } = await openTestClient();
    expect(await outcome(client.requestUntyped("x", { big: 1n }))).toBeInstanceOf(Fault);
    expect([transport.sent, clock.pendingCount]).toEqual([[], 0]);
  });

  it("is not added to what a codex that does not read has not taken yet", async () => {
    const { client, clock, transport } = await openTestClient({ maxBufferedBytes: 1_000 });
    transport.bufferedBytes = 1_001;
    expect(await outcome(client.request("thread/list", {}))).toMatchObject({
      code: "codex_busy",
      written: false,
    });
    expect([transport.sent, clock.pendingCount]).toEqual([[], 0]);
  });
});

describe("an overloaded codex", () => {
  const overloaded = { code: -32001, message: "Server overloaded; retry later." };

  it("is asked again after a growing, capped pause with jitter, and then the refusal stands", async () => {
    const { client, clock, transport } = await openTestClient({ random: () => 0.5 });
    const refused = outcome(client.request("thread/list", {}));
    const pausesMs: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt++) {
      await expect.poll(() => clock.pendingCount, { interval: 1 }).toBe(1);
      expect(transport.sent).toHaveLength(attempt);
      transport.say({ id: attempt, error: overloaded });
      if (attempt === 6) break;
      await expect.poll(() => clock.pendingCount, { interval: 1 }).toBe(1);
      const before = clock.nowMs();
      while (transport.sent.length === attempt) {
        clock.advance(5);
        await Promise.resolve();
        await Promise.resolve();
      }
      pausesMs.push(clock.nowMs() - before);
    }
    expect(await refused).toMatchObject({ code: "codex_error", rpcCode: -32001, retryable: true });
    // Three quarters of 100, 200, 400, 800 and 1600.
    expect(pausesMs).toEqual([75, 150, 300, 600, 1200]);
    expect([client.counters.retries, clock.pendingCount]).toEqual([5, 0]);
  });

  it("that has time again answers the same request", async () => {
    const { client, clock, transport } = await openTestClient();
    const answered = client.request("thread/list", { limit: 3 });
    transport.say({ id: 1, error: overloaded });
    await expect.poll(() => client.counters.retries, { interval: 1 }).toBe(1);
    clock.advance(50);
    await expect.poll(() => transport.sent, { interval: 1 }).toHaveLength(2);
    expect(transport.sent[1]).toEqual({ id: 2, method: "thread/list", params: { limit: 3 } });
    transport.say({ id: 2, result: { data: [] } });
    expect(await answered).toEqual({ data: [] });
  });

  it("is not asked again past the deadline, nor for any other refusal", async () => {
    const { client, clock, transport } = await openTestClient();
    const late = outcome(client.request("thread/list", {}, { deadlineMs: 40 }));
    transport.say({ id: 1, error: overloaded });
    expect(await late).toMatchObject({ rpcCode: -32001 });
    const other = outcome(client.request("thread/list", {}));
    transport.say({ id: 2, error: { code: -32000, message: "no" } });
    expect(await other).toMatchObject({ rpcCode: -32000 });
    expect([transport.sent.length, clock.pendingCount]).toEqual([2, 0]);
  });

  it("that goes away, or is no longer wanted, during the pause has certainly done nothing", async () => {
    for (const cut of ["connection_lost", "cancelled"]) {
      const { client, clock, transport } = await openTestClient();
      const controller = new AbortController();
      const paused = outcome(client.request("thread/list", {}, { signal: controller.signal }));
      transport.say({ id: 1, error: overloaded });
      await expect.poll(() => client.counters.retries, { interval: 1 }).toBe(1);
      if (cut === "cancelled") controller.abort();
      else transport.end();
      expect(await paused).toMatchObject({ code: cut, written: false });
      expect([clock.pendingCount, getEventListeners(controller.signal, "abort")]).toEqual([0, []]);
    }
  });
});

describe("the end of the connection", () => {
  it("fails everything that is pending as possibly delivered, and everything later as certainly not", async () => {
    const { client, clock, transport, heard } = await openTestClient();
    const pending = [
      outcome(client.request("turn/start", { threadId: "T", input: [] })),
      outcome(client.requestUntyped("x", {})),
    ];
    transport.say({ id: 0, method: "item/commandExecution/requestApproval", params: {} });
    transport.end();
    for (const fault of await Promise.all(pending)) {
      expect(fault).toBeInstanceOf(RequestFault);
      expect(fault).toMatchObject({
        code: "connection_lost",
        written: true,
        detail: "the connection was cut",
      });
    }
    expect(await outcome(client.request("thread/list", {}))).toMatchObject({
      code: "connection_lost",
      written: false,
    });
    expect([client.respond(0, {}), client.notify("x"), client.isOpen]).toEqual([false, false, false]);
    expect(heard).toEqual([{ by: "codex", detail: "the connection was cut" }]);
    expect(clock.pendingCount).toBe(0);
  });

  it("by us is reported like any other, once", async () => {
    const { client, heard } = await openTestClient();
    const pending = outcome(client.request("thread/list", {}));
    client.close();
    client.close();
    expect(heard).toEqual([{ by: "holdfast" }]);
    expect(await pending).toMatchObject({ code: "connection_lost", written: true });
  });

  it("that comes before the client is complete comes after what was said before it", async () => {
    const transport = new TestTransport();
    const heard: unknown[] = [];
    const client = await openRpcClient(
      async (handlers) => {
        transport.handlers = handlers;
        transport.say({ method: "first" });
        transport.say({ id: "a", method: "unknown" });
        await Promise.resolve();
        transport.say({ method: "second" });
        transport.end();
        return transport;
      },
      {
        clock: new ManualClock(),
        log: silentLog,
        random: Math.random,
        onNotification: (method) => heard.push(method),
        onRequest: () => false,
        onClosed: (reason) => heard.push(reason.by),
      },
    );
    expect([heard, client.isOpen]).toEqual([["first", "second", "codex"], false]);
  });

  it("before it was open is the failure to open it", async () => {
    const failure = new Fault("connect_failed", "codex cannot be reached.");
    const opening = openRpcClient(() => Promise.reject(failure), {
      clock: new ManualClock(),
      log: silentLog,
      random: Math.random,
      onNotification: () => {},
      onRequest: () => false,
      onClosed: () => {},
    });
    await expect(opening).rejects.toBe(failure);
  });
});

describe("what is not to be understood", () => {
  it("fails the request that it is the answer to, and no other", async () => {
    const { client, transport } = await openTestClient();
    const requests = [1, 2, 3, 4].map(() => outcome(client.request("thread/list", {})));
    transport.say('{"id":1,"result":{"data":[{"id":2}');
    transport.say('{"error":{"code":-32600,"mess\u0000age":"x"},"id":2}');
    transport.say({ id: 3 });
    transport.say('{"id":4,"method":"item/fileChange/requestApproval","par');
    for (const at of [0, 1, 2])
      expect(await requests[at]).toMatchObject({ code: "malformed_answer", written: true });
    transport.say({ id: 4, result: "fine" });
    expect(await requests[3]).toEqual({ value: "fine" });
    expect(client.counters.malformedMessages).toBe(4);
  });

  it("is counted and leaves the connection as it is; only the first ones are logged, without their words", async () => {
    const warn = vi.fn();
    const { client, transport, heard } = await openTestClient({ log: { ...silentLog, warn } });
    for (const message of [
      "null",
      "[]",
      "3",
      '"x"',
      "{}",
      "{secret",
      '{"id":{},"method":"x"}',
      '{"id":null,"error":{}}',
    ]) {
      transport.say(message);
    }
    for (let at = 0; at < 100; at++) transport.say("{");
    transport.say({ id: 55, result: {} });
    transport.say({ id: "ours", result: {} });
    transport.say({ method: "future/notification", params: { status: "hibernating" }, extra: 1 });
    expect(client.counters).toMatchObject({ malformedMessages: 108, strayAnswers: 2 });
    expect(heard).toEqual([["future/notification", { status: "hibernating" }]]);
    expect(warn.mock.calls).toHaveLength(20);
    expect(JSON.stringify(warn.mock.calls)).not.toContain("secret");
  });

  it("in an error still is an error", async () => {
    const { client, transport } = await openTestClient();
    const one = outcome(client.request("thread/list", {}));
    const two = outcome(client.request("thread/list", {}));
    transport.say({ id: 1, error: "boom" });
    transport.say({ id: 2, error: {} });
    expect(await one).toMatchObject({ code: "codex_error", message: "boom", rpcCode: 0 });
    expect(await two).toMatchObject({ code: "codex_error" });
  });

  it("by a handler of notifications does not stop the next one", async () => {
    const heard: string[] = [];
    const { client, transport } = await openTestClient({
      onNotification: (method) => {
        heard.push(method);
        throw new Error("bug");
      },
    });
    transport.say({ method: "a" });
    transport.say({ method: "b" });
    expect([heard, client.counters.handlerErrors]).toEqual([["a", "b"], 2]);
  });
});

describe("any history", () => {
  it("settles each request exactly once and leaves no timer", async () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant("request" as const), deadlineMs: fc.integer({ min: 1, max: 200 }) }),
      fc.record({
        kind: fc.constant("answer" as const),
        id: fc.integer({ min: 1, max: 12 }),
        code: fc.constantFrom(0, -1, -32001),
      }),
      fc.record({ kind: fc.constant("time" as const), ms: fc.integer({ min: 1, max: 150 }) }),
      fc.record({ kind: fc.constant("abort" as const), at: fc.nat(11) }),
      fc.record({
        kind: fc.constant("garbage" as const),
        text: fc.constantFrom("{", "[]", '{"id":1,"result":'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        const { client, clock, transport } = await openTestClient();
        const settled: number[] = [];
        const controllers: AbortController[] = [];
        for (const step of events) {
          if (step.kind === "request") {
            const at = controllers.push(new AbortController()) - 1;
            const { signal } = controllers[at] ?? {};
            const count = () => settled.push(at);
            client.request("thread/list", {}, { deadlineMs: step.deadlineMs, signal }).then(count, count);
          } else if (step.kind === "answer") {
            const { id, code } = step;
            transport.say(code === 0 ? { id, result: {} } : { id, error: { code, message: "no" } });
          } else if (step.kind === "time") clock.advance(step.ms);
          else if (step.kind === "abort") controllers[step.at]?.abort();
          else transport.say(step.text);
          for (let turn = 0; turn < 4; turn++) await Promise.resolve();
        }
        transport.end();
        await new Promise((resolve) => setImmediate(resolve));
        expect(settled.sort((a, b) => a - b)).toEqual(controllers.map((_, at) => at));
        expect(clock.pendingCount).toBe(0);
        for (const { signal } of controllers) expect(getEventListeners(signal, "abort")).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("pieces of one text that one read brings", () => {
  const piece = (delta: string) => ({
    method: "item/agentMessage/delta",
    params: { threadId: "t", turnId: "u", itemId: "m", delta },
  });

  it("are told as one, and before whatever comes behind them", async () => {
    const { transport, heard } = await openTestClient({ atEndOfRead: queueMicrotask });
    transport.say(piece("one "));
    transport.say(piece("two"));
    expect(heard).toEqual([]);
    transport.say({ method: "turn/completed", params: { threadId: "t" } });
    const joined = ["item/agentMessage/delta", piece("one two").params];
    expect(heard).toEqual([joined, ["turn/completed", { threadId: "t" }]]);
    transport.say(piece("three"));
    await Promise.resolve();
    expect(heard.at(-1)).toEqual(["item/agentMessage/delta", piece("three").params]);
  });

  it.each([
    ["at the end of the read", () => Promise.resolve()],
    ["behind them", (say: (message: unknown) => void) => say({ method: "turn/completed", params: {} })],
  ])("nothing is told once whoever heard of one has closed the connection: %s", async (_when, go) => {
    const heard: string[] = [];
    const { transport, client } = await openTestClient({
      atEndOfRead: queueMicrotask,
      onNotification: (method) => {
        heard.push(method);
        client.close();
      },
      onClosed: () => heard.push("closed"),
    });
    transport.say(piece("one"));
    transport.say({ ...piece("two"), params: { ...piece("two").params, itemId: "other" } });
    await go((message) => transport.say(message));
    expect(heard).toEqual(["item/agentMessage/delta", "closed"]);
  });

  it("are told before the end of the connection", async () => {
    const { transport, heard } = await openTestClient({ atEndOfRead: queueMicrotask });
    transport.say(piece("last words"));
    transport.end();
    expect(heard).toEqual([
      ["item/agentMessage/delta", piece("last words").params],
      { by: "codex", detail: "the connection was cut" },
    ]);
  });
});
