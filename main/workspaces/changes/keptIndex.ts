// What is staged, kept as it is and put back exactly: not only its contents, but also what is skipped in a sparse checkout, what
// is only announced, and what is said to be unchanged, none of which a tree could say.
//
// Races, and what settles each:
// - Somebody's git works on the index when it is put back: it is put back under git's own lock, waiting a little for it.
// - Holdfast dies in between: what is staged by then stays; the copy is replaced by the next one.

import { constants } from "node:fs";
import { copyFile, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../fault";
import { type ChangesRepository, lockedFault, lockTryEveryMs, lockWaitMs } from "./repository";

export class KeptIndex {
  readonly #repository: ChangesRepository;
  /** null: there was no index. */
  readonly #copy: string | null;

  private constructor(repository: ChangesRepository, copy: string | null) {
    this.#repository = repository;
    this.#copy = copy;
  }

  /** Throws Fault `not_kept`. */
  static async of(repository: ChangesRepository): Promise<KeptIndex> {
    const folder = join(repository.gitFolder, "holdfast");
    const copy = join(folder, "index-before-commit");
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await copyFile(join(repository.gitFolder, "index"), copy, constants.COPYFILE_FICLONE);
      return new KeptIndex(repository, copy);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return new KeptIndex(repository, null);
      throw new Fault("not_kept", "What is staged could not be kept, so nothing was done.", {
        detail: String(error),
        path: folder,
        retryable: true,
      });
    }
  }

  /** Throws Fault; what is staged stays as it is then. */
  async putBack(): Promise<void> {
    const index = join(this.#repository.gitFolder, "index");
    const lock = `${index}.lock`;
    await this.#lock(lock);
    try {
      if (this.#copy === null) await rm(index, { force: true });
      else {
        await copyFile(this.#copy, lock, constants.COPYFILE_FICLONE);
        await rename(lock, index);
      }
    } catch (error) {
      throw new Fault("not_put_back", "What was staged before could not be staged again.", {
        hint: "Everything is staged now. Unstage what does not belong there.",
        detail: String(error),
        retryable: true,
      });
    } finally {
      // Gone already where it has become the index.
      await unlink(lock).catch(() => undefined);
    }
  }

  async forget(): Promise<void> {
    if (this.#copy !== null) await rm(this.#copy, { force: true });
  }

  async #lock(lock: string): Promise<void> {
    const { clock, root } = this.#repository;
    const untilMs = clock.nowMs() + lockWaitMs;
    for (;;) {
      try {
        await (await open(lock, "wx")).close();
        return;
      } catch (error) {
        if (codeOf(error) !== "EEXIST" || clock.nowMs() >= untilMs) throw lockedFault(lock, root, error);
      }
      await new Promise<void>((next) => clock.after(lockTryEveryMs, next));
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
