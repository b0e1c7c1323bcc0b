import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AppChange, AppSnapshot } from "../../preload/contract/app";
import { appendBounded, heldTextUnits, type Item } from "../../preload/contract/items";
import type { ThreadChange, ThreadSnapshot } from "../../preload/contract/thread";
import { AppMerger, type Merger, ThreadMerger } from "./mergeChanges";
import { agentItem, appSnapshot, commandItem, threadHead, threadRow, threadSnapshot, turn } from "./testData";

/** What the contract says a change does, written as plainly as possible. */
function applyToThread(state: ThreadSnapshot, change: ThreadChange): ThreadSnapshot {
  switch (change.type) {
    case "head":
      return { ...state, head: { ...state.head, ...change.value } };
    case "turns":
      return { ...state, turns: change.turns.reduce((list, next) => upsert(list, next, "id"), state.turns) };
    case "items":
      return { ...state, items: change.items.reduce((list, next) => upsert(list, next, "id"), state.items) };
    case "removeItems":
      return { ...state, items: state.items.filter((item) => !change.ids.includes(item.id)) };
    case "append": {
      const place = state.items.findIndex((item) => item.id === change.itemId);
      return {
        ...state,
        items: state.items.map((item, at) => (at === place ? appendTo(item, change) : item)),
      };
    }
    case "reset":
      return { ...state, turns: change.turns, items: change.items };
    case "older":
      return { ...state, turns: [...change.turns, ...state.turns], items: [...change.items, ...state.items] };
  }
}

function upsert<Value>(list: Value[], next: Value, key: keyof Value): Value[] {
  const place = list.findIndex((held) => held[key] === next[key]);
  return place < 0 ? [...list, next] : list.map((held, at) => (at === place ? next : held));
}

function appendTo(
  item: Item,
  { field, text, skippedUnits }: Extract<ThreadChange, { type: "append" }>,
): Item {
  if (item.kind === "command" && field === "output")
    return { ...item, output: appendBounded(item.output, text, skippedUnits) };
  if (item.kind === "agent" && field === "text") return { ...item, text: item.text + text };
  return item;
}

function applyToApp(state: AppSnapshot, change: AppChange): AppSnapshot {
  if (change.type === "state") return { ...state, state: { ...state.state, ...change.value } };
  const kept = state.threads.filter((row) => !change.remove.includes(row.threadId));
  return { ...state, threads: change.upsert.reduce((list, next) => upsert(list, next, "threadId"), kept) };
}

function merge<Change>(merger: Merger<Change>, list: Change[]): Change[] {
  for (const change of list) merger.add(change);
  return merger.take();
}

const id = fc.constantFrom("a", "b", "c", "d");
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.string({ maxLength: 5 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 * heldTextUnits }).map((units) => "x".repeat(units)) },
);
const item = fc.oneof(
  fc.tuple(id, fc.string({ maxLength: 3 })).map(([name, text]) => agentItem(name, text)),
  fc.tuple(id, fc.string({ maxLength: 3 })).map(([name, text]) => commandItem(name, text)),
);
const turnView = fc.tuple(id, fc.nat(9)).map(([name, durationMs]) => turn(name, durationMs));
const append = fc.record({
  type: fc.constant("append" as const),
  itemId: id,
  field: fc.constantFrom("text" as const, "output" as const, "summary" as const),
  text: piece,
});
const flood = fc.record({
  type: fc.constant("append" as const),
  itemId: id,
  field: fc.constant("output" as const),
  text: fc
    .tuple(fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 9 * heldTextUnits }))
    .map(([end, units]) => "y".repeat(2 * heldTextUnits + units) + end),
  skippedUnits: fc.option(fc.integer({ min: 1, max: 3 * heldTextUnits }), { nil: undefined }),
});
const threadChange: fc.Arbitrary<ThreadChange> = fc.oneof(
  fc.record({
    type: fc.constant("head" as const),
    value: fc.oneof(
      fc.record({ title: fc.string({ maxLength: 3 }) }),
      fc.record({ archived: fc.boolean(), hasOlder: fc.boolean() }),
    ),
  }),
  fc.record({ type: fc.constant("turns" as const), turns: fc.array(turnView, { maxLength: 3 }) }),
  fc.record({ type: fc.constant("items" as const), items: fc.array(item, { maxLength: 3 }) }),
  fc.record({ type: fc.constant("removeItems" as const), ids: fc.array(id, { maxLength: 2 }) }),
  append,
  append,
  flood,
  fc.record({
    type: fc.constantFrom("older" as const, "reset" as const),
    turns: fc.array(turnView, { maxLength: 2 }),
    items: fc.array(item, { maxLength: 2 }),
  }),
);
const threadStart = fc
  .record({
    items: fc.uniqueArray(item, { selector: (one) => one.id }),
    turns: fc.uniqueArray(turnView, { selector: (one) => one.id }),
  })
  .map((parts) => ({ head: threadHead(), ...parts }));

