import { expect, test } from "vitest";
import { difference } from "./textView";

test.each([
  ["one two", "one and two", { from: 4, to: 4, insert: "and " }],
  ["one two", "one", { from: 3, to: 7, insert: "" }],
  ["", "new", { from: 0, to: 0, insert: "new" }],
  ["aa", "aaa", { from: 2, to: 2, insert: "a" }],
  ["abc", "xyz", { from: 0, to: 3, insert: "xyz" }],
])("from %j to %j only what differs is replaced", (before, after, change) => {
  const found = difference(before, after);
  expect(found).toEqual(change);
  expect(before.slice(0, found.from) + found.insert + before.slice(found.to)).toBe(after);
});
