// What a window asks to find something: threads by what was said in them, all of codex's threads, files of a workspace; and
// to take a thread away as a file.

import { z } from "zod";
import { call, done, nothing } from "./call";
import { faultSchema } from "./fault";
import { threadHitSchema } from "./thread";

const threadKey = z.object({ threadKey: z.string().max(200) });
const exportId = z.object({ exportId: z.string().max(200) });
/** codex's own, from the page before. */
const cursor = z.string().max(8192).nullable();

/** A thread of codex's list, whatever folder it is of. */
export const knownThreadSchema = z.object({
  threadId: z.string(),
  /** null: its folder is no workspace. */
  workspaceId: z.string().nullable(),
  title: z.string(),
  cwd: z.string(),
  updatedAtMs: z.number(),
  archived: z.boolean(),
});
export type KnownThread = z.infer<typeof knownThreadSchema>;

export const fileContentSchema = z.object({
  /** From the workspace's folder, and whole. */
  path: z.string(),
  fullPath: z.string(),
  /** null: it is no text, or not in UTF-8. */
  text: z.string().nullable(),
  fromByte: z.number().int().nonnegative(),
  /** Where the next piece begins; null: this is the last one. */
  nextByte: z.number().int().nonnegative().nullable(),
  bytes: z.number().int().nonnegative(),
  modifiedAtMs: z.number(),
});
export type FileContent = z.infer<typeof fileContentSchema>;

export const exportFormatSchema = z.enum(["markdown", "json"]);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

export const exportViewSchema = z.object({
  /** Grows with each change. */
  revision: z.number().int().nonnegative(),
  state: z.enum(["running", "done", "failed", "cancelled"]),
  title: z.string(),
  path: z.string(),
  turns: z.number().int().nonnegative(),
  items: z.number().int().nonnegative(),
  bytes: z.number().nonnegative(),
  fault: faultSchema.nullable(),
});
export type ExportView = z.infer<typeof exportViewSchema>;

export const findingCalls = {
  /** codex's own search over all threads, in titles and in what was said; a page of it. */
  "threads.search": call(
    z.object({ query: z.string().max(500), archived: z.boolean().optional(), cursor: cursor.optional() }),
    z.object({ hits: z.array(threadHitSchema), nextCursor: cursor }),
  ),
  /** A page of codex's own list of all threads, of every folder. */
  "threads.listAll": call(
    z.object({ archived: z.boolean(), cursor }),
    z.object({ threads: z.array(knownThreadSchema), nextCursor: cursor }),
  ),
  /** Somebody comes to a window: threads that other programs have made meanwhile are looked for, every few seconds at most. */
  "threads.lookAgain": call(nothing, done),
  /** A thread that a search has found gets its place in the list of its workspace. */
  "threads.meet": call(
    z.object({ workspaceId: z.string().max(200), threadId: z.string().max(200), archived: z.boolean() }),
    done,
  ),
  /** A piece of a text file of the workspace, links on the way followed as long as they stay in it. */
  "files.read": call(
    z.object({
      workspaceId: z.string().max(200),
      path: z.string().min(1).max(4096),
      fromByte: z.number().int().nonnegative(),
    }),
    fileContentSchema,
  ),
  /** Which of these are files of the workspace: paths from its folder, or whole. */
  "files.present": call(
    z.object({
      workspaceId: z.string().max(200),
      paths: z.array(z.string().min(1).max(4096)).max(200),
    }),
    z.object({ present: z.array(z.string()) }),
  ),
  /** Asks where to, through the platform's dialog, and begins. null: the person changed their mind. */
  "exports.start": call(
    threadKey.extend({ format: exportFormatSchema }),
    z.object({ exportId: z.string().nullable() }),
  ),
  /** Waits for a revision after `seen`; after a while the answer is what there is. */
  "exports.next": call(exportId.extend({ seen: z.number().int() }), exportViewSchema),
  /** What was written is deleted; a file that was there before stays as it is. */
  "exports.cancel": call(exportId, done),
  /** Puts the whole thread into the clipboard, as Markdown. */
  "exports.copy": call(threadKey, z.object({ units: z.number().int() })),
} as const;
