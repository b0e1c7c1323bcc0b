// Throws away what is not staged, and can bring it back. Nothing is deleted: each file is moved into a store within git's own
// folder of the repository, as it is at that moment, and only then git writes what is staged in its place.
//
// Races, and what settles each:
// - Holdfast dies in between: what is moved where is in the ledger before the first file is moved, so that it is among what
//   can be brought back. The next start does that (cutOffDiscards.ts).
// - Somebody writes a file anew in its place, at any moment: it is left alone, and what was there before stays in the store.
// - A file is changed after it was discarded: bringing back is refused, for all files of that step, before the first is moved.
//   One that is what is staged again (a branch was checked out and left) has no changes to lose.
// - It is brought back in two windows at once: one git job at a time for each working tree, and the second finds no record.

import { chmod, lstat, mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ChangedFile, Discard } from "../../../preload/contract/changes";
import { Fault } from "../../fault";
import type { DiscardedFile, DiscardRecord, DiscardsLedger } from "../../ledger/discardsLedger";
import { atOnce } from "./atOnce";
import { bringBack } from "./bringingBack";
import { changedMeanwhile } from "./changedMeanwhile";
import { readRegular } from "./counts";
import { pathList } from "./fields";
import { identityOf, moveAway, notMoved, putInto } from "./moving";
import { checkPath, Places, placeOf } from "./path";
import { type ChangesRepository, filesLimitMs, largeFileBytes } from "./repository";
import { splice } from "./splice";
import { type ChosenPart, nothingChosen, seenDiff } from "./staging";
import { readStatus } from "./status";

/** How long what was discarded can be brought back. */
const keptForMs = 30 * 24 * 60 * 60_000;
const shownPaths = 20;
/** More are looked for among all changes. */
const mostNamed = 200;
const mostFiles = 200_000;

interface Planned extends DiscardedFile {
  place: string;
  file: ChangedFile;
}

export class Discards {
  readonly #ledger: DiscardsLedger;

  constructor(ledger: DiscardsLedger) {
    this.#ledger = ledger;
  }

  list(root: string): Discard[] {
    return this.#ledger.ofRoot(root).map(({ discardId, atMs, entries, isPart }) => ({
      discardId,
      atMs,
      paths: entries.slice(0, shownPaths).map(({ path }) => path),
      files: entries.length,
      part: isPart,
    }));
  }

  /** "begun": Holdfast has died in the middle of it. */
  stateOf(discardId: string): "none" | "begun" | "done" {
    const record = this.#ledger.get(discardId);
    if (record === null) return "none";
    return record.entries.some(({ left }) => left === null) ? "begun" : "done";
  }

  /** Whole files. `subject`: the workspace, and the name under which they can be brought back. */
  async files(
    repository: ChangesRepository,
    subject: { workspaceId: string; discardId: string },
    paths: readonly string[],
  ): Promise<void> {
    const planned = await plan(repository, [...new Set(paths)]);
    const record = await this.#begin(repository, subject, planned, false);
    const moved: Planned[] = [];
    try {
      await atOnce(planned, async (each) => {
        if (each.kept === null) return;
        await moveAway(each.place, join(record.store, each.kept));
        moved.push(each);
      });
      await restore(repository, planned);
    } catch (error) {
      await this.#takeBack(record, moved);
      throw error;
    }
    await this.#done(record, planned);
  }

  /** Parts of one file. */
  async part(
    repository: ChangesRepository,
    subject: { workspaceId: string; discardId: string },
    part: ChosenPart,
  ): Promise<void> {
    const { path } = part;
    const place = await placeOf(repository.root, path);
    const diff = await seenDiff(repository, part, {
      path,
      oldPath: null,
      comparison: { with: "unstaged" },
    });
    const identity = await identityOf(place);
    const text = diff.newMode === null ? Buffer.alloc(0) : await readRegular(place, largeFileBytes);
    if (text === null || (await identityOf(place)) !== identity) throw changedMeanwhile();
    const spliced = splice(text, diff.hunks, part.parts, "backward");
    if (spliced.outcome === "nothing") throw nothingChosen();
    if (spliced.outcome === "misfit") throw changedMeanwhile();
    // Nothing of it is left, or all of it is back: then it is about the whole file.
    if (diff.oldMode === null && spliced.text.length === 0) return this.files(repository, subject, [path]);
    const isThere = identity !== "nothing";
    const planned = { path, kept: isThere ? "0" : null, left: null, place };
    const record = await this.#begin(repository, subject, [planned], true);
    const made = join(record.store, "new");
    try {
      await writeFile(made, spliced.text, { flag: "wx" });
      await chmod(made, isThere ? (await lstat(place)).mode & 0o7777 : modeOf(diff.oldMode));
      if (isThere) await moveAway(place, join(record.store, "0"), identity);
    } catch (error) {
      await rm(made, { force: true });
      await this.#takeBack(record, []);
      throw notMoved(place, error);
    }
    try {
      await mkdir(dirname(place), { recursive: true });
      await putInto(made, place);
    } catch (error) {
      await rm(made, { force: true });
      await this.#takeBack(record, isThere ? [planned] : []);
      throw notMoved(place, error);
    }
    await this.#done(record, [planned]);
  }

  /** Throws Fault `changed_meanwhile` before anything is moved when a file is not as discarding has left it. */
  async undo(repository: ChangesRepository, discardId: string): Promise<void> {
    const record = this.#ledger.get(discardId);
    if (record === null || record.root !== repository.root) {
      throw new Fault("discard_unknown", "That has been brought back already, or is not kept any more.");
    }
    await bringBack(repository, record);
    // In this order: what is cut off in between is begun anew, and nothing is left behind.
    await rm(record.store, { recursive: true, force: true });
    this.#ledger.forget(discardId);
  }

  async #begin(
    repository: ChangesRepository,
    { workspaceId, discardId }: { workspaceId: string; discardId: string },
    entries: readonly DiscardedFile[],
    isPart: boolean,
  ): Promise<DiscardRecord> {
    await this.#prune(repository.clock.nowMs());
    const store = join(repository.common, "holdfast", "discarded", discardId);
    const { root } = repository;
    const plain = entries.map(({ path, kept, left }) => ({ path, kept, left }));
    this.#ledger.add({ discardId, workspaceId, root, store, isPart, entries: plain });
    try {
      await mkdir(store, { recursive: true, mode: 0o700 });
    } catch (error) {
      this.#ledger.forget(discardId);
      throw new Fault("not_kept", "What would be discarded could not be kept, so nothing was discarded.", {
        detail: String(error),
        path: repository.common,
        retryable: true,
      });
    }
    return { discardId, workspaceId, root, store, isPart, entries: plain, atMs: repository.clock.nowMs() };
  }

  async #done(record: DiscardRecord, planned: readonly (DiscardedFile & { place: string })[]): Promise<void> {
    const entries = await atOnce(planned, async ({ path, kept, place }) => ({
      path,
      kept,
      left: await identityOf(place),
    }));
    this.#ledger.setEntries(record.discardId, entries);
  }

  /** It did not go through: what was moved goes back to where nothing is. What cannot stays kept, and on record. */
  async #takeBack(
    record: DiscardRecord,
    moved: readonly { place: string; kept: string | null }[],
  ): Promise<void> {
    let isAllBack = true;
    await atOnce(moved, async ({ place, kept }) => {
      if (kept === null) return;
      await putInto(join(record.store, kept), place).catch(() => {
        isAllBack = false;
      });
    });
    if (!isAllBack) return;
    // Fails when something is still in it.
    await rmdir(record.store).then(
      () => this.#ledger.forget(record.discardId),
      () => {},
    );
  }

  /** What was kept for long enough, also of working trees that are gone. */
  async #prune(nowMs: number): Promise<void> {
    for (const { discardId, store } of this.#ledger.before(nowMs - keptForMs)) {
      await rm(store, { recursive: true, force: true });
      this.#ledger.forget(discardId);
    }
  }
}

