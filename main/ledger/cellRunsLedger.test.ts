// Runs, what they write and what they ask for; what they have done to threads, and what they store.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunCall, RunOutputItem } from "../../preload/contract/cells";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

function start(runId: string) {
  return test.ledger.cellRuns.start({
    runId,
    scriptId: null,
    scriptName: "Count \0",
    source: `text("${runId}")`,
    workspaceId: "w",
    workspaceName: "engine",
  });
}

const end = (runId: string, state: "completed" | "failed" | "stopped" = "completed") =>
  test.ledger.cellRuns.end(runId, { state, error: null, from: 0, output: [] });
const room = (most: number) => ({ most, sizeOf: (key: string, value: string) => key.length + value.length });
const text = (one: string): RunOutputItem => ({ type: "text", text: one });
const call = (callId: number, change: Partial<RunCall> = {}): RunCall => ({
  callId,
  tool: "ask",
  summary: `question ${callId}`,
  threadId: null,
  state: "pending",
  error: null,
  startedAtMs: test.clock.nowMs(),
  endedAtMs: null,
  ...change,
});

describe("a run", () => {
  it("is on record from its beginning, and its end is", () => {
    start("a");
    test.clock.advance(10);
    start("b");
    test.clock.advance(10);
    const error = { text: "no", at: { line: 1, column: 2 }, isLimit: false };
    test.ledger.cellRuns.end("a", { state: "failed", error, from: 0, output: [text("last")] });
    const { cellRuns } = test.reopen();
    expect(cellRuns.list()).toMatchObject([
      { runId: "b", state: "running", endedAtMs: null },
      { runId: "a", state: "failed", scriptName: "Count \0", endedAtMs: test.clock.nowMs() },
    ]);
    expect(cellRuns.get("a")).toMatchObject({ source: 'text("a")', error });
    expect(cellRuns.outputBefore("a", 9, 999).items).toEqual([text("last")]);
    expect(cellRuns.get("c")).toBeNull();
  });

  it("keeps the end that it has", () => {
    start("a");
    end("a", "stopped");
    test.clock.advance(5);
    end("a", "failed");
    expect(test.ledger.cellRuns.get("a")?.record).toMatchObject({
      state: "stopped",
      endedAtMs: test.clock.nowMs() - 5,
    });
  });

  it("is cut off with its calls when it still ran; what had ended is left as it was", () => {
    start("a");
    start("b");
    const { cellRuns } = test.ledger;
    cellRuns.putCall("a", call(1));
    cellRuns.putCall("a", call(2, { state: "done", endedAtMs: test.clock.nowMs() }));
    end("b");
    const { cellRuns: later } = test.reopen();
    test.clock.advance(3);
    later.cutOffRunning();
    expect(later.list().map(({ runId, state }) => [runId, state])).toEqual([
      ["b", "completed"],
      ["a", "cut off"],
    ]);
    expect(later.lastCalls("a", 10).calls).toMatchObject([
      { callId: 1, state: "cut off", endedAtMs: test.clock.nowMs() },
      { callId: 2, state: "done" },
    ]);
  });
});

