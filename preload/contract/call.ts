// How a call is written down: what it takes and what it gives, both validated on both sides.

import { z } from "zod";

export function call<Params extends z.ZodType, Result extends z.ZodType>(params: Params, result: Result) {
  return { params, result };
}

export const nothing = z.object({});
export const done = z.object({ done: z.literal(true) });
