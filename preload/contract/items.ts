// What a conversation is made of, as a window sees it. Main translates codex's items into these and bounds their size.

import { z } from "zod";
import { runRefSchema } from "./cells";

/** codex's own four item states, plus `lost`: it was running when its process went away. */
export const itemStatusSchema = z.enum(["running", "completed", "failed", "declined", "lost"]);
export type ItemStatus = z.infer<typeof itemStatusSchema>;

/**
 * Text that may be longer than what a window holds. `text` is the end of it; `droppedUnits` counts what was left out
 * before that and can be loaded with `items.fullText`.
 */
export const boundedTextSchema = z.object({ text: z.string(), droppedUnits: z.number().int().nonnegative() });
export type BoundedText = z.infer<typeof boundedTextSchema>;

/** How many UTF-16 units of one bounded text main and a window keep. */
export const heldTextUnits = 200_000;

/** A part of a text by itself. The engine keeps the whole text in memory for as long as a part that was cut from it. */
export function detached(part: string): string {
  return structuredClone(part);
}

/** The end of `text`, with what was cut off counted. */
export function boundText(text: string, alreadyDropped = 0): BoundedText {
  if (text.length <= heldTextUnits) return { text, droppedUnits: alreadyDropped };
  const dropped = text.length - heldTextUnits;
  return { text: detached(text.slice(dropped)), droppedUnits: alreadyDropped + dropped };
}

/**
 * Adds to a bounded text. It is trimmed only when it grows past twice its bound, and then by whole bounds, so that a
 * flood of small pieces costs time in proportion to its length. Where it is cut depends only on how much there was in
 * all, never on how that came in pieces: main may merge pieces, and both sides still hold the same text.
 *
 * `skippedUnits` went between the two, and whoever joined the pieces has let them go: `text` is then at least twice the
 * bound long.
 */
export function appendBounded(held: BoundedText, text: string, skippedUnits = 0): BoundedText {
  const grownUnits = held.text.length + skippedUnits + text.length;
  if (grownUnits <= 2 * heldTextUnits) return { text: held.text + text, droppedUnits: held.droppedUnits };
  const totalUnits = held.droppedUnits + grownUnits;
  const droppedUnits = heldTextUnits * (Math.ceil(totalUnits / heldTextUnits) - 2);
  const keptUnits = totalUnits - droppedUnits;
  // Of a flood nothing of what was there stays, so it need not be joined first.
  const end = text.length >= keptUnits ? text : held.text + text;
  return { text: end.slice(end.length - keptUnits), droppedUnits };
}

/** The most places of one text that are marked. Further ones take the room of the earliest. */
export const mostGaps = 100;

/**
 * Where text is missing because nobody listened when codex said it: offsets in UTF-16 units, each once and in order. At the
 * end of the text it means that what comes next, if anything does, does not follow on. What comes is added after it, so
 * adding to a text moves none of them. The item's end brings the whole text, and no gap.
 */
const gapsSchema = z.array(z.number().int().nonnegative()).max(mostGaps);

/** The gaps of a bounded text as offsets into the part of it that is held. */
export function heldGaps({ droppedUnits }: BoundedText, gaps: readonly number[]): number[] {
  if (droppedUnits === 0) return [...gaps];
  return gaps.flatMap((gap) => (gap > droppedUnits ? gap - droppedUnits : []));
}

export const attachmentSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image"), path: z.string(), name: z.string(), bytes: z.number().nonnegative() }),
  z.object({ kind: z.literal("mention"), path: z.string(), name: z.string() }),
]);
export type Attachment = z.infer<typeof attachmentSchema>;

