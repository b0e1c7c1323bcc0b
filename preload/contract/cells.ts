// Scripts that steer agents, and their runs: what a window shows of them and how a copy of one run is kept true.

import { z } from "zod";
import { faultSchema } from "./fault";

/** A run by name: for what a script has done to a thread, which is shown there as done by it. */
export const runRefSchema = z.object({ runId: z.string(), scriptName: z.string() });
export type RunRef = z.infer<typeof runRefSchema>;

/** One script in the list. */
export const scriptRowSchema = z.object({
  scriptId: z.string(),
  name: z.string(),
  /** `shipped`: it came with Holdfast and is never changed; a copy can be. */
  origin: z.enum(["own", "shipped"]),
  /** What it does, in a sentence: the first comment in it. */
  summary: z.string().nullable(),
  updatedAtMs: z.number(),
});
export type ScriptRow = z.infer<typeof scriptRowSchema>;

export const runStateSchema = z.enum([
  "running",
  /** It has asked the person something and waits. */
  "waiting for answer",
  /** The script has come to its end; what it had begun is being ended. */
  "ending",
  "completed",
  "failed",
  "stopped",
  /** Holdfast went away while it ran. What its threads were doing went on. */
  "cut off",
]);
export type RunState = z.infer<typeof runStateSchema>;

/** One run in the list. The newest come first. */
export const runRowSchema = z.object({
  runId: z.string(),
  /** null: its script is none that was saved. */
  scriptId: z.string().nullable(),
  scriptName: z.string(),
  workspaceId: z.string(),
  workspaceName: z.string(),
  state: runStateSchema,
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
});
export type RunRow = z.infer<typeof runRowSchema>;

/** A script asks the person. It waits until it is answered or the run ends. */
export const cellQuestionSchema = z.object({
  questionId: z.string(),
  runId: z.string(),
  scriptName: z.string(),
  workspaceId: z.string(),
  question: z.string(),
  /** Answers to choose from; a text of one's own is an answer too. */
  options: z.array(z.string()),
  askedAtMs: z.number(),
});
export type CellQuestion = z.infer<typeof cellQuestionSchema>;

export const outputItemSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  /** A `data:` address of a picture; nothing has to be loaded from anywhere. */
  z.object({ type: z.literal("image"), dataUrl: z.string() }),
  /** What the person was told, in a notification too. */
  z.object({ type: z.literal("notice"), text: z.string() }),
]);
export type RunOutputItem = z.infer<typeof outputItemSchema>;

/** One thing that a script has asked for. */
export const runCallSchema = z.object({
  /** Counts up from 1 within its run. */
  callId: z.number().int().positive(),
  /** As the script calls it, without `tools.`. */
  tool: z.string(),
  /** What it is about, in a line: the message, the command, the question. */
  summary: z.string(),
  threadId: z.string().nullable(),
  /** `cut off`: the run ended before it was answered. */
  state: z.enum(["pending", "done", "failed", "cut off"]),
  /** Why it failed. */
  error: z.string().nullable(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
});
export type RunCall = z.infer<typeof runCallSchema>;

export const runErrorSchema = z.object({
  text: z.string(),
  /** Where in the script, counted from 1, when that is known. */
  at: z.object({ line: z.number().int(), column: z.number().int() }).nullable(),
  /** It has reached a limit, which the settings can raise. */
  isLimit: z.boolean(),
});
export type RunError = z.infer<typeof runErrorSchema>;

/** One run as its page shows it, beside its output and its calls. */
export const runHeadSchema = runRowSchema.extend({
  /** The script as it was when it was run. */
  source: z.string(),
  /** Why it has failed; of one that is stopped, why, if it was not the person who stopped it. */
  error: runErrorSchema.nullable(),
  /** The threads that it has started, in that order. */
  threads: z.array(z.object({ threadKey: z.string(), title: z.string() })),
  /** Its end could not be brought to an end in order: why, until it has been. */
  cleanup: faultSchema.nullable(),
});
export type RunHead = z.infer<typeof runHeadSchema>;

/** What the cleanup is called that is owed as long as the end of this run is. */
export function cleanupIdOfRun(runId: string): string {
  return `cell ${runId}`;
}

export const runSnapshotSchema = z.object({
  head: runHeadSchema,
  /** The end of the output. */
  output: z.array(outputItemSchema),
  /** How many items there are before it; `cells.earlierOutput` has them. */
  earlierOutput: z.number().int().nonnegative(),
  /** The newest calls, in the order in which they were made. */
  calls: z.array(runCallSchema),
  /** How many were made before those. */
  earlierCalls: z.number().int().nonnegative(),
});
export type RunSnapshot = z.infer<typeof runSnapshotSchema>;

export const runChangeSchema = z.discriminatedUnion("type", [
  /** Each field given replaces that field. */
  z.object({ type: z.literal("head"), value: runHeadSchema.partial() }),
  /** Adds to the end. */
  z.object({ type: z.literal("output"), items: z.array(outputItemSchema) }),
  /** Replaces calls by id in place, or adds them at the end. */
  z.object({ type: z.literal("calls"), calls: z.array(runCallSchema) }),
]);
export type RunChange = z.infer<typeof runChangeSchema>;

/** What one run may use. A limit that is reached ends that run and no other. */
export const cellLimitsSchema = z.object({
  memoryMiB: z.number().int().min(24).max(1024),
  /** How long the script itself may compute; waiting does not count. */
  runTimeSeconds: z.number().min(0.1).max(3600),
  outputMiB: z.number().min(0.1).max(64),
  pendingCalls: z.number().int().min(1).max(1000),
  /** At the same time in one workspace. */
  cells: z.number().int().min(1).max(64),
});
export type CellLimitSettings = z.infer<typeof cellLimitsSchema>;

/** One name that a script finds, for completion in an editor. */
export const scriptNameSchema = z.object({
  /** "tools.startThread", "text", "console.log". */
  name: z.string(),
  /** Its parameters and result, as TypeScript writes them. */
  signature: z.string(),
  description: z.string(),
  /** The fields of its one argument, where it takes an object. */
  fields: z.array(
    z.object({ name: z.string(), type: z.string(), optional: z.boolean(), description: z.string() }),
  ),
  /** The fields of what it gives, where that is an object or a list of such. */
  gives: z.array(z.object({ name: z.string(), type: z.string(), description: z.string() })),
});
export type ScriptName = z.infer<typeof scriptNameSchema>;
