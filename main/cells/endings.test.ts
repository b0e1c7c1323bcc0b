// How runs end with Holdfast, in order and otherwise, and what is owed to them after that.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../fault";
import { isPending, settled } from "./runtime/testCells";
import { begun, type CellsBench, call, done, endBench, makeCellsBench, text, watch } from "./testBench";

let bench: CellsBench;

beforeEach(() => {
  bench = makeCellsBench();
});

afterEach(() => endBench(bench));

const lastWords = (runId: string) =>
  bench.ledger.cellRuns.outputBefore(runId, 99, 9_999).items.flatMap((item) => "text" in item && item.text);

describe("when Holdfast ends in order", () => {
  test("all runs end with what they had written, in every workspace, and none begins any more", async () => {
    const first = await begun(bench);
    first.thread.say(text("a"));
    const elsewhere = bench.addWorkspace();
    const other = await bench.cells.run({ workspaceId: elsewhere, scriptId: null, name: "Two", source: "2" });
    await settled();
    const late = bench.run();
    const down = bench.cells.shutDown();
    first.thread.say(text("b"));
    for (const thread of bench.threads) thread.end();
    await down;
    await expect(late).rejects.toMatchObject({ code: "shutting_down" });
    await settled();
    expect(bench.shown.runs.map(({ runId, state }) => [runId, state])).toEqual([
      [other, "stopped"],
      [first.runId, "stopped"],
    ]);
    const { error } = bench.cells.open(first.runId, () => {}).snapshot.head;
    expect(error).toEqual({ text: "Holdfast was ended while it ran.", at: null, isLimit: false });
    expect(lastWords(first.runId)).toEqual(["a", "b"]);
    expect(bench.cells.isAtWork(bench.workspaceId) || bench.cells.isAtWork(elsewhere)).toBe(false);
  });

  test("what completes in that moment has completed, and what a person has stopped was stopped", async () => {
    const completing = await begun(bench);
    const stopped = await begun(bench);
    completing.thread.obeys = false;
    completing.thread.say(done());
    const stop = bench.cells.stop(stopped.runId, false);
    const down = bench.cells.shutDown();
    for (const thread of bench.threads) thread.end();
    await Promise.all([down, stop]);
    await settled();
    expect(bench.row(completing.runId).state).toBe("completed");
    expect(bench.row(stopped.runId).state).toBe("stopped");
    expect(bench.cells.open(stopped.runId, () => {}).snapshot.head.error).toBeNull();
  });

  test("between two observations nothing is lost either", async () => {
    const { runId, thread } = await begun(bench);
    thread.say(text("a"));
    bench.clock.advance(30);
    const down = bench.cells.shutDown();
    await settled();
    thread.say(text("b"));
    thread.end();
    await down;
    await settled();
    expect(lastWords(runId)).toEqual(["a", "b"]);
    expect(bench.row(runId).state).toBe("stopped");
  });

  test("it waits for what they have begun, but not for ever; what is left stays owed", async () => {
    const quick = await begun(bench);
    const slow = await begun(bench);
    bench.answers = null;
    const down = bench.cells.shutDown();
    for (const thread of bench.threads) thread.end();
    await settled();
    bench.closing(quick.runId).resolve();
    await settled();
    bench.clock.advance(1_999);
    expect(await isPending(down)).toBe(true);
    bench.clock.advance(1);
    await down;
    expect(bench.ledger.cellRuns.get(slow.runId)?.record.state).toBe("stopped");
    bench.restart();
    expect(bench.cleanups.list()).toMatchObject([
      { kind: "cell", subject: { cellId: slow.runId, workspaceId: bench.workspaceId, scriptName: "Count" } },
    ]);
    const pass = bench.cleanups.pass(4);
    await settled();
    expect(bench.asked).toMatchObject([{ kind: "close", runId: slow.runId }]);
    bench.closing(slow.runId).resolve();
    expect(await pass).toEqual({ attempted: 1, cleaned: 1, failed: 0 });
  });

  test("a call that ignores its end does not hold it up", async () => {
    const { runId, thread } = await begun(bench);
    thread.say(call(1, "ask", { question: "Well?" }));
    await settled();
    const down = bench.cells.shutDown();
    thread.obeys = false;
    await settled();
    bench.clock.advance(700);
    await down;
    await settled();
    expect(bench.row(runId).state).toBe("stopped");
    expect(bench.look(runId).calls).toMatchObject([{ state: "cut off" }]);
  });
});

