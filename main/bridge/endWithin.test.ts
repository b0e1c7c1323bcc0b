import { expect, it } from "vitest";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import type { Log } from "../log";
import { endWithin } from "./endWithin";

const clock = new ManualClock();
const errors: string[] = [];
const log: Log = { info() {}, warn() {}, error: (message) => errors.push(message) };

it("waits for the part, and no longer", async () => {
  let isOver = false;
  let end: () => void = () => undefined;
  const part = new Promise<void>((resolve) => {
    end = resolve;
  });
  const ending = endWithin(1_000, "part", () => part, { clock, log }).then(() => {
    isOver = true;
  });
  clock.advance(999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  end();
  await ending;
  expect([errors, clock.pendingCount]).toEqual([[], 0]);
});

it("goes on without a part that never ends, and says so", async () => {
  const ending = endWithin(1_000, "part", () => new Promise(() => undefined), { clock, log });
  clock.advance(1_000);
  await ending;
  expect(errors.splice(0)).toEqual(["a part does not end in time"]);
});

it("goes on after a part that fails, and says so", async () => {
  await endWithin(1_000, "part", () => Promise.reject(new Fault("broken", "It is broken.")), { clock, log });
  expect(errors.splice(0)).toEqual(["a part did not end as it should"]);
  expect(clock.pendingCount).toBe(0);
});

it("goes on after a part that fails before it has promised anything", async () => {
  const end = () => {
    throw new Fault("broken", "It is broken.");
  };
  await endWithin(1_000, "part", end, { clock, log });
  expect(errors.splice(0)).toEqual(["a part did not end as it should"]);
  expect(clock.pendingCount).toBe(0);
});
