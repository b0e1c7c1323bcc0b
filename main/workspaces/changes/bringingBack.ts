// Brings back what was discarded: first every file is looked at, then all of them are moved.
//
// Races, and what settles each:
// - Holdfast dies in between, at any moment: what was moved is not in the store any more, what was half moved (linked, or copied
//   in part) is known again by its content, and what was not moved is as it was. So it is begun anew, and goes on.
// - A file is written between the two: it is moved away only if it still is the one that was looked at, and nothing is put over
//   another one.

import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, readlink, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../../fault";
import type { DiscardedFile, DiscardRecord } from "../../ledger/discardsLedger";
import { atOnce } from "./atOnce";
import { Fields } from "./fields";
import { identityOf, moveAway, notMoved, putInto } from "./moving";
import { Places } from "./path";
import { type ChangesRepository, filesLimitMs, largeFileBytes } from "./repository";

/** Fewer are named to git; of more, all that is in the index is read. */
const mostNamed = 200;
const pieceBytes = 64 * 1024;

interface Step {
  entry: DiscardedFile;
  place: string;
  kept: string | null;
  /** What is there now. */
  now: string;
}

/** Throws Fault `changed_meanwhile` before anything is moved when a file is not as discarding has left it. */
export async function bringBack(repository: ChangesRepository, record: DiscardRecord): Promise<void> {
  const steps = await look(repository, record);
  const folders = new Map<string, Promise<unknown>>();
  const folderOf = (place: string) => {
    const folder = dirname(place);
    const made = folders.get(folder) ?? mkdir(folder, { recursive: true });
    folders.set(folder, made);
    return made;
  };
  await atOnce(steps, async ({ entry, place, kept, now }) => {
    const replaced = join(record.store, `${entry.kept ?? "made"}-${randomUUID()}`);
    if (now !== "nothing") await moveAway(place, replaced, now);
    if (kept !== null) {
      try {
        await folderOf(place);
        await putInto(kept, place);
      } catch (error) {
        if (now !== "nothing") await putInto(replaced, place).catch(() => {});
        throw notMoved(place, error);
      }
    }
    // As git has written it, or as this file has: a copy of what is in the index, or of what was just brought back.
    if (now !== "nothing") await unlink(replaced);
  });
}

/** What is left to be done. */
async function look(repository: ChangesRepository, record: DiscardRecord): Promise<Step[]> {
  const places = new Places(repository.root);
  const looked = await atOnce(record.entries, async (entry) => {
    const place = await places.of(entry.path);
    const kept = entry.kept === null ? null : join(record.store, entry.kept);
    // It was brought back when this was cut off.
    if (kept !== null && (await identityOf(kept)) === "nothing") return null;
    const now = await identityOf(place);
    const isAsLeft =
      now === "nothing" || now === entry.left || (kept !== null && (await hasNothingElse(place, kept)));
    return { entry, place, kept, now, isAsLeft };
  });
  const steps = looked.filter((each) => each !== null);
  const unsure = steps.filter(({ isAsLeft }) => !isAsLeft);
  const clean = await cleanOnes(repository, unsure);
  const changed = unsure.find(({ place }) => !clean.has(place));
  if (changed) throw changedSince(changed.entry.path, changed.place);
  return steps;
}

/** Each byte of it is in what is kept, at the same place: this was cut off when it was put there. */
async function hasNothingElse(place: string, kept: string): Promise<boolean> {
  const [there, whole] = await Promise.all([lstat(place), lstat(kept)]);
  if (there.isSymbolicLink()) {
    return whole.isSymbolicLink() && (await readlink(place)) === (await readlink(kept));
  }
  if (!there.isFile() || !whole.isFile() || there.size > whole.size) return false;
  if (there.ino === whole.ino && there.dev === whole.dev) return true;
  // An empty file is one that somebody may have made, unless it is all.
  if (there.size === 0) return whole.size === 0;
  const [left, right] = [await open(place, "r"), await open(kept, "r")];
  try {
    const [mine, its] = [Buffer.alloc(pieceBytes), Buffer.alloc(pieceBytes)];
    for (let at = 0; at < there.size; at += pieceBytes) {
      const length = Math.min(pieceBytes, there.size - at);
      const reads = await Promise.all([left.read(mine, 0, length, at), right.read(its, 0, length, at)]);
      if (reads.some(({ bytesRead }) => bytesRead !== length)) return false;
      if (mine.compare(its, 0, length, 0, length) !== 0) return false;
    }
    return true;
  } finally {
    await left.close();
    await right.close();
  }
}

/**
 * The places of those that are what is staged, so that nothing is lost when they go. By their content: what `git status` passes
 * over (ignored files, and those that are said to be unchanged) is not clean for that.
 */
async function cleanOnes(
  repository: ChangesRepository,
  steps: readonly { entry: DiscardedFile; place: string }[],
): Promise<Set<string>> {
  if (steps.length === 0) return new Set();
  const staged = await stagedNames(
    repository,
    steps.map(({ entry }) => entry.path),
  );
  const sizes = await atOnce(steps, async ({ place }) => lstat(place).catch(() => null));
  const candidates = steps.flatMap(({ entry, place }, at) => {
    const [found, name] = [sizes[at], staged.get(entry.path)];
    return found?.isFile() && found.size <= largeFileBytes && name !== undefined
      ? [{ path: entry.path, place, name }]
      : [];
  });
  if (candidates.length === 0) return new Set();
  const { output } = await repository.look(["hash-object", "--stdin-paths"], "look at the files", {
    input: Buffer.from(candidates.map(({ path }) => `${quoted(path)}\n`).join("")),
    limitMs: filesLimitMs,
    mostBytes: Number.POSITIVE_INFINITY,
  });
  const names = output.toString("latin1").split("\n");
  return new Set(candidates.flatMap(({ place, name }, at) => (names[at] === name ? [place] : [])));
}

/** By path, the name (hash) of what is staged, of files alone. */
async function stagedNames(
  repository: ChangesRepository,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const wanted = new Set(paths);
  const names = new Map<string, string>();
  // "100644 sha stage\tname"
  const fields = new Fields((field) => {
    const [, name, path] = /^100\d+ ([0-9a-f]+) 0\t(.*)$/s.exec(field.toString("utf8")) ?? [];
    if (name !== undefined && path !== undefined && wanted.has(path)) names.set(path, name);
  });
  const named = paths.length > mostNamed ? [] : paths;
  await repository.look(["ls-files", "-z", "--stage", "--", ...named], "look for the files", {
    limitMs: filesLimitMs,
    take: (chunk) => {
      fields.add(chunk);
      return true;
    },
  });
  return names;
}

/** As git reads a name on a line of its own. */
function quoted(path: string): string {
  const escaped = path.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
  return `"${escaped}"`;
}

function changedSince(path: string, place: string): Fault {
  return new Fault("changed_meanwhile", `${path} has been changed since it was discarded.`, {
    hint: "Move that file away, or discard its changes too, then bring back what was there.",
    path: place,
    retryable: true,
  });
}
