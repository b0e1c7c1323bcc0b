// What is typed and not sent, as it crosses the bridge.

import { z } from "zod";
import { attachmentSchema } from "./items";

export const messageText = z.string().max(8 * 1024 * 1024);
export const messageAttachments = z.array(attachmentSchema).max(50);

/** What is typed and not sent, as main has it. Each change in any window gives it a higher revision. */
export const keptDraft = z.object({
  revision: z.number().int().nonnegative(),
  text: messageText,
  attachments: messageAttachments,
});

/** One page; made anew when it is loaded again. */
const writer = z.string().min(1).max(100);
/** The newest revision that a page has seen, whose own changes since count as seen. */
export const seenDraft = z.object({ revision: z.number().int().nonnegative(), writer });
