// What is staged, kept as it is and put back exactly: not only its contents, but also what is skipped in a sparse checkout, what
// is only announced, and what is said to be unchanged, none of which a tree could say.
//
// Races, and what settles each:
// - Somebody's git works on the index when it is put back: it is put back under git's own lock, waiting a little for it.
// - Holdfast dies in between: the copy is there at the next start, which puts it back (cutOffJobs.ts). One of a repository that
//   had no index yet is an empty file.
// - It dies while the copy is made: a part of one never has the copy's name.

import { constants } from "node:fs";
import { copyFile, mkdir, open, rename, rm, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../../fault";
import { type ChangesRepository, lockedFault, lockTryEveryMs, lockWaitMs } from "./repository";

interface Copy {
  file: string;
  /** When what it is of was last written, rounded down; null: there was no index. */
  seconds: number | null;
}

export class KeptIndex {
  readonly #repository: ChangesRepository;
  readonly #copy: Copy;

  private constructor(repository: ChangesRepository, copy: Copy) {
    this.#repository = repository;
    this.#copy = copy;
  }

  /** `jobId`: of the commit for which it is kept. Throws Fault `not_kept`. */
  static async of(repository: ChangesRepository, jobId: string): Promise<KeptIndex> {
    const index = join(repository.gitFolder, "index");
    const file = fileOf(repository, jobId);
    const part = `${file}.part`;
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const seconds = await secondsOf(index);
      if (seconds === null) await writeFile(part, "");
      else {
        await copyFile(index, part, constants.COPYFILE_FICLONE);
        await utimes(part, seconds, seconds);
      }
      await rename(part, file);
      return new KeptIndex(repository, { file, seconds });
    } catch (error) {
      await rm(part, { force: true });
      throw new Fault("not_kept", "What is staged could not be kept, so nothing was done.", {
        detail: String(error),
        path: dirname(file),
        retryable: true,
      });
    }
  }

  /** What a commit that was cut off has left; null: it had not come so far. */
  static async left(repository: ChangesRepository, jobId: string): Promise<KeptIndex | null> {
    const file = fileOf(repository, jobId);
    const seconds = await secondsOf(file);
    if (seconds === null) return null;
    const isOfNone = (await stat(file)).size === 0;
    return new KeptIndex(repository, { file, seconds: isOfNone ? null : seconds });
  }

  /** Throws Fault; what is staged stays as it is then. */
  async putBack(): Promise<void> {
    const index = join(this.#repository.gitFolder, "index");
    const lock = `${index}.lock`;
    await this.#lock(lock);
    try {
      const { file, seconds } = this.#copy;
      if (seconds === null) await rm(index, { force: true });
      else {
        await copyFile(file, lock, constants.COPYFILE_FICLONE);
        // git takes a file for unchanged that is no younger than the index, unless it looks into it: so the index must not be
        // younger than it was. A moment older only makes git look into more.
        await utimes(lock, seconds, seconds);
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
    await rm(this.#copy.file, { force: true });
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

function fileOf({ gitFolder }: ChangesRepository, jobId: string): string {
  return join(gitFolder, "holdfast", `index-before-${jobId}`);
}

/** When it was last written; null: it is not there. */
async function secondsOf(file: string): Promise<number | null> {
  try {
    return Math.floor((await stat(file)).mtimeMs / 1000);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
