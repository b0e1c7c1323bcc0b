// How many lines each changed file has gained and lost. Only for what can be counted in bounded time: a file that is not
// counted says so.

import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import type { ChangedFile, FileChange } from "../../../preload/contract/changes";
import { Fault } from "../../fault";
import { fieldsOf, fileName } from "./fields";
import type { ChangesRepository } from "./repository";

export interface Counted {
  /** null: it is binary. */
  lines: { added: number; removed: number } | null;
}

const countLimitMs = 10_000;
const countBytes = 32 * 1024 * 1024;
const mostUntracked = 500;
const mostUntrackedBytes = 1024 * 1024;
const allUntrackedBytes = 8 * 1024 * 1024;
/** As far as git looks for a NUL byte. */
const lookedAtBytes = 8_000;

/** Of differences that nothing but git makes, and that are the same with every person's settings. */
export const plainDiff = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--ignore-submodules=dirty",
  "--submodule=short",
  "-O/dev/null",
];

/** Fills in the counts of the files that are listed. What takes too long stays uncounted. */
export async function countLines(repository: ChangesRepository, files: ChangedFile[]): Promise<void> {
  if (files.some(({ staged }) => staged !== null)) {
    const counted = await counts(repository, ["--cached", "--find-renames"]);
    for (const file of files) fill(file.staged, counted.get(file.path));
  }
  if (files.some(({ unstaged }) => unstaged !== null && unstaged.kind !== "untracked")) {
    const counted = await counts(repository, ["--no-renames"]);
    for (const file of files) fill(file.unstaged, counted.get(file.path));
  }
  await countUntracked(repository.root, files);
}

export function fill(change: FileChange | null, counted: Counted | undefined): void {
  if (change === null || counted === undefined) return;
  change.binary = counted.lines === null;
  change.added = counted.lines?.added ?? null;
  change.removed = counted.lines?.removed ?? null;
}

async function counts(repository: ChangesRepository, args: string[]): Promise<Map<string, Counted>> {
  try {
    const { output } = await repository.look(
      ["diff", "--numstat", "-z", ...plainDiff, ...args],
      "count lines",
      {
        limitMs: countLimitMs,
        mostBytes: countBytes,
      },
    );
    return readCounts(fieldsOf(output));
  } catch (error) {
    // The list is worth more than its counts.
    if (error instanceof Fault && error.code === "git_no_answer") return new Map();
    throw error;
  }
}

/** "1\t2\tname", or "1\t2\t" with the old and the new name as the next fields. By the new name. */
export function readCounts(fields: Buffer[]): Map<string, Counted> {
  const counted = new Map<string, Counted>();
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] ?? Buffer.alloc(0);
    const first = field.indexOf(0x09);
    const second = field.indexOf(0x09, first + 1);
    if (first < 0 || second < 0) continue;
    const [added, removed] = field.toString("latin1", 0, second).split("\t");
    let name = field.subarray(second + 1);
    if (name.length === 0) {
      index += 2;
      name = fields[index] ?? name;
    }
    const lines = added === "-" ? null : { added: Number(added), removed: Number(removed) };
    counted.set(fileName(name).path, { lines });
  }
  return counted;
}

/** Also their sizes. Links and whatever else is no file have neither. */
export async function countUntracked(root: string, files: readonly ChangedFile[]): Promise<void> {
  let left = allUntrackedBytes;
  let looks = 0;
  for (const { path, unstaged, exactName, repository } of files) {
    if (unstaged?.kind !== "untracked" || !exactName || repository) continue;
    looks += 1;
    if (looks > mostUntracked) return;
    const place = join(root, path);
    const found = await lstat(place).catch(() => null);
    if (!found?.isFile()) continue;
    unstaged.bytes = found.size;
    if (found.size > Math.min(mostUntrackedBytes, left)) continue;
    left -= found.size;
    const bytes = await readRegular(place, mostUntrackedBytes);
    if (bytes === null) continue;
    if (bytes.subarray(0, lookedAtBytes).includes(0)) unstaged.binary = true;
    else Object.assign(unstaged, { added: linesIn(bytes), removed: 0 });
  }
}

/** null: it is gone, no regular file (a link is none), larger than that, or not to be read. */
export async function readRegular(place: string, mostBytes: number): Promise<Buffer | null> {
  // A pipe would wait for a writer.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(place, flags).catch(() => null);
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > mostBytes) return null;
    const bytes = Buffer.alloc(found.size);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  return bytes.length > 0 && bytes[bytes.length - 1] !== 0x0a ? lines + 1 : lines;
}
