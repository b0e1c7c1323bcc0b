import { describe, expect, it } from "vitest";
import { mergeRateLimits, type RateLimits, unknownLimits } from "./rateLimits";

const window = (usedPercent: number, resetsAt: number | null = 1_800_000_000) => ({
  usedPercent,
  windowDurationMins: 300,
  resetsAt,
});
const limits = (fields: object) => ({ rateLimits: { limitId: "codex", credits: null, ...fields } });

describe("limits", () => {
  it("that codex does not say are unknown, not reached", () => {
    const seen = mergeRateLimits(unknownLimits, limits({ primary: null, secondary: null }));
    expect(seen).toEqual(unknownLimits);
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

  it("a reached one is over when its windows show room again", () => {
    const both = limits({ primary: window(100, 1_000), secondary: window(100, 3_000) });
    const reached = mergeRateLimits(unknownLimits, both);
    expect(reached.reached).toBe(true);
    expect(mergeRateLimits(reached, limits({ primary: window(1), secondary: window(50) })).reached).toBe(
      false,
    );
  });

  it("plan and credits are kept when an update does not say them", () => {
    const credits = { hasCredits: true, unlimited: false, balance: "12.50" };
    const first = mergeRateLimits(unknownLimits, limits({ primary: window(40), planType: "plus", credits }));
    const second = mergeRateLimits(first, limits({ primary: window(41), planType: null }));
    expect(second).toMatchObject({
      plan: "Plus",
      credits: { has: true, unlimited: false, balance: "12.50" },
    });
  });

  it("those of other models stand beside the usual one, also when they are told alone", () => {
    const other = (usedPercent: number) => ({
      limitId: "spark",
      limitName: "Spark",
      primary: window(usedPercent),
    });
    const read = {
      ...limits({ primary: window(40) }),
      rateLimitsByLimitId: { codex: limits({ primary: window(40) }).rateLimits, spark: other(7) },
    };
    const first = mergeRateLimits(unknownLimits, read);
    expect(first.others).toMatchObject([{ name: "Spark", primary: { usedPercent: 7 }, secondary: null }]);
    const second = mergeRateLimits(first, { rateLimits: other(90) });
    expect(second).toMatchObject({
      primary: { usedPercent: 40 },
      others: [{ primary: { usedPercent: 90 } }],
    });
    expect(second.reached).toBe(false);
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

  it.each([
    [{ usedPercent: 130 }, { usedPercent: 130, minutes: null, resetsAtMs: null }],
    [
      { usedPercent: 5, windowDurationMins: 0, resetsAt: 0 },
      { usedPercent: 5, minutes: null, resetsAtMs: null },
    ],
    [
      { usedPercent: 5, windowDurationMins: -60, resetsAt: -1 },
      { usedPercent: 5, minutes: null, resetsAtMs: null },
    ],
    [
      { usedPercent: 5, windowDurationMins: 299.5, resetsAt: 1_800_000_000_000 },
      { usedPercent: 5, minutes: 300, resetsAtMs: null },
    ],
    [
      { usedPercent: 5, resetsAt: 1e200 },
      { usedPercent: 5, minutes: null, resetsAtMs: null },
    ],
    [{ usedPercent: -1 }, null],
    [{ usedPercent: 1e300 }, null],
    [{ windowDurationMins: 300 }, null],
    [[], null],
    ["34 %", null],
  ])("of a window in a strange shape only what makes sense is taken: %j", (primary, taken) => {
    expect(mergeRateLimits(unknownLimits, limits({ primary })).primary).toEqual(taken);
  });

  it("a broken one among several takes no other with it, and the usual one may stand only there", () => {
    const byId = { codex: { primary: window(40) }, spark: null, odd: 7, other: { primary: window(3) } };
    const expected = {
      primary: { usedPercent: 40 },
      others: [{ name: "other", primary: { usedPercent: 3 } }],
    };
    for (const rateLimits of [undefined, null, "none"]) {
      const seen = mergeRateLimits(unknownLimits, { rateLimits, rateLimitsByLimitId: byId });
      expect(seen).toMatchObject(expected);
      expect(seen.others).toHaveLength(1);
    }
  });
});