describe("when Holdfast is gone in the middle", () => {
  test("the next start shows its runs as cut off, with what they had written and asked for", async () => {
    bench.answers = null;
    const { runId, thread } = await begun(bench);
    bench.cells.marks.thread(runId, "t1");
    thread.say(text("a"));
    thread.say(call(1, "waitForTurn", { threadId: "t1" }));
    await settled();
    bench.clock.advance(30);
    await settled();
    const ended = await begun(bench);
    ended.thread.say(done());
    await settled();
    bench.clock.advance(5_000);
    bench.restart();
    expect(bench.shown.runs.map(({ runId, state }) => [runId, state])).toEqual([
      [ended.runId, "completed"],
      [runId, "cut off"],
    ]);
    expect(bench.look(runId)).toMatchObject({
      head: { endedAtMs: bench.clock.nowMs(), threads: [{ threadKey: "t1" }], error: null },
      output: text("a").items,
      calls: [{ callId: 1, state: "cut off", endedAtMs: bench.clock.nowMs() }],
    });
    expect(bench.cells.isAtWork(bench.workspaceId)).toBe(false);
    // It had completed, and its end was still being told.
    const pass = bench.cleanups.pass(4);
    await settled();
    expect(bench.asked.map((asked) => asked.runId)).toEqual([ended.runId]);
    bench.closing(ended.runId).resolve();
    expect(await pass).toMatchObject({ cleaned: 1 });
  });

  test("what the life before still does reaches no record", async () => {
    const { runId, thread } = await begun(bench);
    bench.restart();
    thread.say(text("from beyond"));
    thread.say(done());
    await settled();
    bench.clock.advance(30);
    await settled();
    expect(bench.row(runId).state).toBe("cut off");
    expect(lastWords(runId)).toEqual([]);
  });
});

describe("an end that fails", () => {
  test("is shown with the run and as a cleanup in words, until it has succeeded", async () => {
    const { runId, thread } = await begun(bench);
    bench.answers = null;
    const { changes } = watch(bench.cells, runId);
    thread.say(done());
    await settled();
    bench.closing(runId).reject(new Fault("command_left", "A command could not be ended."));
    await settled();
    // The run itself has come to its end.
    expect(bench.row(runId).state).toBe("completed");
    expect(bench.cells.isAtWork(bench.workspaceId)).toBe(false);
    expect(changes).toContainEqual({
      type: "head",
      value: { cleanup: expect.objectContaining({ message: "A command could not be ended." }) },
    });
    expect(bench.look(runId).head.cleanup).toMatchObject({ code: "command_left" });
    expect(() => bench.cells.forget(runId)).toThrow(expect.objectContaining({ code: "run_at_work" }));
    bench.cells.forget(null);
    expect(bench.shown.runs).toHaveLength(1);

    const retried = bench.cleanups.retry(`cell ${runId}`);
    await settled();
    bench.closing(runId).resolve();
    expect(await retried).toBeNull();
    expect(changes.at(-1)).toEqual({ type: "head", value: { cleanup: null } });
    bench.cells.forget(runId);
    expect(bench.shown.runs).toEqual([]);
  });

  test("or that never comes is given up after a while and tried again", async () => {
    const { runId, thread } = await begun(bench);
    bench.answers = null;
    thread.say(done());
    await settled();
    bench.clock.advance(10_000);
    await settled();
    expect(bench.row(runId).state).toBe("completed");
    expect(bench.look(runId).head.cleanup?.code).toBe("cell_close_overdue");
    bench.answers = (asked) => asked.resolve();
    expect(await bench.cleanups.retry(`cell ${runId}`)).toBeNull();
    expect(bench.look(runId).head.cleanup).toBeNull();
  });
});