const row = fc.tuple(id, fc.string({ maxLength: 3 })).map(([name, title]) => threadRow(name, title));
const appChange: fc.Arbitrary<AppChange> = fc.oneof(
  fc.record({
    type: fc.constant("state" as const),
    value: fc.oneof(
      fc.record({ version: fc.string({ maxLength: 3 }) }),
      fc.record({ platform: fc.string({ maxLength: 3 }) }),
    ),
  }),
  fc.record({
    type: fc.constant("threads" as const),
    upsert: fc.array(row, { maxLength: 3 }),
    remove: fc.array(id, { maxLength: 2 }),
  }),
);

describe("merged changes of a thread", () => {
  it("lead to the same state as the changes one by one, from any state", () => {
    fc.assert(
      fc.property(threadStart, fc.array(threadChange, { maxLength: 14 }), (start, list) => {
        const merged = merge(new ThreadMerger(), list);
        expect(merged.reduce(applyToThread, start)).toEqual(list.reduce(applyToThread, start));
      }),
      { numRuns: 1500 },
    );
  });

  it("lead to the same state wherever they are taken away in between", () => {
    fc.assert(
      fc.property(
        threadStart,
        fc.array(fc.tuple(threadChange, fc.boolean()), { maxLength: 10 }),
        (start, list) => {
          const merger = new ThreadMerger();
          const sent: ThreadChange[] = [];
          for (const [change, takeNow] of list) {
            merger.add(change);
            if (takeNow) sent.push(...merger.take());
          }
          sent.push(...merger.take());
          const plain = list.map(([change]) => change).reduce(applyToThread, start);
          expect(sent.reduce(applyToThread, start)).toEqual(plain);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("are empty, and weigh nothing, after they have been taken", () => {
    fc.assert(
      fc.property(fc.array(threadChange, { maxLength: 8 }), (list) => {
        const merger = new ThreadMerger();
        merge(merger, list);
        expect(merger.isEmpty).toBe(true);
        expect(merger.bytes).toBe(0);
        expect(merger.take()).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("join appends to the same field of the same item", () => {
    const list: ThreadChange[] = [
      { type: "append", itemId: "a", field: "text", text: "one " },
      { type: "append", itemId: "b", field: "output", text: "x" },
      { type: "append", itemId: "a", field: "text", text: "two" },
    ];
    expect(merge(new ThreadMerger(), list)).toEqual([
      { type: "append", itemId: "a", field: "text", text: "one two" },
      { type: "append", itemId: "b", field: "output", text: "x" },
    ]);
  });

  it("put text that is added to a waiting item into that item", () => {
    const list: ThreadChange[] = [
      { type: "items", items: [agentItem("a", "one ")] },
      { type: "append", itemId: "a", field: "text", text: "two" },
    ];
    expect(merge(new ThreadMerger(), list)).toEqual([{ type: "items", items: [agentItem("a", "one two")] }]);
  });

  it("do not touch the item that they were given", () => {
    const given = commandItem("a", "one");
    merge(new ThreadMerger(), [
      { type: "items", items: [given] },
      { type: "append", itemId: "a", field: "output", text: "two" },
    ]);
    expect(given).toEqual(commandItem("a", "one"));
  });

  it("drop text for an item that is replaced or removed afterwards", () => {
    const list: ThreadChange[] = [
      { type: "append", itemId: "a", field: "text", text: "lost" },
      { type: "append", itemId: "b", field: "text", text: "lost" },
      { type: "items", items: [agentItem("a", "whole")] },
      { type: "removeItems", ids: ["b"] },
    ];
    expect(merge(new ThreadMerger(), list)).toEqual([
      { type: "removeItems", ids: ["b"] },
      { type: "items", items: [agentItem("a", "whole")] },
    ]);
  });

  it("keep no text for an item that is gone", () => {
    const merger = new ThreadMerger();
    merger.add({ type: "removeItems", ids: ["a"] });
    const before = merger.bytes;
    merger.add({ type: "append", itemId: "a", field: "text", text: "late" });
    expect(merger.bytes).toBe(before);
    expect(merger.take()).toEqual([{ type: "removeItems", ids: ["a"] }]);
  });

  it("make one patch of many of the head, the last value of a field winning, and undefined saying nothing", () => {
    const list: ThreadChange[] = [
      { type: "head", value: { title: "one", archived: true } },
      { type: "older", turns: [], items: [agentItem("o")] },
      { type: "head", value: { title: "two", archived: undefined } },
    ];
    expect(merge(new ThreadMerger(), list)).toEqual([
      { type: "head", value: { title: "two", archived: true } },
      { type: "older", turns: [], items: [agentItem("o")] },
    ]);
  });

  it("forget what came before a reset", () => {
    const list: ThreadChange[] = [
      { type: "items", items: [agentItem("a")] },
      { type: "older", turns: [], items: [agentItem("o")] },
      { type: "reset", turns: [], items: [agentItem("r")] },
    ];
    expect(merge(new ThreadMerger(), list)).toEqual([{ type: "reset", turns: [], items: [agentItem("r")] }]);
  });

  it("weigh what they hold: replacing does not add up, appending does", () => {
    const merger = new ThreadMerger();
    merger.add({ type: "items", items: [agentItem("a", "x".repeat(1000))] });
    const once = merger.bytes;
    expect(once).toBeGreaterThan(2000);
    merger.add({ type: "items", items: [agentItem("a", "x".repeat(1000))] });
    expect(merger.bytes).toBe(once);
    merger.add({ type: "append", itemId: "a", field: "text", text: "x".repeat(500) });
    expect(merger.bytes).toBe(once + 1000);
    merger.add({ type: "append", itemId: "other", field: "text", text: "x".repeat(500) });
    expect(merger.bytes).toBe(once + 2000);
  });

  it("weigh no more than what a bounded text can hold, however much is added to it", () => {
    const merger = new ThreadMerger();
    merger.add({ type: "items", items: [commandItem("a")] });
    for (let nth = 0; nth < 2000; nth += 1) {
      merger.add({ type: "append", itemId: "a", field: "output", text: "x".repeat(4096) });
    }
    expect(merger.bytes).toBeLessThan(5 * heldTextUnits);
    const state = merger.take().reduce(applyToThread, threadSnapshot());
    const [held] = state.items;
    expect(held?.kind === "command" && held.output.text.length + held.output.droppedUnits).toBe(2000 * 4096);
  });
});

describe("a flood of output", () => {
  const flood = (merger: ThreadMerger, units: number) => {
    let most = 0;
    for (let sent = 0; sent < units; sent += 8192) {
      merger.add({ type: "append", itemId: "a", field: "output", text: "x".repeat(8192) });
      most = Math.max(most, merger.bytes);
    }
    return most;
  };

  it("is told by its end, and by how much went before that", () => {
    const merger = new ThreadMerger();
    const most = flood(merger, 4096 * 8192);
    expect(most).toBeLessThan(5 * heldTextUnits);
    const [change, ...others] = merger.take();
    expect(others).toEqual([]);
    if (change?.type !== "append") throw new Error("no append");
    expect(change.text.length).toBe(2 * heldTextUnits);
    expect(change.text.length + (change.skippedUnits ?? 0)).toBe(4096 * 8192);
  });

  it("that fits is told whole", () => {
    const merger = new ThreadMerger();
    flood(merger, 8192);
    expect(merger.take()).toEqual([{ type: "append", itemId: "a", field: "output", text: "x".repeat(8192) }]);
  });

  it("of words is told whole: only a command's output is bounded", () => {
    const merger = new ThreadMerger();
    const text = "x".repeat(20 * heldTextUnits);
    merger.add({ type: "append", itemId: "a", field: "text", text });
    expect(merger.take()).toEqual([{ type: "append", itemId: "a", field: "text", text }]);
  });
});

describe("appendBounded", () => {
  it("holds the same text however it comes in pieces", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3 }), fc.array(piece, { maxLength: 6 }), (start, pieces) => {
        const held = { text: start, droppedUnits: 0 };
        expect(appendBounded(held, pieces.join(""))).toEqual(
          pieces.reduce((grown, piece) => appendBounded(grown, piece), held),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("holds the same text when only the end of a flood is told", () => {
    fc.assert(
      fc.property(fc.nat(2 * heldTextUnits), fc.nat(9 * heldTextUnits), (before, more) => {
        const held = { text: "a".repeat(before), droppedUnits: 0 };
        const text = Array.from({ length: Math.ceil(more / 1_000) }, (_, nth) =>
          String(nth).padStart(1_000),
        ).join("");
        const end = text.slice(Math.max(0, text.length - 2 * heldTextUnits));
        expect(appendBounded(held, end, text.length - end.length)).toEqual(appendBounded(held, text));
      }),
      { numRuns: 100 },
    );
  });

  it("keeps the end, between one and two bounds of it, and counts the rest", () => {
    const grown = Array.from({ length: 50 }, (_, nth) => String(nth % 10).repeat(30_000)).reduce(
      (held, piece) => appendBounded(held, piece),
      {
        text: "",
        droppedUnits: 0,
      },
    );
    expect(grown.text.length).toBeGreaterThan(heldTextUnits);
    expect(grown.text.length).toBeLessThanOrEqual(2 * heldTextUnits);
    expect(grown.text.length + grown.droppedUnits).toBe(50 * 30_000);
    expect(grown.text.endsWith("9".repeat(30_000))).toBe(true);
  });
});

describe("merged changes of the app", () => {
  it("lead to the same state as the changes one by one, from any state", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { selector: (one) => one.threadId }),
        fc.array(appChange, { maxLength: 12 }),
        (rows, list) => {
          const start = appSnapshot(rows);
          const merged = merge(new AppMerger(), list);
          expect(merged.reduce(applyToApp, start)).toEqual(list.reduce(applyToApp, start));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("are at most one patch of the state and two of the rows", () => {
    fc.assert(
      fc.property(fc.array(appChange, { maxLength: 20 }), (list) => {
        expect(merge(new AppMerger(), list).length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 200 },
    );
  });

  it("never name one row in both lists of one change", () => {
    fc.assert(
      fc.property(fc.array(appChange, { maxLength: 12 }), (list) => {
        for (const change of merge(new AppMerger(), list)) {
          if (change.type !== "threads") continue;
          const both = change.upsert.filter((one) => change.remove.includes(one.threadId));
          expect(both).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
