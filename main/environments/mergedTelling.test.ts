import { beforeEach, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { MergedTelling } from "./mergedTelling";

let clock: ManualClock;
let value: number;
let told: number[];
let telling: MergedTelling<{ value: number }>;

beforeEach(() => {
  clock = new ManualClock();
  value = 0;
  told = [];
  telling = new MergedTelling({ clock, read: () => ({ value }), tell: (news) => told.push(news.value) });
});

function change(): void {
  value += 1;
  telling.soon();
}

it("the first change is told at once, and those that follow closely together", () => {
  change();
  expect(told).toEqual([1]);
  change();
  change();
  expect(told).toEqual([1]);
  clock.advance(50);
  expect(told).toEqual([1, 3]);
  // The next one is again as close as that.
  change();
  clock.advance(49);
  expect(told).toEqual([1, 3]);
  clock.advance(1);
  expect(told).toEqual([1, 3, 4]);
  clock.advance(50);
  change();
  expect(told).toEqual([1, 3, 4, 5]);
});

it("however many changes there are, there is one telling in a moment", () => {
  for (let count = 0; count < 1_000; count += 1) {
    change();
    clock.advance(1);
  }
  expect(told.length).toBeLessThanOrEqual(21);
  clock.advance(50);
  expect(told.at(-1)).toBe(1_000);
});

it("what a person asked for is told at once, and what is as it was is not told", () => {
  change();
  value += 1;
  telling.now();
  expect(told).toEqual([1, 2]);
  telling.now();
  telling.soon();
  clock.advance(1_000);
  expect(told).toEqual([1, 2]);
});

it("nothing is told after the end, and no timer is left", () => {
  change();
  change();
  telling.end();
  change();
  telling.now();
  clock.advance(1_000);
  expect(told).toEqual([1]);
  expect(clock.pendingCount).toBe(0);
});
