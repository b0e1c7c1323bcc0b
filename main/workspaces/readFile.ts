// A text file of a workspace, piece by piece. Only what really lies in the workspace is read: a link that leads out of it is
// told, not followed.
//
// Race: what is at the path is replaced by something else after it was looked at. What was opened is compared with what is
// at the checked path afterwards, and only the same file is read.

import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import type { FileContent } from "../../preload/contract/finding";
import { type Clock, systemClock } from "../clock";
import { Fault } from "../fault";

/** One piece; it ends with a line where a line ends in it. */
export const pieceBytes = 512 * 1024;
const lookedAtBytes = 8 * 1024;
const readMs = 10_000;

/**
 * `path`: from the folder, or whole. Rejects with a Fault: `file_gone`, `file_outside`, `file_unreadable`, `not_a_file`,
 * `file_no_answer`.
 */
export function readWorkspaceFile(
  folder: string,
  path: string,
  fromByte: number,
  clock: Clock = systemClock,
): Promise<FileContent> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(readMs, () =>
      reject(
        new Fault("file_no_answer", `${path} does not answer.`, {
          hint: "If it is on a network drive, check the connection, then try again.",
          retryable: true,
        }),
      ),
    );
    readPiece(folder, path, fromByte)
      .then(resolve, (error: unknown) => reject(inWords(error, path)))
      .finally(() => timer.cancel());
  });
}

/** Those of the paths that are files which really lie in the folder. Never rejects because of one of them. */
export async function presentFiles(folder: string, paths: readonly string[]): Promise<string[]> {
  const root = await realpath(folder);
  const present = await Promise.all(
    paths.map(async (path) => {
      try {
        const real = await realpath(isAbsolute(path) ? path : join(root, path));
        return isInside(root, real) && (await stat(real)).isFile();
      } catch {
        // Whatever keeps it from being looked at keeps it from being opened.
        return false;
      }
    }),
  );
  return paths.filter((_, at) => present[at]);
}

async function readPiece(folder: string, path: string, fromByte: number): Promise<FileContent> {
  const whole = isAbsolute(path) ? path : join(folder, path);
  const root = await realpath(folder);
  const real = await realpath(whole);
  if (!isInside(root, real)) {
    throw new Fault("file_outside", `${path} is not in the workspace.`, {
      hint:
        real === whole
          ? "Only files of the workspace are shown here. Show it in its folder instead."
          : `It leads to ${real}. Only files of the workspace are shown here.`,
      path: real,
    });
  }
  // Opening a pipe must not wait for its other end, and no link is followed that was not there a moment ago.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(real, flags);
  try {
    const facts = await handle.stat();
    const there = await stat(await realpath(real));
    if (there.ino !== facts.ino || there.dev !== facts.dev) throw gone(path);
    if (!facts.isFile()) {
      throw new Fault(
        "not_a_file",
        facts.isDirectory() ? `${path} is a folder.` : `${path} is no file that can be shown.`,
        { hint: facts.isDirectory() ? "Go to a file in it, or show it in the file manager." : undefined },
      );
    }
    const piece = await pieceOf(handle, facts.size, fromByte);
    return {
      path: relative(root, real) || path,
      fullPath: real,
      fromByte,
      bytes: facts.size,
      modifiedAtMs: facts.mtimeMs,
      ...piece,
    };
  } finally {
    await handle.close();
  }
}

async function pieceOf(
  handle: FileHandle,
  size: number,
  fromByte: number,
): Promise<Pick<FileContent, "text" | "nextByte">> {
  if (fromByte === 0 && size > 0) {
    const beginning = await bytesOf(handle, 0, lookedAtBytes);
    if (beginning.includes(0)) return { text: null, nextByte: null };
  }
  const read = await bytesOf(handle, fromByte, pieceBytes);
  const isLast = fromByte + read.length >= size;
  const end = isLast ? read.length : endOfPiece(read);
  const text = textOf(read.subarray(0, end));
  return { text, nextByte: isLast || text === null ? null : fromByte + end };
}

/** Fewer only where the file ends. */
async function bytesOf(handle: FileHandle, from: number, most: number): Promise<Buffer> {
  const buffer = Buffer.alloc(most);
  let length = 0;
  while (length < most) {
    const { bytesRead } = await handle.read(buffer, length, most - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** After the last line end; in a line that is longer than a piece, before the character that it would cut. */
export function endOfPiece(bytes: Uint8Array): number {
  const line = bytes.lastIndexOf(0x0a);
  if (line !== -1) return line + 1;
  let start = bytes.length - 1;
  // At most three bytes of a character follow its first one.
  while (start > 0 && start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const first = bytes[start] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? start : bytes.length;
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // That is how it is told apart from text.
    return null;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !/^\.\.[\\/]/.test(way));
}

function gone(path: string, cause?: unknown): Fault {
  return new Fault("file_gone", `There is no file ${path}.`, {
    hint: "It may have been moved, renamed or deleted since.",
    cause,
  });
}

function inWords(error: unknown, path: string): unknown {
  if (error instanceof Fault) return error;
  const code = error instanceof Error && "code" in error ? error.code : null;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
    case "ELOOP":
    case "ENAMETOOLONG":
      return gone(path, error);
    case "EACCES":
    case "EPERM":
    case "EIO":
    case "EBUSY":
      return new Fault("file_unreadable", `${path} cannot be read.`, {
        hint: "Check its permissions, and whether the system lets Holdfast see it.",
        detail: error instanceof Error ? error.message : undefined,
        retryable: true,
        cause: error,
      });
    default:
      return error;
  }
}
