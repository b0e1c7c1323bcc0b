import { describe, expect, test } from "vitest";
import { afterWords, between, byteWords, count, durationWords, elapsedWords, tokenWords } from "./durations";

describe("how long something took", () => {
  test.each([
    [0, "under 0.1 s"],
    [99, "under 0.1 s"],
    [180, "0.2 s"],
    [9_940, "9.9 s"],
    [9_960, "10 s"],
    [14_200, "14 s"],
    [59_400, "59 s"],
    [59_600, "1 min"],
    [252_000, "4 min 12 s"],
    [3_780_000, "1 h 3 min"],
    [90_000_000, "1 d 1 h"],
    [-5, "under 0.1 s"],
  ])("%d ms is %s", (ms, words) => {
    expect(durationWords(ms)).toBe(words);
  });
});

test("what ended at once is not said to have ended after less than nothing much", () => {
  expect(afterWords(40)).toBe("at once");
  expect(afterWords(180)).toBe("after 0.2 s");
});

describe("how long something has been going on", () => {
  test.each([
    [999, "0 s"],
    [59_999, "59 s"],
    [60_000, "1 min"],
    [61_000, "1 min 1 s"],
    [3_600_000, "1 h"],
  ])("%d ms is %s", (ms, words) => {
    expect(elapsedWords(ms)).toBe(words);
  });

  test("a missing end is no duration, and clocks that run backwards never give a negative one", () => {
    expect(between(1, null)).toBeNull();
    expect(between(null, 5)).toBeNull();
    expect(between(10, 4)).toBe(0);
  });
});

test("amounts are said with their unit", () => {
  expect(count(1, "file")).toBe("1 file");
  expect(count(1234, "line")).toBe("1,234 lines");
  expect(tokenWords(950)).toBe("950");
  expect(tokenWords(1_000)).toBe("1k");
  expect(tokenWords(48_210)).toBe("48k");
  expect(tokenWords(1_250_000)).toBe("1.3M");
  expect(byteWords(812)).toBe("812 B");
  expect(byteWords(2_100_000)).toBe("2.1 MB");
});
