import { describe, expect, it } from "vitest";
import type { LimitsView } from "../../preload/contract/codexPage";
import {
  creditWords,
  currentWindows,
  inWords,
  isReached,
  isSignedOut,
  limitLine,
  percentWords,
  resetWords,
  windowName,
} from "./usageWords";

const nowMs = new Date(2026, 2, 2, 8, 0).getTime();
const at = (day: number, hour: number) => new Date(2026, 2, day, hour, 0).getTime();

const limits = (change: Partial<LimitsView>): LimitsView => ({
  primary: null,
  secondary: null,
  reached: null,
  plan: null,
  credits: null,
  others: [],
  atMs: nowMs,
  ...change,
});
const weekly = (usedPercent: number) => ({ usedPercent, minutes: 10_080, resetsAtMs: at(3, 9) });
const short = (usedPercent: number) => ({ usedPercent, minutes: 300, resetsAtMs: at(2, 11) });

describe("the line of the status bar", () => {
  it("says the limit that is nearest to its end, with its name, how full it is and when it resets", () => {
    expect(limitLine(limits({ primary: short(12), secondary: weekly(34) }), nowMs, "en")).toEqual({
      words: "weekly limit 34 % · resets Tue 09:00",
      level: "calm",
    });
    expect(limitLine(limits({ primary: short(80), secondary: weekly(34) }), nowMs, "en")).toEqual({
      words: "5-hour limit 80 % · resets 11:00",
      level: "high",
    });
    expect(limitLine(limits({ primary: short(100) }), nowMs, "en")?.level).toBe("full");
  });

  it("says nothing where nothing is known, which is not zero", () => {
    expect(limitLine(null, nowMs)).toBeNull();
    expect(limitLine(limits({}), nowMs)).toBeNull();
    expect(limitLine(limits({ primary: { ...short(99), resetsAtMs: nowMs } }), nowMs)).toBeNull();
    const untimed = limits({ primary: { usedPercent: 0.2, minutes: null, resetsAtMs: null } });
    expect(limitLine(untimed, nowMs)?.words).toBe("limit under 1 %");
  });
});

describe("a limit that is reached", () => {
  const full = { ...short(100), resetsAtMs: at(2, 7) };

  it("is so by its windows, or by codex's word", () => {
    expect(isReached(limits({ primary: short(100) }), nowMs)).toBe(true);
    expect(isReached(limits({ primary: short(130), reached: true }), nowMs)).toBe(true);
    expect(isReached(limits({ primary: short(50), reached: true }), nowMs)).toBe(true);
    expect(isReached(limits({ reached: true }), nowMs)).toBe(true);
    expect(isReached(limits({ primary: short(99) }), nowMs)).toBe(false);
  });

  it("is over when the window that was full has begun anew, unless another one is full", () => {
    expect(isReached(limits({ primary: full, reached: true }), nowMs)).toBe(false);
    expect(isReached(limits({ primary: full, secondary: weekly(30), reached: true }), nowMs)).toBe(false);
    expect(isReached(limits({ primary: full, secondary: weekly(100), reached: true }), nowMs)).toBe(true);
  });
});

it.each([
  [10_080, "weekly limit"],
  [1_440, "daily limit"],
  [43_200, "monthly limit"],
  [300, "5-hour limit"],
  [4_320, "3-day limit"],
  [45, "45-minute limit"],
])("%i minutes are a %s", (minutes, words) => expect(windowName(minutes, "primary")).toBe(words));

it("percent never says more or less than there is", () => {
  expect([0, 0.4, 34.4, 99.6, 100, 130, -3].map(percentWords)).toEqual([
    "0 %",
    "under 1 %",
    "34 %",
    "99 %",
    "100 %",
    "130 %",
    "0 %",
  ]);
});

it("a reset is a time of the day, then a weekday, then a date; one that is over is said as that", () => {
  expect(resetWords(at(2, 9), nowMs, "en")).toBe("resets 09:00");
  expect(resetWords(at(5, 9), nowMs, "en")).toBe("resets Thu 09:00");
  expect(resetWords(at(20, 9), nowMs, "en")).toMatch(/^resets (?:20 Mar|Mar 20) 09:00$/);
  expect(resetWords(at(1, 9), nowMs, "en")).toBe("begins anew with the next use");
  expect(resetWords(null, nowMs)).toBeNull();
  expect(inWords(nowMs + 192 * 60_000, nowMs)).toBe("in 3 h 12 min");
  expect(inWords(nowMs + 52 * 3_600_000, nowMs)).toBe("in 2 d 4 h");
});

it("a window whose time has come is not current", () => {
  const both = limits({ primary: { ...short(90), resetsAtMs: nowMs - 1 }, secondary: weekly(10) });
  expect(currentWindows(both, nowMs).map(({ name }) => name)).toEqual(["weekly limit"]);
});

it("credits that are not known are not none", () => {
  expect(creditWords(null)).toBe("not known");
  expect(creditWords({ has: false, unlimited: false, balance: null })).toBe("none");
  expect(creditWords({ has: true, unlimited: false, balance: "12.50" })).toBe("12.50");
});

it("codex's refusal for want of an account is known as that", () => {
  const fault = { code: "codex_error", retryable: false };
  expect(
    isSignedOut({ ...fault, message: "codex account authentication required to read rate limits" }),
  ).toBe(true);
  expect(isSignedOut({ ...fault, message: "too many requests" })).toBe(false);
});
