import fc from "fast-check";
import { expect, it } from "vitest";
import { appendBounded, heldTextUnits, type Item } from "../../preload/contract/items";
import { HeldItems } from "./heldItems";
import { placeholderItem } from "./itemView/delta";

const command = (id: string): Item =>
  placeholderItem({ turnId: "t", itemId: id, kind: "command", field: "output", text: "" });

const id = fc.constantFrom("a", "b");
const text = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 5 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 * heldTextUnits }).map((units) => "x".repeat(units)) },
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("grow" as const), id, text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("look" as const, "look at all" as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("put anew" as const, "delete" as const), id }) },
);

it("holds what each piece by itself would have led to, whenever it is looked at", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const held = new HeldItems();
      const plain = new Map<string, Item>();
      for (const one of [...steps, { do: "look at all" as const, id: "a" }]) {
        const known = plain.get(one.id);
        if (one.do === "grow") {
          if (known?.kind !== "command") continue;
          held.growOutput(one.id, one.text);
          plain.set(one.id, { ...known, output: appendBounded(known.output, one.text) });
        } else if (one.do === "put anew") {
          held.set(one.id, command(one.id));
          plain.set(one.id, command(one.id));
        } else if (one.do === "delete") {
          held.delete(one.id);
          plain.delete(one.id);
        } else if (one.do === "look") expect(held.get(one.id)).toEqual(known);
        else expect(held.all()).toEqual([...plain.values()]);
        expect(held.has(one.id)).toBe(plain.has(one.id));
      }
    }),
    { numRuns: 300 },
  );
});

it("gives nothing to what comes back under the same id", () => {
  const held = new HeldItems();
  held.set("a", command("a"));
  held.growOutput("a", "of before");
  held.clear();
  held.set("a", command("a"));
  expect(held.get("a")).toEqual(command("a"));
});
