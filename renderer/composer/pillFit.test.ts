import fc from "fast-check";
import { expect, test } from "vitest";
import { type PillSize, pillForms } from "./pillFit";

const pill = (rank: number, fullPx: number): PillSize => ({
  rank,
  fullPx,
  tightPx: fullPx - 20,
  smallPx: 28,
});
const pills = [pill(4, 120), pill(2, 110), pill(1, 90), pill(3, 100)];
/** All words, and three gaps. */
const wholePx = 120 + 110 + 90 + 100 + 3 * 6;
const tightPx = wholePx - 4 * 20;

test("all keep their words and marks while there is room", () => {
  expect(pillForms(pills, 6, wholePx)).toEqual(["full", "full", "full", "full"]);
});

test("the marks go before any words do, and of all at once", () => {
  expect(pillForms(pills, 6, wholePx - 1)).toEqual(["tight", "tight", "tight", "tight"]);
  expect(pillForms(pills, 6, tightPx)).toEqual(["tight", "tight", "tight", "tight"]);
});

test("then the least important words make way first, and no more than are needed", () => {
  expect(pillForms(pills, 6, tightPx - 1)).toEqual(["tight", "tight", "small", "tight"]);
  expect(pillForms(pills, 6, tightPx - 42)).toEqual(["tight", "tight", "small", "tight"]);
  expect(pillForms(pills, 6, tightPx - 150)).toEqual(["tight", "small", "small", "small"]);
});

test("room that is left over goes to words that fit into it", () => {
  // Without the longest words there is room for those of the least important one.
  const long = [pill(2, 200), pill(1, 80)];
  expect(pillForms(long, 6, 28 + 6 + 60)).toEqual(["small", "tight"]);
});

test("with no room at all each is an icon", () => {
  expect(pillForms(pills, 6, 0)).toEqual(["small", "small", "small", "small"]);
  expect(pillForms([], 6, 0)).toEqual([]);
});

test("what fits is never wider than the room, and no words are left out that would fit", () => {
  const anyPill = fc
    .record({ rank: fc.nat(6), smallPx: fc.constant(28), words: fc.nat(200), marks: fc.nat(20) })
    .map(({ rank, smallPx, words, marks }) => ({
      rank,
      smallPx,
      tightPx: smallPx + words,
      fullPx: smallPx + words + marks,
    }));
  fc.assert(
    fc.property(fc.array(anyPill, { minLength: 1, maxLength: 7 }), fc.nat(1_200), (some, roomPx) => {
      const forms = pillForms(some, 6, roomPx);
      const sizeOf = (each: PillSize, at: number) => each[`${forms[at] ?? "small"}Px`];
      const needPx = some.reduce((sum, each, at) => sum + sizeOf(each, at), 6 * (some.length - 1));
      if (needPx > roomPx) expect(new Set(forms)).toEqual(new Set(["small"]));
      for (const [at, { tightPx, smallPx }] of some.entries())
        if (forms[at] === "small") expect(needPx + tightPx - smallPx).toBeGreaterThan(roomPx);
    }),
  );
});
