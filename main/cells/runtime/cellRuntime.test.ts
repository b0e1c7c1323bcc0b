// The runtime with threads that the test plays: each race is an order of events.

import { describe, expect, test } from "vitest";
import type { ObserveMode } from "./cellEvents";
import { defaultLimits } from "./limits";
import { failure, isPending, settled, TestThread } from "./testCells";
import { busy, call, done, frontier, idle, item, second, text } from "./testMessages";
import { playedRuntime } from "./testRuntime";

const played = playedRuntime();

describe("executing", () => {
  test("answers at once, with an id of its own", () => {
    const ids = [1, 2, 3].map(() => played.cells.runtime.execute("script", second).cellId);
    expect(new Set(ids).size).toBe(3);
    expect(played.cells.runtime.count).toBe(3);
  });

  test("is refused above the number of cells, and possible again when one is gone", async () => {
    played.anew({ limits: () => ({ ...defaultLimits, cells: 1 }) });
    const cell = await played.started();
    expect(() => played.cells.runtime.execute("script", second)).toThrow(
      "As many scripts run as may run at a time (1). The limit is “Cells at a time” in the settings, where it can be raised.",
    );
    cell.thread.say(done());
    await cell.event;
    await played.closes(cell);
    expect(played.cells.runtime.count).toBe(0);
    played.cells.runtime.execute("script", second);
  });

  test("is refused for a script without end, and under limits that make no sense", () => {
    expect(() => played.cells.runtime.execute("x".repeat(1024 * 1024 + 1), second)).toThrow("1024 KiB");
    played.anew({ limits: () => ({ ...defaultLimits, memoryBytes: 1 }) });
    expect(() => played.cells.runtime.execute("1", second)).toThrow("between 24 MiB and 1024 MiB");
    expect(played.cells.runtime.count).toBe(0);
  });

  test("tells of its admission before it runs; what is thrown then keeps it from running", async () => {
    const admitted: string[] = [];
    const cell = played.cells.runtime.execute("script", second, (cellId) => {
      admitted.push(cellId);
      expect(played.cells.threads).toEqual([]);
    });
    expect(admitted).toEqual([cell.cellId]);
    const refuse = () => {
      throw failure("the disk is full");
    };
    expect(() => played.cells.runtime.execute("script", second, refuse)).toThrow("the disk is full");
    expect(played.cells.runtime.count).toBe(1);
    await settled();
    expect(played.cells.threads).toHaveLength(1);
    played.anew({ limits: () => ({ ...defaultLimits, cells: 1 }) });
    played.cells.runtime.execute("script", second);
    expect(() => played.cells.runtime.execute("script", second, refuse)).toThrow("Cells at a time");
  });

  test("without what runs scripts fails that cell; the next one looks again", async () => {
    let attempts = 0;
    const threads: TestThread[] = [];
    played.anew({
      loadWorkers: async () => {
        attempts += 1;
        if (attempts === 1) throw failure("no file handle left");
        return (order, events) => {
          threads.push(new TestThread(order, events));
          return threads[0] as TestThread;
        };
      },
    });
    const first = played.cells.runtime.execute("script", second);
    expect(await first.event).toEqual({
      type: "completed",
      output: [],
      error: { text: "no file handle left", at: null, limit: null },
    });
    await played.closes(first);
    const next = played.cells.runtime.execute("script", second);
    await settled();
    threads[0]?.say(done());
    expect(await next.event).toMatchObject({ type: "completed", error: null });
    expect(attempts).toBe(2);
  });
});

