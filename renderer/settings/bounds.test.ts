import { expect, test } from "vitest";
import { boundNumber } from "./bounds";

const memory = { least: 24, most: 1_024, unit: "MiB" };

test("a number within its bounds is taken, rounded to the digits that count", () => {
  expect(boundNumber(64.4, memory)).toEqual({ value: 64, said: null });
  expect(boundNumber(0.26, { least: 0.1, most: 3_600, digits: 1, unit: "seconds" })).toEqual({
    value: 0.3,
    said: null,
  });
});

test("one that is out of them becomes the nearest, and that is said", () => {
  expect(boundNumber(5, memory)).toEqual({ value: 24, said: "24 MiB is the least that can be set." });
  expect(boundNumber(1e9, memory)).toEqual({ value: 1_024, said: "1,024 MiB is the most that can be set." });
  expect(boundNumber(0, { least: 1, most: 64, unit: "" }).said).toBe("1 is the least that can be set.");
});
