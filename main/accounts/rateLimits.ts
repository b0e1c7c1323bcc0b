// How much of an account's allowance is used. Everything that codex does not say is unknown, never "none left": a
// missing window is no limit that has been reached, and a sparse update does not take back what was known.

import { z } from "zod";
import type { LimitsView, LimitWindow } from "../../preload/contract/codexPage";
import { planWords } from "./accountView";

export type RateLimits = Omit<LimitsView, "atMs">;

export const unknownLimits: RateLimits = {
  primary: null,
  secondary: null,
  reached: null,
  plan: null,
  credits: null,
  others: [],
};

/** The allowance that is meant when codex names none. */
const usualLimit = "codex";

const windowSchema = z
  .looseObject({
    usedPercent: z.number(),
    windowDurationMins: z.number().nullish().catch(null),
    resetsAt: z.number().nullish().catch(null),
  })
  .nullish()
  .catch(null);

const creditsSchema = z
  .looseObject({
    hasCredits: z.boolean(),
    unlimited: z.boolean(),
    balance: z.string().nullish().catch(null),
  })
  .nullish()
  .catch(null);

const limitSchema = z.looseObject({
  limitId: z.string().nullish().catch(null),
  limitName: z.string().nullish().catch(null),
  primary: windowSchema,
  secondary: windowSchema,
  credits: creditsSchema,
  planType: z.string().nullish().catch(null),
  rateLimitReachedType: z.string().nullish().catch(null),
});

const snapshotSchema = z.looseObject({
  rateLimits: limitSchema.nullish().catch(null),
  // One that is broken does not take the others with it.
  rateLimitsByLimitId: z.record(z.string(), limitSchema.nullable().catch(null)).nullish().catch(null),
});

/** Later, or before that, no allowance begins anew: a number in other units, or none. */
const latestResetAt = Date.UTC(2200, 0) / 1_000;
/** Of any limit: what is larger is no percentage. */
const mostPercent = 10_000;

/** Takes in an answer of `account/rateLimits/read` or an `account/rateLimits/updated`, which carry the same. */
export function mergeRateLimits(known: RateLimits, message: unknown): RateLimits {
  const parsed = snapshotSchema.safeParse(message);
  if (!parsed.success) return known;
  const { rateLimitsByLimitId } = parsed.data;
  const rateLimits = parsed.data.rateLimits ?? rateLimitsByLimitId?.[usualLimit];
  if (!rateLimits) return known;
  const id = rateLimits.limitId ?? usualLimit;
  const others = Object.entries(rateLimitsByLimitId ?? {}).flatMap(([limitId, limit]) =>
    limit && limitId !== id ? [otherLimit(limit.limitName ?? limitId, limit)] : [],
  );
  // What is told in between may be about one of the others.
  if (id !== usualLimit && rateLimitsByLimitId == null) {
    return { ...known, others: withOther(known.others, otherLimit(rateLimits.limitName ?? id, rateLimits)) };
  }
  const windows = {
    primary: windowOf(rateLimits.primary) ?? known.primary,
    secondary: windowOf(rateLimits.secondary) ?? known.secondary,
  };
  return {
    ...windows,
    reached: rateLimits.rateLimitReachedType ? true : reachedBy(windows, known.reached),
    plan: planWords(rateLimits.planType ?? null) ?? known.plan,
    credits: creditsOf(rateLimits.credits) ?? known.credits,
    others: others.reduce(withOther, known.others),
  };
}

type OtherLimit = RateLimits["others"][number];

function otherLimit(name: string, { primary, secondary }: z.infer<typeof limitSchema>): OtherLimit {
  return { name, primary: windowOf(primary), secondary: windowOf(secondary) };
}

function withOther(others: OtherLimit[], one: OtherLimit): OtherLimit[] {
  const known = others.find(({ name }) => name === one.name);
  if (!known) return [...others, one];
  const merged = {
    name: one.name,
    primary: one.primary ?? known.primary,
    secondary: one.secondary ?? known.secondary,
  };
  return others.map((each) => (each === known ? merged : each));
}

function creditsOf(credits: z.infer<typeof creditsSchema>): RateLimits["credits"] {
  if (!credits) return null;
  return { has: credits.hasCredits, unlimited: credits.unlimited, balance: credits.balance ?? null };
}

function windowOf(window: z.infer<typeof windowSchema>): LimitWindow | null {
  if (!window) return null;
  const { usedPercent, windowDurationMins, resetsAt } = window;
  if (usedPercent < 0 || usedPercent > mostPercent) return null;
  return {
    usedPercent,
    minutes: windowDurationMins && windowDurationMins > 0 ? Math.ceil(windowDurationMins) : null,
    resetsAtMs: resetsAt && resetsAt > 0 && resetsAt < latestResetAt ? resetsAt * 1_000 : null,
  };
}

/** A limit that was reached is over once the windows show room again; without windows nothing is known. */
function reachedBy(
  { primary, secondary }: Pick<RateLimits, "primary" | "secondary">,
  before: boolean | null,
): boolean | null {
  const windows = [primary, secondary].filter((window) => window !== null);
  if (windows.length === 0) return before;
  return windows.some((window) => window.usedPercent >= 100);
}
