import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldTextUnits } from "../../preload/contract/items";
import type { ThreadChange } from "../../preload/contract/thread";
import { agentItem, commandItem, reasoningItem, threadHead, threadSnapshot, turn } from "./testThread";
import { applyThreadChanges, CopyError, threadCopyOf } from "./threadCopy";

const two = () => threadCopyOf(threadSnapshot([agentItem("a", "one"), commandItem("b")], [turn("t1")]));

describe("a copy of a thread", () => {
  it("has items in the order of the snapshot", () => {
    const copy = two();
    expect(copy.order).toEqual(["a", "b"]);
    expect(copy.byId.b?.kind).toBe("command");
    expect(copy.turnOrder).toEqual(["t1"]);
  });

  it("replaces an item in its place and adds a new one at the end", () => {
    const copy = applyThreadChanges(two(), [
      { type: "items", items: [agentItem("a", "new"), agentItem("c")] },
    ]);
    expect(copy.order).toEqual(["a", "b", "c"]);
    expect(copy.byId.a).toMatchObject({ text: "new" });
  });

  it("adds text to one item and leaves the identity of all others", () => {
    const before = two();
    const after = applyThreadChanges(before, [{ type: "append", itemId: "a", field: "text", text: " two" }]);
    expect(after.byId.a).toMatchObject({ text: "one two" });
    expect(after.byId.b).toBe(before.byId.b);
    expect(after.order).toBe(before.order);
    expect(after.turnById).toBe(before.turnById);
    expect(after.head).toBe(before.head);
    expect(before.byId.a).toMatchObject({ text: "one" });
  });

  it("adds to each field that can be added to", () => {
    const start = threadCopyOf(threadSnapshot([reasoningItem("r"), commandItem("c", "$ ")]));
    const copy = applyThreadChanges(start, [
      { type: "append", itemId: "r", field: "summary", text: "s" },
      { type: "append", itemId: "r", field: "content", text: "c" },
      { type: "append", itemId: "c", field: "output", text: "ok" },
    ]);
    expect(copy.byId.r).toMatchObject({ summary: "s", content: "c" });
    expect(copy.byId.c).toMatchObject({ output: { text: "$ ok", droppedUnits: 0 } });
  });

  it("bounds output as main does", () => {
    const piece = "x".repeat(heldTextUnits);
    const append: ThreadChange = { type: "append", itemId: "b", field: "output", text: piece };
    const copy = applyThreadChanges(two(), [append, append, append]);
    const item = copy.byId.b;
    if (item?.kind !== "command") throw new Error("no command");
    expect(item.output.text.length + item.output.droppedUnits).toBe(3 * heldTextUnits);
    expect(item.output.text.length).toBeLessThanOrEqual(2 * heldTextUnits);
  });

  it.each([
    ["an item that is not there", { type: "append", itemId: "nobody", field: "text", text: "x" }],
    ["an item of the prototype's names", { type: "append", itemId: "toString", field: "text", text: "x" }],
    ["a field that the item does not have", { type: "append", itemId: "a", field: "output", text: "x" }],
  ] as const)("is no longer true when text comes for %s", (_, change) => {
    expect(() => applyThreadChanges(two(), [change])).toThrow(CopyError);
  });

  it("removes items", () => {
    const copy = applyThreadChanges(two(), [{ type: "removeItems", ids: ["a", "never there"] }]);
    expect(copy.order).toEqual(["b"]);
    expect(copy.byId.a).toBeUndefined();
  });

  it("puts older turns and items before all others, and keeps the newer version of what it has", () => {
    const copy = applyThreadChanges(two(), [
      {
        type: "older",
        turns: [turn("t0"), turn("t1", "failed")],
        items: [agentItem("z"), agentItem("a", "stale")],
      },
    ]);
    expect(copy.turnOrder).toEqual(["t0", "t1"]);
    expect(copy.turnById.t1?.status).toBe("completed");
    expect(copy.order).toEqual(["z", "a", "b"]);
    expect(copy.byId.a).toMatchObject({ text: "one" });
  });

  it("starts over on a reset, head kept", () => {
    const copy = applyThreadChanges(two(), [
      { type: "head", value: { title: "Other" } },
      { type: "reset", turns: [turn("t9")], items: [agentItem("n")] },
    ]);
    expect(copy.head.title).toBe("Other");
    expect(copy.order).toEqual(["n"]);
    expect(Object.keys(copy.byId)).toEqual(["n"]);
    expect(copy.turnOrder).toEqual(["t9"]);
  });

  it("changes only the given fields of the head", () => {
    const copy = applyThreadChanges(two(), [{ type: "head", value: { state: "running", plan: null } }]);
    expect(copy.head).toEqual(threadHead({ state: "running" }));
  });

  it("is the same however main groups the changes, and always lists each item once", () => {
    const ids = fc.constantFrom("a", "b", "c", "d", "e");
    const change: fc.Arbitrary<ThreadChange> = fc.oneof(
      fc.record({ type: fc.constant("items" as const), items: fc.array(ids.map((id) => agentItem(id))) }),
      fc.record({ type: fc.constant("removeItems" as const), ids: fc.array(ids) }),
      fc.record({
        type: fc.constant("older" as const),
        turns: fc.array(ids.map((id) => turn(id))),
        items: fc.array(ids.map((id) => agentItem(id, "older"))),
      }),
      fc.record({
        type: fc.constant("reset" as const),
        turns: fc.array(ids.map((id) => turn(id))),
        items: fc.array(ids.map((id) => agentItem(id))),
      }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.nat(12), (changes, cut) => {
        const start = threadCopyOf(threadSnapshot([agentItem("a"), agentItem("b")]));
        const whole = applyThreadChanges(start, changes);
        const parts = applyThreadChanges(
          applyThreadChanges(start, changes.slice(0, cut)),
          changes.slice(cut),
        );
        expect(parts).toEqual(whole);
        expect(new Set(whole.order).size).toBe(whole.order.length);
        expect([...whole.order].sort()).toEqual(Object.keys(whole.byId).sort());
      }),
    );
  });
});