describe("output", () => {
  it("is given from its end, about as much as fits, and one item at least", () => {
    start("a");
    const { cellRuns } = test.ledger;
    const items = Array.from({ length: 10 }, (_, nth) => text(String(nth)));
    for (const [nth, item] of items.entries()) cellRuns.addOutput("a", nth, [item]);
    const bytes = JSON.stringify([items[0]]).length;
    expect(cellRuns.outputBefore("a", 99, 3 * bytes)).toEqual({ items: items.slice(7), from: 7, total: 10 });
    expect(cellRuns.outputBefore("a", 7, 3 * bytes + 1)).toMatchObject({ items: items.slice(4, 7), from: 4 });
    expect(cellRuns.outputBefore("a", 1, 999)).toMatchObject({ items: items.slice(0, 1), from: 0 });
    expect(cellRuns.outputBefore("a", 5, 1)).toMatchObject({ items: [items[4]], from: 4 });
    expect(cellRuns.outputBefore("a", 0, 999)).toMatchObject({ items: [], from: 0 });
    expect(cellRuns.outputBefore("none", 9, 999)).toEqual({ items: [], from: 0, total: 0 });
  });

  it("that comes at once is kept together, in pieces that can be read one by one", () => {
    start("a");
    const { cellRuns } = test.ledger;
    const items = Array.from({ length: 20_000 }, (_, nth) => text(String(nth)));
    cellRuns.addOutput("a", 0, items.slice(0, 10));
    cellRuns.addOutput("a", 10, items.slice(10));
    const last = cellRuns.outputBefore("a", 99_999, 100_000);
    expect(last.total).toBe(20_000);
    expect(last.items).toEqual(items.slice(last.from));
    expect(JSON.stringify(last.items).length).toBeGreaterThan(50_000);
    expect(JSON.stringify(last.items).length).toBeLessThan(100_000);
    // In the middle of a piece.
    const page = cellRuns.outputBefore("a", 15_000, 100_000);
    expect(page.from + page.items.length).toBe(15_000);
    expect(page.items).toEqual(items.slice(page.from, 15_000));
    // From the end to the beginning, each item is there once.
    const all: RunOutputItem[] = [];
    for (let before = 20_000; before > 0; ) {
      const { items: more, from } = cellRuns.outputBefore("a", before, 100_000);
      all.unshift(...more);
      before = from;
    }
    expect(all).toEqual(items);
  });

  it("is there once, also when it is written again", () => {
    start("a");
    const { cellRuns } = test.ledger;
    cellRuns.addOutput("a", 0, [text("0"), text("1")]);
    cellRuns.end("a", { state: "completed", error: null, from: 1, output: [text("1"), text("2")] });
    expect(cellRuns.outputBefore("a", 9, 999).items).toEqual([text("0"), text("1"), text("2")]);
  });

  it("is written as it is, however many items come at once and whatever is in them", () => {
    start("a");
    const { cellRuns } = test.ledger;
    const items = Array.from({ length: 11_000 }, (_, nth) => text(`${nth} \0 \ud800 "\u2028 é`));
    items[7_000] = { type: "image", dataUrl: `data:image/png;base64,${"A".repeat(2_000_000)}` };
    cellRuns.addOutput("a", 0, items.slice(0, 10));
    cellRuns.addOutput("a", 0, items);
    const { items: kept, from } = cellRuns.outputBefore("a", 99_999, 99_999_999);
    expect([kept.length, from]).toEqual([11_000, 0]);
    // Not by `toEqual`, which takes minutes to tell what differs in so much.
    expect(kept.findIndex((item, nth) => JSON.stringify(item) !== JSON.stringify(items[nth]))).toBe(-1);
  });

  it("of a run that is not kept is refused", () => {
    expect(() => test.ledger.cellRuns.addOutput("none", 0, [text("x")])).toThrow(
      expect.objectContaining({ code: "ledger_constraint" }),
    );
  });
});

describe("calls", () => {
  it("are the newest ones, each as it was told last", () => {
    start("a");
    const { cellRuns } = test.ledger;
    for (let nth = 1; nth <= 5; nth += 1) cellRuns.putCall("a", call(nth));
    cellRuns.putCall("a", call(4, { state: "failed", error: "no \ud800", threadId: "t", endedAtMs: 1 }));
    const { calls, earlier } = cellRuns.lastCalls("a", 2);
    expect(calls).toEqual([
      call(4, { state: "failed", error: "no \ud800", threadId: "t", endedAtMs: 1 }),
      call(5),
    ]);
    expect(earlier).toBe(3);
    expect(cellRuns.lastCalls("none", 2)).toEqual({ calls: [], earlier: 0 });
  });

  it("that were answered are dropped, and none that waits", () => {
    start("a");
    const { cellRuns } = test.ledger;
    cellRuns.putCall("a", call(1, { state: "done", endedAtMs: 1 }));
    cellRuns.putCall("a", call(2));
    cellRuns.putCall("a", call(3, { state: "done", endedAtMs: 1 }));
    cellRuns.dropCallsBefore("a", 3);
    expect(cellRuns.lastCalls("a", 9).calls.map(({ callId }) => callId)).toEqual([2, 3]);
  });
});

