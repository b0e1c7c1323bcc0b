import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { Pieces } from "./pieces";

const message = "item/agentMessage/delta";
const summary = "item/reasoning/summaryTextDelta";

let told: [string, unknown][];
let pieces: Pieces;

beforeEach(() => {
  told = [];
  pieces = new Pieces((method, params) => told.push([method, params]), queueMicrotask);
});

function piece(itemId: string, delta: string, more: object = {}) {
  return { threadId: "t", turnId: "u", itemId, delta, ...more };
}

it("joins what comes together, and hands it over at the end of the read", async () => {
  expect(pieces.take(message, piece("a", "one "))).toBe(true);
  expect(pieces.take(message, piece("a", "two "))).toBe(true);
  expect(pieces.take(message, piece("a", "three"))).toBe(true);
  expect(told).toEqual([]);
  await Promise.resolve();
  expect(told).toEqual([[message, piece("a", "one two three")]]);
});

it("hands over at once what something else comes behind, and nothing twice", async () => {
  pieces.take(message, piece("a", "one"));
  pieces.flush();
  pieces.flush();
  await Promise.resolve();
  expect(told).toEqual([[message, piece("a", "one")]]);
});

it("joins only pieces of the same text", () => {
  pieces.take(summary, piece("a", "one", { summaryIndex: 0 }));
  pieces.take(summary, piece("a", "two", { summaryIndex: 1 }));
  pieces.take("item/reasoning/textDelta", piece("a", "three"));
  pieces.flush();
  expect(told.map(([, params]) => params)).toEqual([
    piece("a", "one", { summaryIndex: 0 }),
    piece("a", "two", { summaryIndex: 1 }),
    piece("a", "three"),
  ]);
});

it("leaves everything else alone", () => {
  expect(pieces.take("item/started", piece("a", "one"))).toBe(false);
  expect(pieces.take(message, { itemId: "a", delta: 1 })).toBe(false);
  expect(pieces.take(message, null)).toBe(false);
  expect(told).toEqual([]);
});

it("each text becomes what it would have become piece by piece, whatever comes in turn with it", () => {
  const step = fc.oneof(
    fc.record({
      itemId: fc.constantFrom("a", "b", "c"),
      delta: fc.string(),
      summaryIndex: fc.integer({ min: 0, max: 1 }),
    }),
    fc.constant("flush" as const),
  );
  /** By item, every character with the part of the summary that it belongs to. */
  const textsOf = (params: unknown[]) => {
    const texts: Record<string, string[]> = {};
    for (const { itemId, delta, summaryIndex } of params as { [Name in string]: string }[]) {
      const characters = (delta ?? "").split("").map((each) => `${summaryIndex} ${each}`);
      texts[itemId ?? ""] = [...(texts[itemId ?? ""] ?? []), ...characters];
    }
    return texts;
  };
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      told = [];
      for (const each of steps) {
        if (each === "flush") pieces.flush();
        else pieces.take(summary, { ...each });
      }
      pieces.flush();
      const said = steps.filter((each) => each !== "flush" && each.delta !== "");
      const heard = told.map(([, params]) => params as { delta: string }).filter(({ delta }) => delta !== "");
      expect(textsOf(heard)).toEqual(textsOf(said));
    }),
  );
});
