import { z } from "zod";

/** An expected failure as it crosses the bridge: a code for programs, a sentence for people, what to do about it. */
export const faultSchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  /** Technical detail, shown folded and copyable. Never contains secrets. */
  detail: z.string().optional(),
  retryable: z.boolean(),
});
export type FaultView = z.infer<typeof faultSchema>;