async function plan(repository: ChangesRepository, paths: readonly string[]): Promise<Planned[]> {
  for (const path of paths) {
    if (path.endsWith("/")) throw isOther(path);
    checkPath(path);
  }
  const { files } = await readStatus(repository, mostFiles, paths.length > mostNamed ? [] : paths);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const places = new Places(repository.root);
  return atOnce(paths, async (path, index) => {
    const file = byPath.get(path);
    if (file?.conflict) {
      throw new Fault("has_conflicts", `${path} has conflicts, so it cannot be discarded.`, {
        hint: "Solve them in the file, or give up the merge in a terminal.",
      });
    }
    if (!file?.unstaged || !file.exactName) throw changedMeanwhile();
    if (file.submodule || file.repository) throw isOther(path);
    const place = await places.of(path);
    const found = await lstat(place).catch(() => null);
    // One in which nothing is, git would not even name.
    if (found?.isDirectory() && !(await isGone(place))) {
      throw new Fault("folder_in_the_way", `${path} is a folder now, so the file cannot come back.`, {
        hint: "Move the folder away, or stage the change.",
        path: place,
      });
    }
    return {
      path,
      kept: found === null || found.isDirectory() ? null : String(index),
      left: null,
      place,
      file,
    };
  });
}

/** Takes an empty folder away. */
async function isGone(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}

/** What is staged is written where nothing is any more. */
async function restore(repository: ChangesRepository, planned: readonly Planned[]): Promise<void> {
  // git only knew that these will be there.
  const announced = planned.filter(({ file }) => file.unstaged?.kind === "added");
  if (announced.length > 0) {
    await repository.change(["update-index", "--force-remove", "-z", "--stdin"], "forget the files", {
      input: pathList(announced.map(({ path }) => path)),
    });
  }
  const known = planned.filter(({ file }) => !["added", "untracked"].includes(file.unstaged?.kind ?? ""));
  if (known.length === 0) return;
  await repository.change(["checkout-index", "-z", "--stdin"], "write what is staged", {
    input: pathList(known.map(({ path }) => path)),
    limitMs: filesLimitMs,
  });
}

function modeOf(mode: string | null): number {
  return mode === "100755" ? 0o755 : 0o644;
}

function isOther(path: string): Fault {
  return new Fault("other_repository", `${path} is a repository of its own, so it is left alone here.`, {
    hint: "Open it as a workspace to change what is in it.",
  });
}
