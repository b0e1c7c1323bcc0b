import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isAbsolute } from "node:path";

/**
 * Opens a file for reading if it is a regular one. Opening a pipe or a device could wait for ever or do something, so
 * what it is gets asked of the open file, and opening itself never waits. The caller closes the handle.
 */
export async function openRegularFile(
  path: string,
): Promise<{ handle: FileHandle; bytes: number; modifiedMs: number }> {
  if (!isAbsolute(path)) throw new Error("it has no full path");
  // Not on Windows, where there is no such flag and no such danger.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error("it is no file");
    return { handle, bytes: stats.size, modifiedMs: stats.mtimeMs };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
