// The displays that `npm test` has opened, one for each test that runs at a time; none where the person's own is used.

import { z } from "zod";

export const displays = z
  .array(z.object({ DISPLAY: z.string(), XAUTHORITY: z.string() }))
  .parse(JSON.parse(process.env.HOLDFAST_TEST_DISPLAYS ?? "[]"));

/** What a program of this worker's tests needs to find its display. */
export function ownDisplay(): Record<string, string> {
  return displays[Number(process.env.TEST_PARALLEL_INDEX ?? 0)] ?? {};
}