describe("observing", () => {
  test("yields after the time, with the output so far, which is given once", async () => {
    const cell = await played.started();
    cell.thread.say(text("a"));
    expect(await isPending(cell.event)).toBe(true);
    played.cells.clock.advance(1_000);
    expect(await cell.event).toEqual({ type: "yielded", output: [item("a")], pendingCalls: [] });
    cell.thread.say(text("b"));
    cell.thread.say(call(1));
    const next = played.cells.runtime.observe(cell.cellId, second);
    played.cells.clock.advance(1_000);
    expect(await next).toEqual({
      type: "yielded",
      output: [item("b")],
      pendingCalls: [{ id: 1, name: "ask" }],
    });
    const last = played.cells.runtime.observe(cell.cellId, second);
    played.cells.clock.advance(1_000);
    expect(await last).toMatchObject({ output: [] });
  });

  test("by two at a time is refused to the second; the first still gets its event", async () => {
    const cell = await played.started();
    await expect(played.cells.runtime.observe(cell.cellId, frontier)).rejects.toMatchObject({
      code: "cell_busy",
    });
    cell.thread.say(done());
    expect(await cell.event).toMatchObject({ type: "completed" });
  });

  test("until the frontier yields when nothing but an answer helps", async () => {
    const cell = await played.started(frontier);
    cell.thread.say(idle(0, "timer"));
    played.cells.clock.advance(100_000);
    expect(await isPending(cell.event)).toBe(true);
    cell.thread.say(busy);
    cell.thread.say(call(1));
    cell.thread.say(idle(0));
    expect(await cell.event).toMatchObject({ type: "yielded", pendingCalls: [{ id: 1 }] });
  });

  test("until the frontier yields at once when it is there already", async () => {
    const cell = await played.started();
    cell.thread.say(call(1));
    cell.thread.say(idle(0));
    played.cells.clock.advance(1_000);
    await cell.event;
    expect(await played.cells.runtime.observe(cell.cellId, frontier)).toMatchObject({
      type: "yielded",
      output: [],
    });
  });

  test("for output yields a moment after the first of it, with what came in that moment", async () => {
    const output: ObserveMode = { type: "output", momentMs: 30 };
    const cell = await played.started(output);
    played.cells.clock.advance(10_000);
    expect(await isPending(cell.event)).toBe(true);
    cell.thread.say(text("a"));
    played.cells.clock.advance(29);
    cell.thread.say(text("b"));
    expect(await isPending(cell.event)).toBe(true);
    played.cells.clock.advance(1);
    expect(await cell.event).toMatchObject({ type: "yielded", output: [item("a"), item("b")] });
    // What has come between two observations is as good as what comes in one.
    cell.thread.say(text("c"));
    played.cells.clock.advance(1_000);
    const next = played.cells.runtime.observe(cell.cellId, output);
    played.cells.clock.advance(30);
    expect(await next).toMatchObject({ type: "yielded", output: [item("c")] });
    const last = played.cells.runtime.observe(cell.cellId, output);
    cell.thread.say(text("d"));
    cell.thread.say(done());
    expect(await last).toMatchObject({ type: "completed", output: [item("d")] });
    expect(played.cells.clock.pendingCount).toBe(0);
    await played.closes(cell);
  });

  test("begun while a shutdown ends the cell gives that end", async () => {
    const cell = await played.started();
    played.cells.clock.advance(1_000);
    await cell.event;
    const shutdown = played.cells.runtime.shutdown();
    const end = played.cells.runtime.observe(cell.cellId, { type: "output", momentMs: 30 });
    await expect(played.cells.runtime.observe(cell.cellId, second)).rejects.toMatchObject({
      code: "cell_busy",
    });
    cell.thread.say(text("last words"));
    cell.thread.end();
    expect(await end).toEqual({ type: "terminated", output: [item("last words")] });
    await played.closes(cell);
    await shutdown;
  });

  test("is not told of a frontier that an answer is on its way to", async () => {
    const cell = await played.started(frontier);
    cell.thread.say(call(1));
    cell.thread.say(call(2));
    (await played.cells.delegate.asked.next()).resolve("first");
    await settled();
    // It was said before the answer arrived.
    cell.thread.say(idle(0));
    expect(await isPending(cell.event)).toBe(true);
    cell.thread.say(busy);
    cell.thread.say(idle(1));
    expect(await cell.event).toMatchObject({ type: "yielded", pendingCalls: [{ id: 2 }] });
  });

  test("of what completed unobserved gives the whole end, and only then it closes", async () => {
    const cell = await played.started();
    played.cells.clock.advance(1_000);
    await cell.event;
    cell.thread.say(text("end"));
    cell.thread.say(done());
    await settled();
    expect(played.cells.runtime.cells).toMatchObject([{ phase: "unread" }]);
    expect(played.cells.delegate.underWay.size).toBe(0);
    expect(await played.cells.runtime.observe(cell.cellId, second)).toEqual({
      type: "completed",
      output: [item("end")],
      error: null,
    });
    await played.closes(cell);
    await expect(played.cells.runtime.observe(cell.cellId, second)).rejects.toMatchObject({
      code: "missing_cell",
    });
  });
});

