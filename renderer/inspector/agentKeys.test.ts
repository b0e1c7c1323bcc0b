import { expect, test } from "vitest";
import { agentKey } from "./agentKeys";

// a > (b > c), d
const levels = [1, 2, 3, 1];

test.each([
  ["ArrowDown", -1, 0],
  ["ArrowDown", 0, 1],
  ["ArrowDown", 3, 3],
  ["ArrowUp", -1, 3],
  ["ArrowUp", 0, 0],
  ["Home", 3, 0],
  ["End", 0, 3],
  ["ArrowRight", 1, 2],
  ["ArrowLeft", 2, 1],
  ["ArrowLeft", 1, 0],
])("%s from %i goes to %i", (key, from, to) => {
  expect(agentKey(levels, from, key)).toEqual({ do: "move", to });
});

test("nowhere to go: the key is left to others", () => {
  expect(agentKey(levels, 2, "ArrowRight")).toBeNull();
  expect(agentKey(levels, 3, "ArrowLeft")).toBeNull();
  expect(agentKey(levels, 0, "x")).toBeNull();
});

test("Enter and Space open the agent that has the keyboard", () => {
  expect(agentKey(levels, 1, "Enter")).toEqual({ do: "open" });
  expect(agentKey(levels, 1, " ")).toEqual({ do: "open" });
  expect(agentKey(levels, -1, "Enter")).toBeNull();
});
