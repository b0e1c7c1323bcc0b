// What codex waits for a person to decide. Main owns these; a button is bound to the request that it was drawn for.

import { z } from "zod";

/**
 * One decision that codex offers for one request. `id` is only meaningful together with its request. `label` and
 * `explanation` are words for the person; a persistent rule shows its exact scope in `scope`.
 */
export const decisionSchema = z.object({
  id: z.string(),
  label: z.string(),
  explanation: z.string().nullable(),
  scope: z.string().nullable(),
  tone: z.enum(["accept", "neutral", "decline"]),
});
export type Decision = z.infer<typeof decisionSchema>;

export const questionSchema = z.object({
  id: z.string(),
  header: z.string(),
  question: z.string(),
  /** True: the answer is a secret and must not be shown while it is typed. */
  secret: z.boolean(),
  /** True: a text of the person's own is an answer too. */
  allowsText: z.boolean(),
  required: z.boolean(),
  kind: z.enum(["choice", "choices", "text", "number", "boolean"]),
  options: z.array(z.object({ value: z.string(), label: z.string(), description: z.string().nullable() })),
});
export type Question = z.infer<typeof questionSchema>;

const base = {
  /** Unique for the life of the app; never codex's bare id, which is only unique on its connection. */
  key: z.string(),
  threadId: z.string(),
  /** The child agent that asks, by name; null: the thread itself. */
  agentName: z.string().nullable(),
  turnId: z.string().nullable(),
  itemId: z.string().nullable(),
  askedAtMs: z.number(),
  /** Set once an answer is on its way; the card is then inert until codex confirms. */
  answering: z.boolean(),
};

export const requestSchema = z.discriminatedUnion("kind", [
  z.object({
    ...base,
    kind: z.literal("command"),
    command: z.string(),
    cwd: z.string().nullable(),
    reason: z.string().nullable(),
    /** For a network request: the host that the command wants to reach. */
    network: z.string().nullable(),
    decisions: z.array(decisionSchema),
  }),
  z.object({
    ...base,
    kind: z.literal("fileChange"),
    reason: z.string().nullable(),
    grantRoot: z.string().nullable(),
    files: z.array(z.string()),
    decisions: z.array(decisionSchema),
  }),
  z.object({
    ...base,
    kind: z.literal("permissions"),
    reason: z.string().nullable(),
    cwd: z.string(),
    permissions: z.array(z.string()),
    decisions: z.array(decisionSchema),
  }),
  z.object({
    ...base,
    kind: z.literal("questions"),
    title: z.string(),
    questions: z.array(questionSchema),
    decisions: z.array(decisionSchema),
  }),
  z.object({
    ...base,
    kind: z.literal("link"),
    server: z.string(),
    message: z.string(),
    url: z.string(),
    decisions: z.array(decisionSchema),
  }),
]);
export type Request = z.infer<typeof requestSchema>;

/** An answer: the chosen decision, and for questions what was filled in (by question id). */
export const answerSchema = z.object({
  requestKey: z.string(),
  decisionId: z.string(),
  answers: z.record(z.string(), z.array(z.string())).optional(),
});
export type Answer = z.infer<typeof answerSchema>;
