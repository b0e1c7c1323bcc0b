// One thread as a window shows it: a head, its turns, its items; and the numbered changes that keep a copy true.

import { z } from "zod";
import { runRefSchema } from "./cells";
import { reviewCommentSchema } from "./comments";
import { threadEnvironmentSchema } from "./environments";
import { faultSchema } from "./fault";
import { attachmentSchema, itemSchema, planStepSchema } from "./items";
import { requestSchema } from "./requests";

/** The words for a thread's state. One home (main/threads); sidebar, composer and tray all read it. */
export const threadStateSchema = z.enum([
  "running",
  "waiting for approval",
  "waiting for answer",
  "idle",
  "not loaded",
  "interrupted",
  "failed",
]);
export type ThreadState = z.infer<typeof threadStateSchema>;

/** What the person chose for a thread, or what codex reports. null: codex's own default. */
export const threadSettingsSchema = z.object({
  model: z.string().nullable(),
  effort: z.string().nullable(),
  sandbox: z.enum(["read-only", "workspace-write", "danger-full-access"]).nullable(),
  approvalPolicy: z.enum(["untrusted", "on-request", "never"]).nullable(),
  /** `plan`: codex looks and proposes, and changes nothing. Left out: codex's own default, which is to do the work. */
  mode: z.enum(["plan", "code"]).optional(),
});
export type ThreadSettings = z.infer<typeof threadSettingsSchema>;

export const turnSchema = z.object({
  id: z.string(),
  status: z.enum(["running", "completed", "interrupted", "failed"]),
  startedAtMs: z.number().nullable(),
  completedAtMs: z.number().nullable(),
  durationMs: z.number().nullable(),
  /** Why it failed or was interrupted, in words. */
  fault: faultSchema.nullable(),
});
export type TurnView = z.infer<typeof turnSchema>;

/** The turn that is going on, from the moment that the message left until codex says that it has ended. */
export const runSchema = z.object({
  /** null until codex has named the turn. */
  turnId: z.string().nullable(),
  startedAtMs: z.number(),
  /** Stop was pressed; it is sent as soon as it can be. */
  stopping: z.boolean(),
  /** "Reconnecting 2/5": a failure that codex retries by itself. */
  retrying: z.string().nullable(),
  /** What it waits for, in words: an approval, an MCP server starting. */
  waitingFor: z.array(z.string()),
});
export type RunView = z.infer<typeof runSchema>;

export const tokenUsageSchema = z.object({
  /** Tokens of the last request: this is what fills the context. */
  lastTokens: z.number(),
  /** Tokens of the whole thread: spend, never a fill level. */
  totalTokens: z.number(),
  contextWindow: z.number().nullable(),
});
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

/** One thing the person sent whose `userMessage` has not been seen yet. */
export const submissionSchema = z.object({
  clientId: z.string(),
  text: z.string(),
  attachments: z.array(attachmentSchema),
  mode: z.enum(["turn", "steer", "queue"]),
  state: z.enum(["sending", "sent", "undelivered"]),
  createdAtMs: z.number(),
  fault: faultSchema.nullable(),
  /** The run of a script that has sent it. */
  byRun: runRefSchema.optional(),
});
export type SubmissionView = z.infer<typeof submissionSchema>;

/**
 * One message that waits for its thread's turn to end: in codex's own queue, or in the ledger where this version of codex
 * has none. Its client id is the submission's; another client of codex may have queued it too.
 */
export const followUpSchema = z.object({
  clientId: z.string(),
  text: z.string(),
  attachments: z.array(attachmentSchema),
  /** `sending`: on its way into the queue. `changing`: an edit, a move or the like of it is not confirmed yet. */
  state: z.enum(["sending", "queued", "changing"]),
  /** The run of a script that has queued it. */
  byRun: runRefSchema.optional(),
});
export type FollowUpView = z.infer<typeof followUpSchema>;

export const followUpsSchema = z.object({
  /** In the order in which they are sent. */
  entries: z.array(followUpSchema),
  /**
   * Why none is sent by itself until the person says go: the turn was stopped, or failed. `waiting`: nothing runs, and yet
   * codex takes none up. null: the next one goes when the turn ends.
   */
  held: z.enum(["stopped", "failed", "waiting"]).nullable(),
  /** Who keeps them. codex sends its own also while Holdfast is closed. */
  keeper: z.enum(["codex", "holdfast"]),
});
export type FollowUpsView = z.infer<typeof followUpsSchema>;

export const mcpServerSchema = z.object({
  name: z.string(),
  state: z.enum(["starting", "ready", "failed", "cancelled", "needs login"]),
  error: z.string().nullable(),
});
export type McpServerView = z.infer<typeof mcpServerSchema>;

