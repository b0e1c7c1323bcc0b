import { expect, test } from "vitest";
import { collapsedPills } from "./pillFit";

const pill = (rank: number, fullPx: number) => ({ rank, fullPx, smallPx: 28 });
const pills = [pill(4, 120), pill(2, 110), pill(1, 90), pill(3, 100)];
/** All words, and three gaps. */
const wholePx = 120 + 110 + 90 + 100 + 3 * 6;

test("all keep their words while there is room", () => {
  expect(collapsedPills(pills, 6, wholePx)).toEqual([false, false, false, false]);
});

test("the least important one makes way first, and no more than are needed", () => {
  expect(collapsedPills(pills, 6, wholePx - 1)).toEqual([false, false, true, false]);
  expect(collapsedPills(pills, 6, wholePx - 62)).toEqual([false, false, true, false]);
  expect(collapsedPills(pills, 6, wholePx - 63)).toEqual([false, true, true, false]);
  expect(collapsedPills(pills, 6, wholePx - 200)).toEqual([false, true, true, true]);
});

test("with no room at all each is an icon", () => {
  expect(collapsedPills(pills, 6, 0)).toEqual([true, true, true, true]);
  expect(collapsedPills([], 6, 0)).toEqual([]);
});
