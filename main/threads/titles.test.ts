import { expect, it } from "vitest";
import { forkTitle, titleOf } from "./titles";

it("each fork of a thread is called otherwise than all that there is", () => {
  const taken = new Set(["Fix it"]);
  for (const expected of ["Fix it (fork)", "Fix it (fork 2)", "Fix it (fork 3)"]) {
    const fork = forkTitle("Fix it", taken);
    expect(fork).toBe(expected);
    taken.add(fork);
  }
});

it("a fork of a fork counts on from it", () => {
  expect(forkTitle("Fix it (fork)", new Set(["Fix it (fork)"]))).toBe("Fix it (fork 2)");
  expect(forkTitle("Fix it (fork 2)", new Set(["Fix it (fork 3)"]))).toBe("Fix it (fork 4)");
});

it("of a title that takes all the room there is, the end makes way for what tells forks apart", () => {
  const long = "x".repeat(200);
  const first = forkTitle(long, new Set([long]));
  const second = forkTitle(long, new Set([long, first]));
  expect(first).toMatch(/^x+… \(fork\)$/);
  expect(second).toMatch(/^x+… \(fork 2\)$/);
  expect([titleOf({ name: first }), titleOf({ name: second })]).toEqual([first, second]);
});
