import { expect, it } from "vitest";
import { forkTitle } from "./titles";

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
