// The paths that a window names: always of something in the repository, never of git's own files.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../fault";

/** Throws Fault `path_outside`. */
export function checkPath(path: string): void {
  const parts = path.split("/");
  const isInside = parts.every((part) => part !== "" && part !== "." && part !== ".." && !isGitFolder(part));
  if (isInside && !path.includes("\0")) return;
  throw new Fault("path_outside", `${JSON.stringify(path)} names no file of this repository.`);
}

/** As git itself would refuse it, on systems too that tell no capitals or that shorten names. */
function isGitFolder(part: string): boolean {
  return /^(\.git|git~1)[ .]*(:.*)?$/i.test(part);
}

/**
 * Where a path of the repository is on disk. Throws Fault `path_outside` when a folder on the way there is a link, so that what
 * is done to it would be done elsewhere.
 */
export async function placeOf(root: string, path: string): Promise<string> {
  checkPath(path);
  const parts = path.split("/");
  let place = root;
  for (const part of parts.slice(0, -1)) {
    place = join(place, part);
    const found = await lstat(place).catch(() => null);
    if (found === null) break;
    if (found.isDirectory()) continue;
    throw new Fault("path_outside", `${path} is behind ${place}, which is no folder of this repository.`, {
      hint: "Look at the changes again: a folder has been replaced.",
      path: place,
      retryable: true,
    });
  }
  return join(root, ...parts);
}

/** Where many paths are, with each folder on the way looked at once. */
export class Places {
  readonly #root: string;
  readonly #folders = new Map<string, Promise<unknown>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** As `placeOf`. */
  async of(path: string): Promise<string> {
    checkPath(path);
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const looked = this.#folders.get(folder) ?? placeOf(this.#root, path);
    this.#folders.set(folder, looked);
    await looked;
    return join(this.#root, ...path.split("/"));
  }
}
