import { expect, test } from "vitest";
import { ManualClock } from "../../clock";
import { LiveThreads } from "./liveThreads";

test("all have ended at once when there are none", async () => {
  expect(await new LiveThreads().allEnded(new ManualClock(), 1_000)).toBe(true);
});

test("those that end are waited for", async () => {
  const live = new LiveThreads();
  live.began();
  live.began();
  const all = live.allEnded(new ManualClock(), 1_000);
  live.ended();
  expect(live.count).toBe(1);
  live.ended();
  expect(await all).toBe(true);
});

test("one that never ends is waited for only so long", async () => {
  const live = new LiveThreads();
  const clock = new ManualClock();
  live.began();
  const all = live.allEnded(clock, 1_000);
  clock.advance(1_000);
  expect(await all).toBe(false);
});