describe("what is kept", () => {
  function fill(runId: string): void {
    start(runId);
    const { cellRuns, cellMarks } = test.ledger;
    cellRuns.addOutput(runId, 0, [text("x")]);
    cellRuns.putCall(runId, call(1));
    cellMarks.addMessage(runId, `message ${runId}`);
    cellMarks.addThread(runId, `thread ${runId}`);
  }

  const left = () => {
    const { cellRuns, cellMarks } = test.ledger;
    return {
      runs: cellRuns.list().map(({ runId }) => runId),
      messages: cellMarks.messages().map(({ runId }) => runId),
      threads: cellMarks.threads().map(({ runId }) => runId),
    };
  };

  it("is forgotten with everything of it, unless it runs", () => {
    for (const runId of ["a", "b", "c"]) fill(runId);
    end("a");
    end("b");
    test.ledger.cellRuns.forget(["a", "c"]);
    expect(left()).toEqual({ runs: ["c", "b"], messages: ["b", "c"], threads: ["b", "c"] });
    expect(test.ledger.cellRuns.outputBefore("a", 9, 99).total).toBe(0);
    expect(test.ledger.cellRuns.lastCalls("a", 9).calls).toEqual([]);
  });

  it("is the newest 200 that have ended, and all that run", () => {
    fill("runs");
    for (let nth = 0; nth < 203; nth += 1) {
      start(`run ${nth}`);
      end(`run ${nth}`);
    }
    expect(test.ledger.cellRuns.prune()).toBe(true);
    expect(test.ledger.cellRuns.prune()).toBe(false);
    const runs = left().runs;
    expect(runs).toHaveLength(201);
    expect(runs.slice(-2)).toEqual(["run 3", "runs"]);
    expect(left().threads).toEqual(["runs"]);
  });

  it("is pruned at a start too", () => {
    for (let nth = 0; nth < 202; nth += 1) {
      start(`run ${nth}`);
      end(`run ${nth}`);
    }
    expect(test.reopen().cellRuns.list()).toHaveLength(200);
  });
});

describe("marks", () => {
  it("say which run has started which thread and sent which message, the first one counting", () => {
    start("a");
    start("b");
    const { cellMarks } = test.ledger;
    cellMarks.addThread("b", "z");
    cellMarks.addThread("a", "y");
    cellMarks.addThread("a", "z");
    cellMarks.nameThread("y", "id");
    cellMarks.addMessage("a", "m");
    cellMarks.addMessage("b", "m");
    const { cellMarks: later } = test.reopen();
    expect(later.threads()).toEqual([
      { threadKey: "z", threadId: null, runId: "b" },
      { threadKey: "y", threadId: "id", runId: "a" },
    ]);
    expect(later.messages()).toEqual([{ clientId: "m", runId: "a" }]);
  });
});

describe("stored values", () => {
  it("are the workspace's, the last one of a key", () => {
    const { cellValues } = test.ledger;
    const first = new Map([
      ["a", "1"],
      ["b \0", '"\ud83d\ude00"'],
    ]);
    cellValues.keep("w", first, room(100));
    cellValues.keep("w", new Map([["a", "2"]]), room(100));
    cellValues.keep("v", new Map([["a", "3"]]), room(100));
    const later = test.reopen().cellValues;
    expect(Object.fromEntries(later.all("v"))).toEqual({ a: "3" });
    expect(Object.fromEntries(later.all("w"))).toEqual({ a: "2", "b \0": '"\ud83d\ude00"' });
    expect(later.all("none").size).toBe(0);
  });

  it("are kept together or not at all", () => {
    const { cellValues } = test.ledger;
    cellValues.keep("w", new Map([["a", "1"]]), room(10));
    const tooMuch = new Map([
      ["b", "2"],
      ["c", "1234567"],
    ]);
    expect(() => cellValues.keep("w", tooMuch, room(10))).toThrow(
      expect.objectContaining({ code: "stored_full" }),
    );
    expect(Object.fromEntries(cellValues.all("w"))).toEqual({ a: "1" });
  });
});
