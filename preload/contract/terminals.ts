// Terminals: a command or a shell in a place where commands run, with what it has printed. Main keeps them, so that a
// window that is loaded again finds them as they were.

import { z } from "zod";
import { call, done } from "./call";
import { faultSchema } from "./fault";

const bytesSchema: z.ZodType<Uint8Array, Uint8Array> = z.instanceof(Uint8Array);

export const terminalPlaceSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("environment"), environmentId: z.string().max(200) }),
]);
export type TerminalPlace = z.infer<typeof terminalPlaceSchema>;

export const terminalRowSchema = z.object({
  terminalId: z.string(),
  place: terminalPlaceSchema,
  /** What was run, as it was typed; null: the shell itself. */
  command: z.string().nullable(),
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
});
export type TerminalRow = z.infer<typeof terminalRowSchema>;

export const terminalSnapshotSchema = z.object({
  /** The end of what it has printed, as bytes: a program may print anything. */
  output: bytesSchema,
  /** How much was printed before that. Places in the output are counted from the very first byte. */
  earlierBytes: z.number().int().nonnegative(),
  /** Before which bytes there was output that nobody has any more. */
  gaps: z.array(z.number().int().nonnegative()),
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
    }),
    terminal,
  ),
  /** Sent once, never again by itself: rejects when it is not known whether it arrived. */
  "terminals.write": call(
    terminal.extend({ bytes: bytesSchema.refine(({ length }) => length <= 1024 * 1024) }),
    done,
  ),
  /** As Ctrl-C does. */
  "terminals.interrupt": call(terminal, done),
  /** Ends it with all that it has started. */
  "terminals.end": call(terminal, done),
  /** Takes it off the list; one that runs is ended first. */
  "terminals.close": call(terminal, done),
} as const;
