import { expect, it } from "vitest";
import { isForkTitle } from "./forks";

it("knows a fork by the end of its title", () => {
  expect(["Fix it (fork)", "Fix it (fork 12)"].every(isForkTitle)).toBe(true);
  expect(["Fix it", "(fork) it", "Fix the fork", "Fix (forks)"].some(isForkTitle)).toBe(false);
});
