import { expect, it } from "vitest";
import { forkOf, isForkTitle, shortTitle, splitTitle } from "./forks";
import { threadRow } from "./testThread";

it("knows a fork by the end of its title", () => {
  expect(["Fix it (fork)", "Fix it (fork 12)"].every(isForkTitle)).toBe(true);
  expect(["Fix it", "(fork) it", "Fix the fork", "Fix (forks)"].some(isForkTitle)).toBe(false);
});

it("parts what tells forks apart from what may be cut off", () => {
  expect(splitTitle("Fix it (fork 12)")).toEqual({ base: "Fix it", mark: "(fork 12)" });
  expect(shortTitle(`${"x".repeat(80)} (fork 2)`)).toBe(`${"x".repeat(49)}… (fork 2)`);
  expect(shortTitle("Fix it (fork)")).toBe("Fix it (fork)");
  expect(splitTitle("Fix it")).toEqual({ base: "Fix it", mark: null });
});

it("names the fork that keeps a thread from being deleted, as long as it is there", () => {
  const rows = new Map([
    ["a", threadRow("a", { title: "Fix it" })],
    ["b", threadRow("b", { title: "Fix it (fork)", forkedFromId: "a", archived: true })],
  ]);
  expect(forkOf(rows, "a")).toBe("Fix it (fork)");
  expect(forkOf(rows, "b")).toBeNull();
  rows.delete("b");
  expect(forkOf(rows, "a")).toBeNull();
});
