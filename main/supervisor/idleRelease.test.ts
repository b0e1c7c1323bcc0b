import { describe, expect, test } from "vitest";
import { ManualClock } from "../clock";
import { IdleRelease } from "./idleRelease";

const minuteMs = 60_000;

function stage(limitMs = 30 * minuteMs) {
  const clock = new ManualClock();
  const live = new Set(["a", "b"]);
  const needed = new Set<string>();
  const released: string[] = [];
  const idle = new IdleRelease({
    clock,
    limitMs: () => limitMs,
    live: () => [...live],
    isNeeded: (id) => needed.has(id),
    release: (id) => {
      live.delete(id);
      released.push(id);
    },
  });
  return { clock, live, needed, released, idle };
}

describe("a session that nothing needs", () => {
  test("is closed after the limit, and not before", () => {
    const { clock, released } = stage();
    clock.advance(30 * minuteMs);
    expect(released).toEqual([]);
    clock.advance(2 * minuteMs);
    expect(released.sort()).toEqual(["a", "b"]);
  });

  test("that is needed again in between starts to be idle anew", () => {
    const { clock, needed, released } = stage();
    clock.advance(20 * minuteMs);
    needed.add("a");
    clock.advance(minuteMs);
    needed.delete("a");
    clock.advance(20 * minuteMs);
    expect(released).toEqual(["b"]);
    clock.advance(12 * minuteMs);
    expect(released).toEqual(["b", "a"]);
  });

  test("is never closed when the limit is 0", () => {
    const { clock, released } = stage(0);
    clock.advance(48 * 60 * minuteMs);
    expect(released).toEqual([]);
  });

  test("makes room for another: the one that was idle first", () => {
    const { clock, needed, idle } = stage();
    needed.add("a");
    clock.advance(2 * minuteMs);
    needed.delete("a");
    expect(idle.longestIdle()).toBe("b");
    needed.add("b");
    expect(idle.longestIdle()).toBe("a");
    needed.add("a");
    expect(idle.longestIdle()).toBeNull();
  });

  test("that is closed looks no more", () => {
    const { clock, idle } = stage();
    idle.close();
    expect(clock.pendingCount).toBe(0);
  });
});
