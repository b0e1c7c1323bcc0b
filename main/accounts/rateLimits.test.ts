import { describe, expect, it } from "vitest";
import { limitEndsAtMs, mergeRateLimits, type RateLimits, unknownLimits } from "./rateLimits";

const window = (usedPercent: number, resetsAt: number | null = 1_800_000_000) => ({
  usedPercent,
  windowDurationMins: 300,
  resetsAt,
});
const limits = (fields: object) => ({ rateLimits: { limitId: "codex", credits: null, ...fields } });

describe("limits", () => {
  it("that codex does not say are unknown, not reached", () => {
    const seen = mergeRateLimits(unknownLimits, limits({ primary: null, secondary: null }));
    expect(seen).toEqual({ primary: null, secondary: null, reached: null });
    expect(limitEndsAtMs(seen)).toBeNull();
  });

  it("a sparse update keeps what was known", () => {
    const first = mergeRateLimits(unknownLimits, limits({ primary: window(40), secondary: window(10) }));
    const second = mergeRateLimits(first, limits({ primary: window(41), secondary: null }));
    expect(second).toMatchObject({
      primary: { usedPercent: 41, minutes: 300, resetsAtMs: 1_800_000_000_000 },
      secondary: { usedPercent: 10 },
      reached: false,
    });
  });

  it("a reached one ends when its last full window starts anew", () => {
    const both = limits({ primary: window(100, 1_000), secondary: window(100, 3_000) });
    const reached = mergeRateLimits(unknownLimits, both);
    expect(reached.reached).toBe(true);
    expect(limitEndsAtMs(reached)).toBe(3_000_000);
    const over = mergeRateLimits(reached, limits({ primary: window(1), secondary: window(50) }));
    expect(over.reached).toBe(false);
    expect(limitEndsAtMs(over)).toBeNull();
  });

  it("a full window without a time has no end that is known", () => {
    const seen = mergeRateLimits(
      unknownLimits,
      limits({ primary: window(100, null), secondary: window(100) }),
    );
    expect(limitEndsAtMs(seen)).toBeNull();
  });

  it("codex's own word counts without windows", () => {
    const seen = mergeRateLimits(unknownLimits, limits({ rateLimitReachedType: "rate_limit_reached" }));
    expect(seen.reached).toBe(true);
  });

  it.each([null, {}, { rateLimits: null }, { rateLimits: 7 }])("nonsense changes nothing: %j", (message) => {
    const known: RateLimits = mergeRateLimits(unknownLimits, limits({ primary: window(40) }));
    expect(mergeRateLimits(known, message)).toBe(known);
  });

  it("a broken window is a missing one", () => {
    const seen = mergeRateLimits(
      unknownLimits,
      limits({ primary: { usedPercent: "half" }, secondary: window(3) }),
    );
    expect(seen).toMatchObject({ primary: null, secondary: { usedPercent: 3 } });
  });
});
