// The person's scripts.

import { afterEach, beforeEach, expect, it } from "vitest";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

const dayMs = 24 * 60 * 60 * 1000;
const add = (scriptId: string, source = "text(1)") =>
  test.ledger.scripts.add({ scriptId, name: `Script ${scriptId}`, source });

it("keeps them exactly, in the order in which they were made", () => {
  add("b", "text('\ud800\0')");
  test.clock.advance(5);
  add("a");
  expect(test.reopen().scripts.list()).toEqual([
    {
      scriptId: "b",
      name: "Script b",
      source: "text('\ud800\0')",
      revision: 1,
      createdAtMs: test.clock.nowMs() - 5,
      updatedAtMs: test.clock.nowMs() - 5,
      isDeleted: false,
    },
    expect.objectContaining({ scriptId: "a", source: "text(1)" }),
  ]);
});

it("replaces one only by a change of what is there", () => {
  add("a");
  const { scripts } = test.ledger;
  test.clock.advance(7);
  expect(scripts.save("a", { name: "Mine", source: "mine", revision: 1 })).toBe(true);
  expect(scripts.save("a", { name: "Yours", source: "yours", revision: 1 })).toBe(false);
  expect(scripts.get("a")).toMatchObject({
    name: "Mine",
    source: "mine",
    revision: 2,
    updatedAtMs: test.clock.nowMs(),
  });
});

it("brings back one that was deleted, for 30 days", () => {
  add("a");
  add("b");
  const { scripts } = test.ledger;
  scripts.delete("a");
  scripts.delete("b");
  expect(scripts.list()).toEqual([]);
  expect(() => scripts.save("a", { name: "A", source: "", revision: 1 })).toThrow(
    expect.objectContaining({ code: "script_unknown" }),
  );
  test.clock.advance(29 * dayMs);
  // Deleting it again does not begin anew.
  scripts.delete("b");
  const reopened = test.reopen().scripts;
  reopened.restore("a");
  expect(reopened.list()).toMatchObject([{ scriptId: "a", revision: 1, isDeleted: false }]);
  test.clock.advance(2 * dayMs);
  const later = test.reopen().scripts;
  expect(later.get("a")).not.toBeNull();
  expect(later.get("b")).toBeNull();
  for (const act of [() => later.restore("b"), () => later.delete("b")]) {
    expect(act).toThrow(expect.objectContaining({ code: "script_unknown" }));
  }
});
