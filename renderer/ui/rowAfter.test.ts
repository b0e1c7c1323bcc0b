import { expect, test } from "vitest";
import { rowAfter } from "./rowAfter";

const after = (gone: string, seen: string, now: string) => rowAfter(gone, [...seen], [...now]);

test("the place of a row that has gone is taken by the one that came after it", () => {
  expect(after("b", "abcd", "acd")).toBe("c");
});

test("wherever that one is just shown", () => {
  expect(after("b", "abcd", "adc")).toBe("c");
});

test("and by the one before it where it was the last, or the others have gone too", () => {
  expect(after("d", "abcd", "abc")).toBe("c");
  expect(after("c", "abcd", "ab")).toBe("b");
});

test("and by any other, or none, where all that were seen have gone", () => {
  expect(after("b", "ab", "xy")).toBe("y");
  expect(after("a", "ab", "")).toBeNull();
});
