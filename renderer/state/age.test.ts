import { describe, expect, it } from "vitest";
import { ageWords, instantWords } from "./age";

// Local time on purpose: what counts as "yesterday" is what the person's calendar says.
const now = new Date(2026, 2, 12, 9, 30).getTime();
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime();

describe("how long ago something was", () => {
  it.each([
    ["now", now],
    ["now", now - 59_999],
    ["1m", now - 60_000],
    ["59m", now - 3_599_999],
    ["1h", now - 3_600_000],
    ["9h", at(2026, 2, 12, 0, 10)],
    ["11h", at(2026, 2, 11, 22, 0)],
    ["Wed", at(2026, 2, 11, 21, 0)],
    ["Fri", at(2026, 2, 6, 9, 0)],
    ["Mar 5", at(2026, 2, 5, 23, 59)],
    ["Jan 1", at(2026, 0, 1, 0, 0)],
    ["Dec 2025", at(2025, 11, 31, 23, 59)],
  ])("%s", (words, then) => {
    expect(ageWords(then, now, "en-US")).toBe(words);
  });

  it("never is in the future", () => {
    expect(ageWords(now + 3_600_000, now, "en-US")).toBe("now");
  });

  it("keeps the day right over a change of the clocks", () => {
    const after = new Date(2026, 9, 25, 12, 0).getTime();
    expect(ageWords(new Date(2026, 9, 24, 23, 0).getTime(), after, "en-US")).toBe("Sat");
  });
});

it("says an instant in full", () => {
  expect(instantWords(now, "en-US")).toMatch(/^Mar 12, 2026, 9:30\s?AM$/);
});
