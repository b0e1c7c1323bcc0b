import { expect, it } from "vitest";
import { withRest } from "./withRest";

async function restAfter(tookMs: number): Promise<number[]> {
  let nowMs = 1_000;
  const rests: number[] = [];
  await withRest(
    async () => {
      nowMs += tookMs;
    },
    () => nowMs,
    async (ms) => {
      rests.push(ms);
    },
  );
  return rests;
}

it("what takes no longer than a frame is followed by the next at once", async () => {
  expect(await restAfter(5)).toEqual([]);
  expect(await restAfter(16)).toEqual([]);
});

it("what takes longer is followed by a rest as long, up to a bound", async () => {
  expect(await restAfter(60)).toEqual([60]);
  expect(await restAfter(3_000)).toEqual([200]);
});
