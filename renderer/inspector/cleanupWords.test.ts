import { describe, expect, it } from "vitest";
import { nextWords, owedForWords, pendingWords, placeWords, triedWords } from "./cleanupWords";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

it("counts what is owed", () => {
  expect(pendingWords(1)).toBe("1 cleanup pending");
  expect(pendingWords(12)).toBe("12 cleanups pending");
});

it.each([
  [0, "less than a minute"],
  [59 * second, "less than a minute"],
  [minute, "1 min"],
  [59 * minute + 59 * second, "59 min"],
  [hour, "1 h"],
  [25 * hour, "1 day"],
  [72 * hour, "3 days"],
])("after %d ms it has been owed for %s", (agoMs, words) => {
  expect(owedForWords(1_000_000, 1_000_000 + agoMs)).toBe(words);
});

it("was never owed for less than no time: a clock may have been set back", () => {
  expect(owedForWords(5_000, 0)).toBe("less than a minute");
});

it.each([
  [0, "not tried yet"],
  [1, "tried once"],
  [2, "tried twice"],
  [3, "tried 3 times"],
  [1_200, "tried 1,200 times"],
])("%d attempts: %s", (attempts, words) => {
  expect(triedWords(attempts)).toBe(words);
});

describe("when it is tried next", () => {
  it.each([
    [40 * second, "again in 40 s"],
    [39_001, "again in 40 s"],
    [1, "again in 1 s"],
    [minute, "again in 1 min"],
    [61 * second, "again in 2 min"],
    [hour, "again in 1 h"],
    [0, "again at any moment"],
    [-5 * second, "again at any moment"],
  ])("in %d ms: %s", (leftMs, words) => {
    expect(nextWords({ trying: false, nextAttemptAtMs: 10_000 + leftMs }, 10_000)).toBe(words);
  });

  it("is now while it is being tried, whatever was planned", () => {
    expect(nextWords({ trying: true, nextAttemptAtMs: 99_000 }, 0)).toBe("trying now");
  });
});

it("names the workspace, also one that was taken off the list", () => {
  const workspaces = [{ id: "w", name: "atlas-api" }];
  expect(placeWords("w", workspaces)).toBe("atlas-api");
  expect(placeWords("other", workspaces)).toContain("not in the list");
  expect(placeWords(null, workspaces)).toContain("not in the list");
});