/** A command that an agent has left running after the end of its turn. */
export const leftRunningSchema = z.object({
  /** codex's own id of the item; the one that the conversation has is `key`, where that part of it is loaded. */
  itemId: z.string(),
  key: z.string().nullable(),
  command: z.string(),
  /** What it is stopped by; null: codex has not said that (yet). */
  processId: z.string().nullable(),
  stopping: z.boolean(),
});
export type LeftRunningView = z.infer<typeof leftRunningSchema>;

export const threadHeadSchema = z.object({
  /** What the window subscribed with: a thread id, or a provisional key until codex has made the thread. */
  key: z.string(),
  threadId: z.string().nullable(),
  workspaceId: z.string(),
  title: z.string(),
  state: threadStateSchema,
  residency: z.enum(["stored", "loading", "loaded", "unloading"]),
  archived: z.boolean(),
  demo: z.boolean(),
  /** Why the thread cannot be used as usual (folder gone, open elsewhere, cannot be loaded); its text stays readable. */
  fault: faultSchema.nullable(),
  run: runSchema.nullable(),
  /** Why its last turn was cut off before its end; null: it was not. */
  cutOff: z.string().nullable(),
  plan: z.object({ explanation: z.string().nullable(), steps: z.array(planStepSchema) }).nullable(),
  usage: tokenUsageSchema.nullable(),
  changed: z.object({ files: z.number(), added: z.number(), removed: z.number() }).nullable(),
  requests: z.array(requestSchema),
  /** On their way, or undelivered. What waits in a queue is in `followUps`. */
  submissions: z.array(submissionSchema),
  followUps: followUpsSchema,
  /** On lines of a change, not sent yet; in the order of the files. */
  comments: z.array(reviewCommentSchema),
  mcpServers: z.array(mcpServerSchema),
  /** The newest last. */
  leftRunning: z.array(leftRunningSchema),
  settings: threadSettingsSchema,
  /** Where its commands run; null: on this machine. */
  environment: threadEnvironmentSchema.nullable(),
  /** True when there are turns before the first one held here. */
  hasOlder: z.boolean(),
  loadingOlder: z.boolean(),
  /** The run of a script that has started it. */
  startedByRun: runRefSchema.optional(),
});
export type ThreadHead = z.infer<typeof threadHeadSchema>;

export const threadSnapshotSchema = z.object({
  head: threadHeadSchema,
  turns: z.array(turnSchema),
  /** In conversation order. */
  items: z.array(itemSchema),
});
export type ThreadSnapshot = z.infer<typeof threadSnapshotSchema>;

export const threadChangeSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("head"), value: threadHeadSchema.partial() }),
  /** Replaces turns by id, or adds them after the last one. */
  z.object({ type: z.literal("turns"), turns: z.array(turnSchema) }),
  /** Replaces items by id in place, or adds them at the end. */
  z.object({ type: z.literal("items"), items: z.array(itemSchema) }),
  z.object({ type: z.literal("removeItems"), ids: z.array(z.string()) }),
  /** Adds text to the end of one field of one item; bounded fields are trimmed by `appendBounded` on both sides. */
  z.object({
    type: z.literal("append"),
    itemId: z.string(),
    field: z.enum(["text", "summary", "content", "output"]),
    text: z.string(),
    /** Of a bounded field: how much went before `text` that no window would hold any more, and is not told. */
    skippedUnits: z.number().int().positive().optional(),
  }),
  /** Replaces all turns and items: after a reconnect, when codex's record and what was seen live have been merged. */
  z.object({ type: z.literal("reset"), turns: z.array(turnSchema), items: z.array(itemSchema) }),
  /** Puts turns and items before all others. */
  z.object({ type: z.literal("older"), turns: z.array(turnSchema), items: z.array(itemSchema) }),
]);
export type ThreadChange = z.infer<typeof threadChangeSchema>;

/** One hit of a search over threads. */
export const threadHitSchema = z.object({
  threadId: z.string(),
  workspaceId: z.string().nullable(),
  title: z.string(),
  snippet: z.string(),
  cwd: z.string(),
  updatedAtMs: z.number(),
  archived: z.boolean(),
});
export type ThreadHit = z.infer<typeof threadHitSchema>;

/** What codex reviews. */
export const reviewTargetSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("uncommittedChanges") }),
  z.object({ type: z.literal("baseBranch"), branch: z.string().min(1).max(500) }),
  z.object({
    type: z.literal("commit"),
    sha: z.string().regex(/^[0-9a-f]{4,64}$/),
    title: z.string().nullable(),
  }),
  z.object({ type: z.literal("custom"), instructions: z.string().min(1).max(100_000) }),
]);
export type ReviewTarget = z.infer<typeof reviewTargetSchema>;
