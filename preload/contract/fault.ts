import { z } from "zod";

/** An expected failure as it crosses the bridge: a code for programs, a sentence for people, what to do about it. */
export const faultSchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  /** Technical detail, shown folded and copyable. Never contains secrets. */
  detail: z.string().optional(),
  /** The file or folder that it is about, when there is one that can be shown in the file manager. */
  path: z.string().optional(),
  retryable: z.boolean(),
});
export type FaultView = z.infer<typeof faultSchema>;
