// Moves files so that none is ever lost: away from where they are, and into a place where nothing is.
//
// Races, and what settles each:
// - Somebody writes to the file while it is moved: a move takes the file as it is at that moment, with whatever is written to
//   it later through what was open.
// - Somebody makes a file where one is to be put: nothing is put over another one.

import { constants } from "node:fs";
import {
  chmod,
  copyFile,
  link,
  lstat,
  open,
  readlink,
  rename,
  symlink,
  unlink,
  utimes,
} from "node:fs/promises";
import { Fault } from "../../fault";
import { changedMeanwhile } from "./changedMeanwhile";

/** Which file it is, and in which state; "nothing": there is none. */
export async function identityOf(place: string): Promise<string | "nothing"> {
  const found = await lstat(place, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw notMoved(place, error);
  });
  if (found === null) return "nothing";
  return [found.dev, found.ino, found.mode, found.size, found.mtimeNs].join(":");
}

/** `expected`: only if it is this one. Throws Fault; the file is where it was then. */
export async function moveAway(from: string, to: string, expected?: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw changedMeanwhile();
    if (code !== "EXDEV") throw notMoved(from, error);
    const before = await identityOf(from);
    if (expected !== undefined && before !== expected) throw changedMeanwhile();
    await copyTo(from, to).catch((cause: unknown) => {
      throw notMoved(from, cause);
    });
    if ((await identityOf(from)) !== before) {
      await unlink(to);
      throw changedMeanwhile();
    }
    await unlink(from).catch((cause: unknown) => {
      throw notMoved(from, cause);
    });
    return;
  }
  if (expected === undefined || (await identityOf(to)) === expected) return;
  await putInto(to, from);
  throw changedMeanwhile();
}

/** Throws Fault `changed_meanwhile` when there is something already; the file is where it was then. */
export async function putInto(from: string, to: string): Promise<void> {
  try {
    // Fails where there is something, which a rename would replace.
    if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from), to);
    else {
      await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
        // Another drive, or one without links.
        if (error.code === "EEXIST" || error.code === "ENOENT") throw error;
        await copyTo(from, to);
      });
    }
    await unlink(from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw changedMeanwhile();
    throw notMoved(to, error);
  }
}

async function copyTo(from: string, to: string): Promise<void> {
  const found = await lstat(from);
  if (found.isSymbolicLink()) {
    await symlink(await readlink(from), to);
    return;
  }
  if (!found.isFile()) throw notMoved(from, new Error("it is no file"));
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  try {
    await chmod(to, found.mode & 0o7777);
    await utimes(to, found.atime, found.mtime);
    await syncFile(to);
  } catch (error) {
    // It may not be whole on the disk, and is never to be taken for what it was made from.
    await unlink(to).catch(() => {});
    throw error;
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Said of a file that could not be moved, or written to be moved. */
export function notMoved(path: string, cause: unknown): Fault {
  if (cause instanceof Fault) return cause;
  const detail = cause instanceof Error ? cause.message : String(cause);
  if (["ENOSPC", "EDQUOT"].includes((cause as NodeJS.ErrnoException).code ?? "")) {
    return new Fault("disk_full", `There is no room on the disk to move ${path}, so it stays as it is.`, {
      hint: "Make some, where the file is and where its repository is, then try again.",
      path,
      detail,
      cause,
      retryable: true,
    });
  }
  return new Fault("file_not_moved", `${path} could not be moved, so it stays as it is.`, {
    hint: "Close what uses it, and look whether you may write there, then try again.",
    path,
    detail,
    cause,
    retryable: true,
  });
}
