// The end of a log, for a person who wants to see what happened.

import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { Fault } from "../fault";
import { openRegularFile } from "./regularFile";

export const tailBytes = 64 * 1024;

/**
 * The last whole lines of a log, at most 64 KiB. `path` must be inside `logs`, also after links have been followed. A log
 * that is not there yet is an empty one.
 */
export async function tailLog(path: string, logs: string): Promise<string> {
  try {
    const [real, folder] = await Promise.all([realpath(path), realpath(logs)]);
    if (!real.startsWith(folder + sep)) {
      throw new Fault("not_a_log", "This file is not one of Holdfast's logs.", { detail: path });
    }
    return await readTail(real);
  } catch (error) {
    if (error instanceof Fault) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new Fault("log_unreadable", "The log cannot be read.", {
      detail: error instanceof Error ? error.message : String(error),
      retryable: true,
      cause: error,
    });
  }
}

async function readTail(path: string): Promise<string> {
  const { handle, bytes } = await openRegularFile(path);
  try {
    const from = Math.max(0, bytes - tailBytes);
    const buffer = Buffer.alloc(bytes - from);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    const tail = buffer.subarray(0, bytesRead);
    if (from === 0) return tail.toString("utf8");
    // The first line is cut off somewhere, perhaps within a character.
    const lineEnd = tail.indexOf(0x0a);
    return tail.subarray(lineEnd + 1).toString("utf8");
  } finally {
    await handle.close();
  }
}
