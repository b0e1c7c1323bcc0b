// Terminals: a command or a shell in a place where commands run, with what it has printed. Main keeps them, so that a
// window that is loaded again finds them as they were.

import { z } from "zod";
import { call, done } from "./call";
import { faultSchema } from "./fault";

const bytesSchema: z.ZodType<Uint8Array, Uint8Array> = z.instanceof(Uint8Array);

export const terminalPlaceSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("environment"), environmentId: z.string().max(200) }),
  /** On this machine, in the folder of a workspace, outside codex's sandbox. */
  z.object({ kind: z.literal("workspace"), workspaceId: z.string().max(200) }),
]);
export type TerminalPlace = z.infer<typeof terminalPlaceSchema>;

const columns = z.number().int().min(2).max(1000);
const rows = z.number().int().min(1).max(1000);
const terminalName = z.string().trim().max(200);

export const terminalRowSchema = z.object({
  terminalId: z.string(),
  place: terminalPlaceSchema,
  /** What was run, as it was typed; null: the shell itself. */
  command: z.string().nullable(),
  /** What the person calls it; null: nothing of their own. */
  name: z.string().nullable(),
  /** What runs in it says that it is; null: it says nothing. */
  title: z.string().nullable(),
  /** Where, in a path of that place's own system. Null: where that place starts, which is not known before it has. */
  cwd: z.string().nullable(),
  state: z.enum(["starting", "running", "ended", "lost", "failed"]),
  /** Of one that still runs: what it has started goes on, or its last output is still to come. */
  exitCode: z.number().nullable(),
  /** It was asked to end. */
  ending: z.boolean(),
  /** Why it was lost or could not be started. */
  fault: faultSchema.nullable(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  columns: z.number().int().positive(),
  rows: z.number().int().positive(),
  /** `terminals.resize` does something: the terminals of an exec-server have one size. */
  resizable: z.boolean(),
});
export type TerminalRow = z.infer<typeof terminalRowSchema>;

/** It has not ended, or what it has started still runs. */
export function isTerminalOpen({ state }: Pick<TerminalRow, "state">): boolean {
  return state === "starting" || state === "running";
}

export function isInEnvironment({ place }: Pick<TerminalRow, "place">, environmentId: string): boolean {
  return place.kind === "environment" && place.environmentId === environmentId;
}

export function isInWorkspace({ place }: Pick<TerminalRow, "place">, workspaceId: string): boolean {
  return place.kind === "workspace" && place.workspaceId === workspaceId;
}

export const terminalSnapshotSchema = z.object({
  /** The end of what it has printed, as bytes: a program may print anything. */
  output: bytesSchema,
  /** How much was printed before that. Places in the output are counted from the very first byte. */
  earlierBytes: z.number().int().nonnegative(),
  /** Before which bytes there was output that nobody has any more. */
  gaps: z.array(z.number().int().nonnegative()),
  /**
   * From which byte on it was how large: programs draw for the size that they know, and what they have drawn is only right
   * at that size. Empty: that is not known.
   */
  sizes: z.array(
    z.object({
      from: z.number().int().nonnegative(),
      columns: z.number().int().positive(),
      rows: z.number().int().positive(),
    }),
  ),
  /**
   * A program may ask its terminal something, and whoever shows it answers: one window, and once. From which byte on that is
   * this window; null: it is another one.
   */
  answersFrom: z.number().int().nonnegative().nullable(),
});
export type TerminalSnapshot = z.infer<typeof terminalSnapshotSchema>;

export const terminalChangeSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output"), bytes: bytesSchema }),
  /** Output that nobody has any more. */
  z.object({ type: z.literal("gap") }),
  /** From here on this window answers what the program asks. */
  z.object({ type: z.literal("answers") }),
  /** More was printed than this window could take: what it has is replaced. */
  z.object({ type: z.literal("restart"), snapshot: terminalSnapshotSchema }),
]);
export type TerminalChange = z.infer<typeof terminalChangeSchema>;

const terminal = z.object({ terminalId: z.string().max(200) });

export const terminalCalls = {
  /** Runs a command line, or without one the shell. Answers when it is listed, before it is started. */
  "terminals.open": call(
    z.object({
      place: terminalPlaceSchema,
      command: z.string().min(1).max(20_000).nullable(),
      /** A full path there; null: where that place starts. */
      cwd: z.string().max(4096).nullable(),
      /** Left out: 80 columns and 24 rows. */
      size: z.object({ columns, rows }).optional(),
    }),
    terminal,
  ),
  /** Sent once, never again by itself: rejects when it is not known whether it arrived. */
  "terminals.write": call(
    terminal.extend({ bytes: bytesSchema.refine(({ length }) => length <= 1024 * 1024) }),
    done,
  ),
  /** For all windows that show it; the last one counts. Rejects where its place cannot do that. */
  "terminals.resize": call(terminal.extend({ columns, rows }), done),
  /** An empty name: what it is called by itself. */
  "terminals.rename": call(terminal.extend({ name: terminalName }), done),
  /** As Ctrl-C does. */
  "terminals.interrupt": call(terminal, done),
  /** Ends it with all that it has started. */
  "terminals.end": call(terminal, done),
  /** Takes it off the list; one that runs is ended first. */
  "terminals.close": call(terminal, done),
} as const;
