// Where Holdfast's worktrees are: HOLDFAST_HOME/worktrees/<repository>-<short id>/<name>, in folders that only the person
// can open. Nothing in here follows a link.
//
// Race: a folder is replaced by another one, or by a link, between a look and what is done to it. The folders above it are
// Holdfast's own, which nobody else can write to; and a folder is known by its identity on disk, not only by its path.

import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, realpath, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { asFault, Fault } from "../../fault";
import { folderFrom } from "./names";

export type FolderFound =
  | { kind: "folder"; identity: string; isEmpty: boolean }
  | { kind: "nothing" }
  /** A link, a file, or a folder whose real path is another one. */
  | { kind: "something else" };

export class WorktreePlaces {
  readonly #root: string;

  /** `home`: the folder of Holdfast's own data, by its real path. */
  constructor(home: string) {
    this.#root = join(home, "worktrees");
  }

  /** Makes the folder that the worktrees of a repository are in. Throws Fault `worktree_place`. */
  async prepare(repository: { common: string; name: string }): Promise<string> {
    const id = createHash("sha256").update(repository.common).digest("hex").slice(0, 8);
    const folder = join(this.#root, `${folderFrom(repository.name)}-${id}`);
    for (const each of [this.#root, folder]) {
      await mkdir(each, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw placeFault(each, asFault(error).message);
      });
      if ((await this.look(each)).kind !== "folder") throw placeFault(each, "It is a link or a file.");
    }
    return folder;
  }

  /** A path at which a worktree can be, as `prepare` gives it: two folders below the root, written plainly. */
  isWithin(path: string): boolean {
    const parts = relative(this.#root, path).split(sep);
    return (
      join(this.#root, ...parts) === path &&
      parts.length === 2 &&
      parts.every((part) => part !== "" && part !== "." && part !== "..")
    );
  }

  async look(path: string): Promise<FolderFound> {
    try {
      const found = await lstat(path, { bigint: true });
      if (!found.isDirectory() || (await realpath(path)) !== path) return { kind: "something else" };
      const identity = `${found.dev}:${found.ino}`;
      return { kind: "folder", identity, isEmpty: (await readdir(path)).length === 0 };
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "nothing" };
      throw new Fault("worktree_unreadable", `The folder ${path} cannot be looked at.`, {
        cause: error,
        detail: asFault(error).message,
        retryable: true,
      });
    }
  }

  /** What git has left of a worktree that it has deleted. Only the very folder that was looked at; links are not followed. */
  async deleteRest(path: string, identity: string): Promise<void> {
    if (!this.isWithin(path)) throw new Error(`not a place of a worktree: ${path}`);
    const found = await this.look(path);
    if (found.kind !== "folder" || found.identity !== identity) return;
    await rm(path, { recursive: true, force: true, maxRetries: 2 }).catch((error: unknown) => {
      throw new Fault("worktree_rest", `A part of the folder ${basename(path)} could not be deleted.`, {
        hint: "Something may still be writing in it. End it, then try again.",
        path,
        cause: error,
        detail: asFault(error).message,
        retryable: true,
      });
    });
  }

  /** False: there is something in it. */
  async deleteEmpty(path: string): Promise<boolean> {
    if (!this.isWithin(path)) return false;
    return rmdir(path).then(
      () => true,
      () => false,
    );
  }

  /** The folder of a repository, when it has no worktree any more. */
  async leave(path: string): Promise<void> {
    if (!this.isWithin(path)) return;
    // Another worktree is in it, or it has gone already.
    await rmdir(dirname(path)).catch(() => undefined);
  }
}

function placeFault(folder: string, detail: string): Fault {
  return new Fault("worktree_place", `Holdfast cannot keep worktrees in ${folder}.`, {
    hint: "It has to be a folder that you may write to, and no link.",
    detail,
    path: folder,
  });
}
