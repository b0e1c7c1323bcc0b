// A file that is there whole or not at all: it is written beside its place under another name, and takes its place in one
// step at the end. What was there before stays until then.
//
// Race: this process dies in the middle. Where it writes is on record before the file is made, and what is on record is
// deleted at the next start.

import { randomUUID } from "node:crypto";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  unlink,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { Fault } from "../../fault";
import type { Log } from "../../log";

const recordSchema = z.object({ temporary: z.string().regex(/\.holdfast-[0-9a-f-]{36}\.part$/) });

export class WholeFile {
  readonly #handle: FileHandle;
  readonly #temporary: string;
  readonly #record: string;
  readonly #path: string;
  bytes = 0;

  private constructor(handle: FileHandle, temporary: string, record: string, path: string) {
    this.#handle = handle;
    this.#temporary = temporary;
    this.#record = record;
    this.#path = path;
  }

  /** `records`: the folder for what is on record. Rejects with the Fault that says why nothing can be written there. */
  static async begin(path: string, records: string): Promise<WholeFile> {
    const id = randomUUID();
    const record = join(records, `${id}.json`);
    try {
      const target = await targetOf(path);
      const before = await stat(target).catch(() => null);
      if (before && !before.isFile()) throw notAFile(path, before.isDirectory());
      // Not after its own name, which may be as long as names can be.
      const temporary = join(dirname(target), `.holdfast-${id}.part`);
      await keepRecord(record, JSON.stringify({ temporary }));
      const handle = await open(temporary, "wx", before ? 0o600 : 0o644);
      // Whoever may read what was there may read what replaces it, and nobody else.
      if (before) await handle.chmod(before.mode & 0o777).catch(() => undefined);
      return new WholeFile(handle, temporary, record, target);
    } catch (error) {
      // Where there is no folder for records there is none to remove.
      await rm(record, { force: true }).catch(() => undefined);
      throw notWritten(path, error);
    }
  }

  /** Rejects with a Fault; then nothing is left but to `drop` it. */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text, "utf8");
    try {
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await this.#handle.write(bytes, at);
        at += bytesWritten;
      }
    } catch (error) {
      throw notWritten(this.#path, error);
    }
    this.bytes += bytes.length;
  }

  /** It takes its place. Rejects with a Fault; then nothing is left but to `drop` it. */
  async finish(): Promise<void> {
    try {
      await this.#handle.sync();
      await this.#handle.close();
      await rename(this.#temporary, this.#path);
    } catch (error) {
      throw notWritten(this.#path, error);
    }
    await rm(this.#record, { force: true });
  }

  /** Nothing of it is left. What was at its place stays. */
  async drop(): Promise<void> {
    // It may be closed already.
    await this.#handle.close().catch(() => undefined);
    await unlink(this.#temporary).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
    await rm(this.#record, { force: true });
  }
}

/** Deletes what an earlier process was writing when it died. Never rejects. */
export async function dropLeftFiles(records: string, log: Log): Promise<void> {
  const names = await readdir(records).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(".json"))) {
    const record = join(records, name);
    try {
      const { temporary } = recordSchema.parse(JSON.parse(await readFile(record, "utf8")));
      await rm(temporary, { force: true });
      await rm(record, { force: true });
      log.info("a file that was half written was deleted", { temporary });
    } catch (error) {
      log.warn("a file that was half written could not be deleted", { record, error: String(error) });
    }
  }
}

/** A link stays one: what it leads to is replaced, or made where it leads to nothing yet. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const link = codeOf(error) === "ENOENT" ? await readlink(path).catch(() => null) : null;
    if (link === null) return path;
    const folder = await realpath(dirname(resolve(dirname(path), link)));
    return join(folder, basename(link));
  }
}

/** In Holdfast's own folder, which may be on another disk than the file that is asked for. */
async function keepRecord(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const handle = await open(path, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new Fault("not_recorded", "Nothing can be written in the folder of Holdfast's own data.", {
      hint: "Make room on its disk, or make it writable, then try again. Nothing was left behind.",
      detail: error instanceof Error ? error.message : String(error),
      path: dirname(path),
      cause: error,
      retryable: true,
    });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}

function notAFile(path: string, isFolder: boolean): Fault {
  return new Fault("not_writable", `${path} is ${isFolder ? "a folder" : "no file that can be replaced"}.`, {
    hint: "Choose another name.",
  });
}

export function notWritten(path: string, error: unknown): Fault {
  if (error instanceof Fault) return error;
  const options = {
    detail: error instanceof Error ? error.message : String(error),
    cause: error,
    retryable: true,
  };
  const folder = dirname(path);
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return new Fault("disk_full", `There is no room left for ${basename(path)}.`, {
        ...options,
        hint: "Free some, or choose a place on another disk. Nothing was left behind.",
      });
    case "EFBIG":
      return new Fault("too_large_for_disk", `${basename(path)} is larger than a file on this disk may be.`, {
        ...options,
        retryable: false,
        hint: "Choose a place on another disk. Nothing was left behind.",
      });
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new Fault("not_writable", `Nothing can be written in ${folder}.`, {
        ...options,
        hint: "Choose another folder, or change its permissions.",
      });
    case "ENOENT":
    case "ENOTDIR":
      return new Fault("folder_missing", `The folder ${folder} is not there.`, {
        ...options,
        hint: "Choose another one.",
      });
    case "EISDIR":
    case "EEXIST":
    case "ENOTEMPTY":
      return notAFile(path, true);
    case "ENAMETOOLONG":
      return new Fault("not_writable", "That name is too long for this disk.", {
        ...options,
        hint: "Choose a shorter one.",
      });
    default:
      return new Fault("not_written", `${basename(path)} could not be written.`, {
        ...options,
        hint: "Try again, or choose another place.",
      });
  }
}
