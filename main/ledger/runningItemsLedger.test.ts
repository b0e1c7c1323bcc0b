// Items that run, or were cut off.

import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunningItem } from "./runningItemsLedger";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

const item = (itemId: string, more: Partial<RunningItem> = {}): RunningItem => ({
  turnId: "turn",
  itemId: `turn/${itemId}`,
  kind: "agent",
  item: { id: itemId },
  textSoFar: "",
  ...more,
});

const list = (threadId = "thread") =>
  test.ledger.runningItems.list(threadId).map(({ itemId, textSoFar }) => [itemId, textSoFar]);

it("items that run keep the order in which they began, and their text so far", () => {
  const { runningItems } = test.ledger;
  runningItems.update("thread", [item("z"), item("a")]);
  runningItems.update("other", [item("z", { textSoFar: "of another thread" })]);
  test.clock.advance(500);
  runningItems.update("thread", [item("z", { textSoFar: "Hello \ud83d" })]);
  expect(test.reopen().runningItems.list("thread")).toEqual([
    { ...item("z", { textSoFar: "Hello \ud83d" }), updatedAtMs: test.clock.nowMs() },
    { ...item("a"), updatedAtMs: test.clock.nowMs() - 500 },
  ]);
});

it("what has ended goes, and what began meanwhile comes with it", () => {
  const { runningItems } = test.ledger;
  runningItems.update("thread", [item("a"), item("b")]);
  runningItems.update("other", [item("a")]);
  runningItems.update("thread", [item("c")], ["turn/a", "turn/never"]);
  expect(list()).toEqual([
    ["turn/b", ""],
    ["turn/c", ""],
  ]);
  expect(list("other")).toEqual([["turn/a", ""]]);
});

it("a forgotten thread has none any more", () => {
  const { runningItems } = test.ledger;
  runningItems.update("thread", [item("a"), item("b")]);
  runningItems.update("other", [item("a")]);
  runningItems.forget("thread");
  expect(list()).toEqual([]);
  expect(list("other")).toHaveLength(1);
});

it("a failed write leaves everything as it was", () => {
  const { runningItems } = test.ledger;
  runningItems.update("thread", [item("a")]);
  expect(() =>
    runningItems.update("thread", [item("b"), item("c", { item: undefined })], ["turn/a"]),
  ).toThrow(expect.objectContaining({ code: "ledger_constraint" }));
  expect(list()).toEqual([["turn/a", ""]]);
});
