// What a runtime does when the threads of its cells, or what is around them, fail; and its shutdown. The test plays the threads.

import { describe, expect, test } from "vitest";
import { defaultLimits } from "./limits";
import { failure, isPending, settled } from "./testCells";
import { call, done, frontier, idle, item, second, text } from "./testMessages";
import { playedRuntime } from "./testRuntime";

const played = playedRuntime();

describe("a thread", () => {
  test("that dies cancels what its script asked for, and the cell ends with an error", async () => {
    const cell = await played.started();
    cell.thread.say({ type: "notify", text: "n" });
    cell.thread.say(text("before"));
    const notified = await played.cells.delegate.asked.next();
    cell.thread.end(failure("it broke"));
    expect(notified.signal.aborted).toBe(true);
    notified.resolve();
    expect(await cell.event).toEqual({
      type: "completed",
      output: [item("before")],
      error: { text: "it broke", at: null, limit: null },
    });
    await played.closes(cell);
  });

  test("that ends without a word is an error too", async () => {
    const cell = await played.started();
    cell.thread.end();
    expect(await cell.event).toMatchObject({ error: { text: "The cell's thread has ended unexpectedly." } });
  });

  test("that does not notice that its time is over is ended", async () => {
    const cell = await played.started(frontier);
    played.cells.clock.advance(defaultLimits.runTimeMs + 999);
    expect(cell.thread.isKilled).toBe(false);
    played.cells.clock.advance(1);
    expect(cell.thread.isKilled).toBe(true);
    expect(await cell.event).toMatchObject({ type: "completed", error: { limit: "runTimeMs" } });
  });

  test("that waits has no time that could be over", async () => {
    const cell = await played.started(frontier);
    cell.thread.say(idle(0, "timer"));
    played.cells.clock.advance(24 * 3_600_000);
    expect(cell.thread.isKilled).toBe(false);
  });

  test("gets answers and errors of the delegate, and an error for what does not fit", async () => {
    const cell = await played.started();
    for (const id of [1, 2, 3, 4]) cell.thread.say(call(id));
    cell.thread.say({ type: "call", id: 5, name: "__proto__", args: "{}" });
    cell.thread.say({ type: "call", id: 6, name: "ask", args: '{"question":5}' });
    const asked = [];
    for (let count = 0; count < 4; count += 1) asked.push(await played.cells.delegate.asked.next());
    asked[0]?.resolve(undefined);
    asked[1]?.reject(failure("no"));
    asked[2]?.resolve({ big: "x".repeat(5_000_000) });
    asked[3]?.resolve({ n: 1n });
    await settled();
    expect(played.cells.delegate.asked.unseen).toEqual([]);
    const heard = new Map(cell.thread.heard.map((m) => [m.type === "answer" ? m.id : 0, m]));
    expect([...heard.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(heard.get(1)).toEqual({ type: "answer", id: 1, ok: true, value: "null" });
    expect(heard.get(2)).toEqual({ type: "answer", id: 2, ok: false, message: "no" });
    expect(heard.get(3)).toMatchObject({ ok: false, message: expect.stringContaining("too large") });
    expect(heard.get(4)).toMatchObject({ ok: false, message: expect.stringContaining("BigInt") });
    expect(heard.get(5)).toMatchObject({ ok: false, message: "There is no tool “__proto__”." });
    expect(heard.get(6)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^tools\.ask: “question” must be a text/),
    });
  });

  test("is told of each notification that is over, whether it was delivered or not", async () => {
    const cell = await played.started();
    cell.thread.say({ type: "notify", text: "a" });
    cell.thread.say({ type: "notify", text: "b" });
    (await played.cells.delegate.asked.next()).resolve();
    (await played.cells.delegate.asked.next()).reject(failure("no"));
    await settled();
    expect(cell.thread.heard).toEqual([{ type: "notified" }, { type: "notified" }]);
  });
});

describe("a defect of what is around a cell", () => {
  test("does not keep the cell from its end", async () => {
    const thrown = () => {
      throw failure("a defect");
    };
    played.anew({ loadWorkers: thrown, changed: thrown, closing: { close: thrown } });
    const cell = played.cells.runtime.execute("script", second);
    expect(await cell.event).toMatchObject({ type: "completed", error: { text: "a defect" } });
    await settled();
    expect(played.cells.runtime.count).toBe(0);
  });
});

describe("shutting down", () => {
  test("closes what has ended and is unread, and nobody is left waiting", async () => {
    const unread = await played.started();
    played.cells.clock.advance(1_000);
    await unread.event;
    unread.thread.say(done());
    const live = await played.started();
    const shutdown = played.cells.runtime.shutdown();
    await played.closes(unread);
    expect(await isPending(shutdown)).toBe(true);
    live.thread.end();
    expect(await live.event).toMatchObject({ type: "terminated" });
    await played.closes(live);
    await shutdown;
    await played.cells.runtime.shutdown();
  });

  test("refuses new cells", async () => {
    played.cells.runtime.drop();
    expect(() => played.cells.runtime.execute("script", second)).toThrow("this session is ending");
  });
});
