// Comments on lines of a change that have not been sent yet. Main keeps them for each thread; they are in the thread's head.

import { z } from "zod";
import { call, done } from "./call";

/** How many of one thread are kept. */
export const mostComments = 200;
const longestText = 20_000;
/** Of the lines that a comment is about. */
export const longestQuote = 20_000;

export const lineRangeSchema = z.object({
  /** As it stands in the list of changes: below the repository's folder. */
  path: z.string().min(1).max(4096),
  /** Whether the lines are of the file as it is now, or as it was before. */
  side: z.enum(["new", "old"]),
  firstLine: z.number().int().positive(),
  lastLine: z.number().int().positive(),
  /** Those lines as they were when the comment was made. */
  quote: z.string().max(longestQuote),
});
export type LineRange = z.infer<typeof lineRangeSchema>;

export const reviewCommentSchema = lineRangeSchema.extend({
  commentId: z.string(),
  text: z.string(),
  /** Counts its changes. */
  revision: z.number().int().positive(),
});
export type ReviewComment = z.infer<typeof reviewCommentSchema>;

const threadKey = z.object({ threadKey: z.string().max(200) });
const commentId = z.uuid();

export const commentCalls = {
  /**
   * Makes a comment (`seenRevision` 0), or changes its text unless another window has done so since: then nothing is done,
   * and the answer has what there is; null: it has been deleted or sent.
   */
  "comments.put": call(
    threadKey.extend({
      commentId,
      place: lineRangeSchema,
      text: z.string().max(longestText),
      seenRevision: z.number().int().nonnegative(),
    }),
    z.discriminatedUnion("outcome", [
      z.object({ outcome: z.literal("kept"), revision: z.number().int().positive() }),
      z.object({ outcome: z.literal("behind"), comment: reviewCommentSchema.nullable() }),
    ]),
  ),
  "comments.delete": call(threadKey.extend({ commentId }), done),
  /**
   * Sends these as one message and takes them off the list in the same step. The same `clientId` again is the same message.
   * `behind`: one of them has been changed, deleted or sent elsewhere; nothing was done.
   */
  "comments.send": call(
    threadKey.extend({
      clientId: z.uuid(),
      mode: z.enum(["turn", "steer", "queue"]),
      comments: z
        .array(z.object({ commentId, revision: z.number().int().positive() }))
        .min(1)
        .max(mostComments),
    }),
    z.object({ outcome: z.enum(["sent", "behind"]) }),
  ),
} as const;
