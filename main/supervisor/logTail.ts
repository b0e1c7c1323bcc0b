// The beginning and the end of a handle's log: for learning where codex listens, and for saying why it ended.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const usualBytes = 64 * 1024;

/** Empty when there is no log. At most `maxBytes` from its end. */
export function readLogTail(path: string, maxBytes = usualBytes): string {
  return readPart(path, (size) => {
    const length = Math.min(size, maxBytes);
    return { start: size - length, length };
  });
}

/** Empty when there is no log. At most `maxBytes` from its beginning. */
export function readLogHead(path: string, maxBytes = usualBytes): string {
  return readPart(path, (size) => ({ start: 0, length: Math.min(size, maxBytes) }));
}

function readPart(path: string, which: (sizeBytes: number) => { start: number; length: number }): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // No log has been written: there is nothing to say from it.
    return "";
  }
  try {
    const { start, length } = which(fstatSync(file).size);
    const buffer = Buffer.alloc(length);
    readSync(file, buffer, 0, length, start);
    return buffer.toString("utf8");
  } finally {
    closeSync(file);
  }
}