export const fileChangeSchema = z.object({
  path: z.string(),
  change: z.enum(["add", "delete", "update"]),
  movedTo: z.string().nullable(),
  /** A unified diff; for an added or deleted file it may be the bare content, as codex sends it. */
  diff: boundedTextSchema,
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

export const planStepSchema = z.object({
  step: z.string(),
  status: z.enum(["pending", "inProgress", "completed"]),
});
export type PlanStep = z.infer<typeof planStepSchema>;

const base = {
  id: z.string(),
  turnId: z.string(),
  status: itemStatusSchema,
  startedAtMs: z.number().nullable(),
  completedAtMs: z.number().nullable(),
};

export const itemSchema = z.discriminatedUnion("kind", [
  z.object({
    ...base,
    kind: z.literal("user"),
    /** The client id of the submission that this is, when Holdfast sent it. */
    clientId: z.string().nullable(),
    /** The run of a script that has sent it; left out when a person has. */
    byRun: runRefSchema.optional(),
    text: z.string(),
    attachments: z.array(attachmentSchema),
  }),
  z.object({
    ...base,
    kind: z.literal("agent"),
    text: z.string(),
    /** codex marks remarks on the way apart from the answer. */
    phase: z.enum(["commentary", "answer"]).nullable(),
    gaps: gapsSchema,
  }),
  z.object({
    ...base,
    kind: z.literal("reasoning"),
    summary: z.string(),
    summaryGaps: gapsSchema,
    content: z.string(),
    contentGaps: gapsSchema,
  }),
  z.object({
    ...base,
    kind: z.literal("command"),
    command: z.string(),
    cwd: z.string(),
    /** What codex thinks the command does, in a few words; null when it is just a command. */
    purpose: z.string().nullable(),
    output: boundedTextSchema,
    /**
     * Counted from the beginning of all output, `output.droppedUnits` included: trimming moves none of them. One that is
     * not after what was trimmed away has gone with it.
     */
    gaps: gapsSchema,
    exitCode: z.number().nullable(),
    durationMs: z.number().nullable(),
    /** False for commands that the person ran. */
    byAgent: z.boolean(),
    /** The person has had it ended after its turn. Left out: not so, or nobody remembers. */
    stopped: z.boolean().optional(),
    /** It went on after its turn. Left out as above. */
    leftRunning: z.boolean().optional(),
  }),
  z.object({ ...base, kind: z.literal("fileChange"), changes: z.array(fileChangeSchema) }),
  z.object({ ...base, kind: z.literal("plan"), text: z.string(), gaps: gapsSchema }),
  z.object({
    ...base,
    kind: z.literal("toolCall"),
    /** The MCP server or the namespace of the tool; null for tools of codex itself. */
    server: z.string().nullable(),
    tool: z.string(),
    argumentsText: boundedTextSchema,
    resultText: boundedTextSchema,
    error: z.string().nullable(),
    progress: z.string().nullable(),
    durationMs: z.number().nullable(),
  }),
  z.object({
    ...base,
    kind: z.literal("webSearch"),
    query: z.string(),
    action: z.string().nullable(),
    url: z.string().nullable(),
  }),
  z.object({
    ...base,
    kind: z.literal("image"),
    path: z.string().nullable(),
    caption: z.string().nullable(),
  }),
  z.object({
    ...base,
    kind: z.literal("subAgent"),
    activity: z.string(),
    /** What was done with the agents, where this version knows it. */
    step: z.enum([
      "started",
      "messaged",
      "followUp",
      "waited",
      "interrupted",
      "resumed",
      "closed",
      "finished",
      "other",
    ]),
    agentThreadIds: z.array(z.string()),
    agentName: z.string().nullable(),
    prompt: z.string().nullable(),
    states: z.array(z.object({ agent: z.string(), state: z.string(), message: z.string().nullable() })),
  }),
  z.object({ ...base, kind: z.literal("review"), phase: z.enum(["entered", "exited"]), text: z.string() }),
  z.object({ ...base, kind: z.literal("compaction") }),
  z.object({ ...base, kind: z.literal("sleep"), durationMs: z.number() }),
  z.object({ ...base, kind: z.literal("hook"), text: z.string() }),
  /** Something Holdfast itself has to say at this place of the conversation. */
  z.object({
    ...base,
    kind: z.literal("notice"),
    tone: z.enum(["info", "warning", "error"]),
    text: z.string(),
    detail: z.string().nullable(),
  }),
  /** An item of a type that this version does not know: shown with its own name and its content. */
  z.object({ ...base, kind: z.literal("unknown"), type: z.string(), json: boundedTextSchema }),
]);
export type Item = z.infer<typeof itemSchema>;
export type ItemKind = Item["kind"];

const kindNames: Record<ItemKind, string> = {
  user: "You",
  agent: "Agent",
  reasoning: "Reasoning",
  command: "Command",
  fileChange: "File change",
  plan: "Plan",
  toolCall: "Tool call",
  webSearch: "Web search",
  image: "Image",
  subAgent: "Sub-agent",
  review: "Review",
  compaction: "Compaction",
  sleep: "Wait",
  hook: "Hook",
  notice: "Notice",
  unknown: "Unknown item",
};

/** What an item is called: its accessible name in a window, and what a script reads. */
export function itemName(item: Item): string {
  // What a script has sent is not said to be the person's.
  return item.kind === "user" && item.byRun ? "Script" : kindNames[item.kind];
}
