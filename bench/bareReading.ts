// Runs bareReader.mjs in a process of its own.

import { join } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import type { BareCodex } from "./bareCodex";

const readingSchema = z.object({
  /** CPU time of the reading process, from the first turn's start to the last one's end. */
  cpuMs: z.number(),
  /** From the first turn's start to the last one's end. */
  tookMs: z.number(),
  /** Pieces of messages, and of commands' output. */
  deltas: z.number(),
  bytes: z.number(),
});
export type BareReading = z.infer<typeof readingSchema>;

/** Begins one turn in each of so many new threads at once, and takes in what codex says until all have ended. */
export async function readBare(
  projectRoot: string,
  codex: BareCodex,
  { threads }: { threads: number },
): Promise<BareReading> {
  const reader = join(projectRoot, "bench", "bareReader.mjs");
  const { stdout } = await execa(process.execPath, [reader, codex.socket, codex.folder, String(threads)], {
    timeout: 300_000,
  });
  return readingSchema.parse(JSON.parse(stdout));
}
