import { expect, it } from "vitest";
import { ManualClock } from "../clock";
import { KeepAwake } from "./keepAwake";

function setUp() {
  const clock = new ManualClock();
  const held: number[] = [];
  let next = 0;
  const listeners = new Set<() => void>();
  const state = { atWork: false };
  const keepAwake = new KeepAwake({
    clock,
    services: {
      keepsAwake: () => state.atWork,
      backend: {
        topics: {
          openApp: (listener) => {
            const told = () => listener([], true);
            listeners.add(told);
            return { snapshot: null as never, close: () => void listeners.delete(told) };
          },
        },
      },
    },
    blocker: {
      start: () => {
        held.push(next);
        return next++;
      },
      stop: (id) => held.splice(held.indexOf(id), 1),
    },
  });
  const change = (atWork: boolean) => {
    state.atWork = atWork;
    for (const told of listeners) told();
    clock.advance(1_000);
  };
  return { keepAwake, clock, held, listeners, state, change };
}

it("holds the machine once while something is at work, and gives it back", () => {
  const { keepAwake, held, change } = setUp();
  keepAwake.begin();
  expect(held).toEqual([]);
  change(true);
  change(true);
  expect(held).toEqual([0]);
  change(false);
  expect(held).toEqual([]);
  change(true);
  expect(held).toEqual([1]);
});

it("knows at its beginning what goes on already, and leaves nothing behind", () => {
  const { keepAwake, clock, held, listeners, state } = setUp();
  state.atWork = true;
  keepAwake.begin();
  expect(held).toEqual([0]);
  for (const told of listeners) told();
  keepAwake.dispose();
  expect([held, listeners.size, clock.pendingCount]).toEqual([[], 0, 0]);
});