describe("terminating", () => {
  test("gives the output to the one who terminates and to the one who observes", async () => {
    const cell = await played.started();
    const terminated = played.cells.runtime.terminate(cell.cellId);
    expect(cell.thread.isStopped).toBe(true);
    cell.thread.say(text("last words"));
    cell.thread.end();
    const event = { type: "terminated", output: [item("last words")] };
    expect(await terminated).toEqual(event);
    expect(await cell.event).toEqual(event);
    await played.closes(cell);
  });

  test("twice is refused the second time", async () => {
    const cell = await played.started();
    const first = played.cells.runtime.terminate(cell.cellId);
    await expect(played.cells.runtime.terminate(cell.cellId)).rejects.toMatchObject({
      code: "already_terminating",
    });
    await expect(played.cells.runtime.observe(cell.cellId, second)).rejects.toMatchObject({
      code: "cell_busy",
    });
    cell.thread.end();
    await first;
  });

  test("ends the thread when the script does not stop, and goes on without it within a second", async () => {
    const cell = await played.started();
    cell.thread.obeys = false;
    const terminated = played.cells.runtime.terminate(cell.cellId);
    played.cells.clock.advance(199);
    expect(cell.thread.isKilled).toBe(false);
    played.cells.clock.advance(1);
    expect(cell.thread.isKilled).toBe(true);
    expect(await isPending(terminated)).toBe(true);
    played.cells.clock.advance(799);
    expect(await terminated).toMatchObject({ type: "terminated" });
  });

  test("cancels what it asked for, waits a moment for it, and tells nothing of a late answer", async () => {
    const cell = await played.started();
    cell.thread.say(call(1));
    cell.thread.say({ type: "notify", text: "n" });
    const [asked, notified] = [
      await played.cells.delegate.asked.next(),
      await played.cells.delegate.asked.next(),
    ];
    const terminated = played.cells.runtime.terminate(cell.cellId);
    expect([asked.signal.aborted, notified.signal.aborted]).toEqual([true, true]);
    cell.thread.end();
    notified.reject(failure("cancelled"));
    expect(await isPending(terminated)).toBe(true);
    played.cells.clock.advance(700);
    await terminated;
    await played.closes(cell);
    asked.resolve("late");
    await settled();
    expect(cell.thread.heard).toEqual([]);
  });

  test("what has completed, unread, gives its end", async () => {
    const cell = await played.started();
    played.cells.clock.advance(1_000);
    await cell.event;
    cell.thread.say(done());
    await settled();
    expect(await played.cells.runtime.terminate(cell.cellId)).toMatchObject({ type: "completed" });
    await expect(played.cells.runtime.terminate(cell.cellId)).rejects.toMatchObject({ code: "missing_cell" });
  });

  test("while the last notification is on its way cancels that, and tells that the script has completed", async () => {
    const cell = await played.started();
    cell.thread.say({ type: "notify", text: "n" });
    cell.thread.say(done({ kept: "1" }));
    const notified = await played.cells.delegate.asked.next();
    await settled();
    expect(played.cells.runtime.cells).toMatchObject([{ phase: "finishing" }]);
    const terminated = played.cells.runtime.terminate(cell.cellId);
    expect(notified.signal.aborted).toBe(true);
    await expect(played.cells.runtime.terminate(cell.cellId)).rejects.toMatchObject({
      code: "already_terminating",
    });
    notified.resolve();
    expect(await terminated).toMatchObject({ type: "completed" });
    expect(played.cells.stored.all().get("kept")).toBe("1");
  });

  test("ends a cell at once whose thread has not been started, and never starts it", async () => {
    const cell = played.cells.runtime.execute("script", second);
    expect(await played.cells.runtime.terminate(cell.cellId)).toEqual({ type: "terminated", output: [] });
    await settled();
    expect(played.cells.threads).toEqual([]);
  });

  test("is missing for a cell that never was", async () => {
    await expect(played.cells.runtime.terminate("none")).rejects.toMatchObject({ code: "missing_cell" });
  });
});

describe("completing", () => {
  test("waits for notifications, however long they take", async () => {
    const cell = await played.started(frontier);
    cell.thread.say({ type: "notify", text: "n" });
    cell.thread.say(done());
    played.cells.clock.advance(3_600_000);
    expect(await isPending(cell.event)).toBe(true);
    (await played.cells.delegate.asked.next()).resolve();
    expect(await cell.event).toMatchObject({ type: "completed", error: null });
  });

  test("with an error cancels calls, and lets notifications go on", async () => {
    const cell = await played.started(frontier);
    cell.thread.say(call(1));
    cell.thread.say({ type: "notify", text: "n" });
    const [asked, notified] = [
      await played.cells.delegate.asked.next(),
      await played.cells.delegate.asked.next(),
    ];
    const error = { text: "Error: x", at: null, limit: null };
    cell.thread.say({ type: "done", error, stored: new Map() });
    expect([asked.signal.aborted, notified.signal.aborted]).toEqual([true, false]);
    asked.reject(failure("cancelled"));
    notified.resolve();
    expect(await cell.event).toEqual({ type: "completed", output: [], error });
  });

  test("keeps what was stored for later cells; a terminated cell keeps nothing", async () => {
    const first = await played.started();
    const second_ = await played.started();
    first.thread.say(done({ a: '"from the first"' }));
    await first.event;
    const ending = played.cells.runtime.terminate(second_.cellId);
    second_.thread.say(done({ a: '"from the second"' }));
    second_.thread.end();
    await ending;
    const third = await played.started();
    expect(second_.thread.order.stored.size).toBe(0);
    expect([...third.thread.order.stored]).toEqual([["a", '"from the first"']]);
  });

  test("says so when what was stored cannot be kept", async () => {
    const cell = await played.started(second, {
      stored: {
        all: () => new Map(),
        keep() {
          throw failure("the disk is full");
        },
      },
    });
    cell.thread.say(done({ a: "1" }));
    expect(await cell.event).toMatchObject({
      error: { text: "What it has stored could not be kept: the disk is full" },
    });
  });
});
