// What is staged, kept as it is and put back exactly: not only its contents, but also what is skipped in a sparse checkout, what
// is only announced, and what is said to be unchanged, none of which a tree could say.
//
// Races, and what settles each:
// - Somebody's git works on the index when it is put back: it is put back under git's own lock, waiting a little for it.
// - Holdfast dies in between: what is staged by then stays; the copy is replaced by the next one.

import { constants } from "node:fs";
import { copyFile, mkdir, open, rename, rm, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../fault";
import { type ChangesRepository, lockedFault, lockTryEveryMs, lockWaitMs } from "./repository";

interface Copy {
  file: string;
  /** When it was last written, rounded down. */
  seconds: number;
}

export class KeptIndex {
  readonly #repository: ChangesRepository;
  /** null: there was no index. */
  readonly #copy: Copy | null;

  private constructor(repository: ChangesRepository, copy: Copy | null) {
    this.#repository = repository;
    this.#copy = copy;
  }

  /** Throws Fault `not_kept`. */
  static async of(repository: ChangesRepository): Promise<KeptIndex> {
    const folder = join(repository.gitFolder, "holdfast");
    const index = join(repository.gitFolder, "index");
    const file = join(folder, "index-before-commit");
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const seconds = Math.floor((await stat(index)).mtimeMs / 1000);
      await copyFile(index, file, constants.COPYFILE_FICLONE);
      return new KeptIndex(repository, { file, seconds });
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
        await copyFile(this.#copy.file, lock, constants.COPYFILE_FICLONE);
        // git takes a file for unchanged that is no younger than the index, unless it looks into it: so the index must not be
        // younger than it was. A moment older only makes git look into more.
        await utimes(lock, this.#copy.seconds, this.#copy.seconds);
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
    if (this.#copy !== null) await rm(this.#copy.file, { force: true });
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
