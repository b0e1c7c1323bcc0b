// The end of a handle's log, for saying why codex ended.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Empty when there is no log. At most `maxBytes` from its end. */
export function readLogTail(path: string, maxBytes = 64 * 1024): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // No log has been written: there is nothing to say from it.
    return "";
  }
  try {
    const size = fstatSync(file).size;
    const length = Math.min(size, maxBytes);
    const buffer = Buffer.alloc(length);
    readSync(file, buffer, 0, length, size - length);
    return buffer.toString("utf8");
  } finally {
    closeSync(file);
  }
}
