// Copies files that git ignores, such as `.env`, from the folder that a worktree was made from into the worktree.
//
// Nothing is overwritten, nothing outside of the two folders is read or written, whatever links lie on the way, and only what
// git ignores there is copied: everything else is in the worktree already.
//
// Races, and what settles each:
// - It is to be stopped in the middle of a large folder: the file that is being copied is finished, nothing is begun after it,
//   and what was copied goes again.
// - It is stopped, fails, or Holdfast dies in the middle of it: half of a copy would be taken for all of it by the next run,
//   and by the script. So it is made beside the worktree, and moved into it when it is whole.

import { cp, lstat, mkdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, sep } from "node:path";
import { asFault, Fault } from "../../../fault";

export type CopyOutcome = "copied" | "not there" | "there already" | "not ignored" | "outside" | "stopped";

/** As it is written down; throws Fault `setup_copy` for a name that leaves the repository. */
export function checkCopyName(name: string): string {
  const plain = normalize(name.trim().replaceAll("\\", "/")).replace(/\/+$/, "");
  const parts = plain.split("/");
  if (
    plain === "" ||
    plain === "." ||
    isAbsolute(plain) ||
    /^[a-z]:/i.test(plain) ||
    parts.includes("..") ||
    parts.includes(".git")
  ) {
    throw new Fault("setup_copy", `“${name}” cannot be copied into worktrees.`, {
      hint: "Write the path of a file or folder within the repository, such as .env or config/local.json.",
    });
  }
  return plain;
}

export async function copyIgnored(
  name: string,
  folders: { from: string; to: string },
  isIgnored: (path: string) => Promise<boolean>,
  signal: AbortSignal,
): Promise<CopyOutcome> {
  const path = checkCopyName(name);
  const source = join(folders.from, path);
  const target = join(folders.to, path);
  if (!(await isThere(source))) return "not there";
  if (await isThere(target)) return "there already";
  if (!(await isIgnored(path))) return "not ignored";
  if (!(await isWithin(dirname(source), folders.from))) return "outside";
  // The deepest folder that is there already: a link among them could lead elsewhere.
  let above = dirname(target);
  while (!(await isThere(above))) above = dirname(above);
  if (!(await isWithin(above, folders.to))) return "outside";
  try {
    await dropPart(folders.to);
    const part = join(partOf(folders.to), "copy");
    await mkdir(dirname(part));
    await cp(source, part, {
      recursive: true,
      // A link is copied as the link that it is.
      dereference: false,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      // Asked before each file and folder.
      filter: () => !signal.aborted,
    });
    if (signal.aborted) return "stopped";
    await mkdir(dirname(target), { recursive: true });
    if (await isThere(target)) return "there already";
    await rename(part, target);
    return "copied";
  } catch (error) {
    throw new Fault("setup_copy_failed", `${path} could not be copied into the worktree.`, {
      hint: "Copy it yourself, or take it off the list of the worktree set-up.",
      detail: asFault(error).message,
      path: source,
      cause: error,
    });
  } finally {
    // What is left of it is deleted before the next one.
    await dropPart(folders.to).catch(() => undefined);
  }
}

/** Deletes what a copy that was cut off has left. */
export async function dropPart(worktree: string): Promise<void> {
  await rm(partOf(worktree), { recursive: true, force: true, maxRetries: 2 });
}

/** On the same disk as the worktree, and no name of another one: that of a branch does not begin with a dot. */
function partOf(worktree: string): string {
  return join(dirname(worktree), `.${basename(worktree)}.copying`);
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function isWithin(path: string, folder: string): Promise<boolean> {
  const real = await realpath(path);
  const root = await realpath(folder);
  return real === root || real.startsWith(root + sep);
}

export const copyWords: Record<CopyOutcome, string> = {
  copied: "copied",
  "not there": "not there, so not copied",
  "there already": "there already, so not copied",
  "not ignored": "git does not ignore it, so not copied",
  stopped: "stopped, so not copied",
  outside: "leads out of the repository, so not copied",
};
