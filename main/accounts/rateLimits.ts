// How much of an account's allowance is used. Everything that codex does not say is unknown, never "none left": a
// missing window is no limit that has been reached, and a sparse update does not take back what was known.

import { z } from "zod";

export interface LimitWindow {
  usedPercent: number;
  /** Length of the window; null when codex does not say. */
  minutes: number | null;
  resetsAtMs: number | null;
}

export interface RateLimits {
  primary: LimitWindow | null;
  secondary: LimitWindow | null;
  /** True once codex has said that a limit stops work; null when it has said nothing. */
  reached: boolean | null;
}

export const unknownLimits: RateLimits = { primary: null, secondary: null, reached: null };

const windowSchema = z
  .looseObject({
    usedPercent: z.number(),
    windowDurationMins: z.number().nullish().catch(null),
    resetsAt: z.number().nullish().catch(null),
  })
  .nullish()
  .catch(null);

const snapshotSchema = z.looseObject({
  rateLimits: z.looseObject({
    primary: windowSchema,
    secondary: windowSchema,
    rateLimitReachedType: z.string().nullish().catch(null),
  }),
});

/** Takes in an answer of `account/rateLimits/read` or an `account/rateLimits/updated`, which carry the same. */
export function mergeRateLimits(known: RateLimits, message: unknown): RateLimits {
  const parsed = snapshotSchema.safeParse(message);
  if (!parsed.success) return known;
  const { primary, secondary, rateLimitReachedType } = parsed.data.rateLimits;
  const windows = {
    primary: windowOf(primary) ?? known.primary,
    secondary: windowOf(secondary) ?? known.secondary,
  };
  return { ...windows, reached: rateLimitReachedType ? true : reachedBy(windows, known.reached) };
}

function windowOf(window: z.infer<typeof windowSchema>): LimitWindow | null {
  if (!window) return null;
  const { usedPercent, windowDurationMins, resetsAt } = window;
  return {
    usedPercent,
    minutes: windowDurationMins ?? null,
    resetsAtMs: typeof resetsAt === "number" ? resetsAt * 1000 : null,
  };
}

/** A limit that was reached is over once the windows show room again; without windows nothing is known. */
function reachedBy(
  { primary, secondary }: Omit<RateLimits, "reached">,
  before: boolean | null,
): boolean | null {
  const windows = [primary, secondary].filter((window) => window !== null);
  if (windows.length === 0) return before;
  return windows.some((window) => window.usedPercent >= 100);
}

/** When work can go on after a limit was reached: when the last full window starts anew. Null: unknown. */
export function limitEndsAtMs({ primary, secondary }: RateLimits): number | null {
  const full = [primary, secondary].filter((window) => window !== null && window.usedPercent >= 100);
  const ends = full.map((window) => window?.resetsAtMs ?? null);
  if (ends.length === 0 || ends.some((end) => end === null)) return null;
  return Math.max(...ends.map((end) => end ?? 0));
}
