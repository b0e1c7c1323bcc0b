// Removes a worktree that Holdfast has made, and nothing else (faults of this kind: the main checkout was deleted; work was
// lost; a half-deleted folder could never be got rid of).
//
// A folder is deleted only if all of this holds: it is on record as made by Holdfast; its real path is the recorded one, in
// our place; git lists it, not as the main worktree, and it is not locked; git finds the worktree of that very repository in
// it; no other repository is within; and what is in it is committed, or is to be discarded and has been kept in a snapshot.
// Then "deleting" is written down with the identity of the folder, and git deletes it. Its branch always stays.
//
// Of record, git's list and folder each may be there or not:
// - no record: it is not ours, nothing is touched.
// - neither listed nor a folder: the record goes. Listed without a folder: git's entry goes, then the record.
// - A folder that is not listed: an empty one goes; any other stays, the record goes, and the person is told.
// What was cut off while it was deleted goes on from whatever is left: the folder with that identity, and git's entry.
//
// Races, and what settles each:
// - Work arrives between the look and the deletion: without `discard` git looks once more itself and refuses.
// - Somebody writes in the folder while it is deleted: what is left is deleted with the next attempt.
// - Holdfast dies: before "deleting" nothing was done but a snapshot. After it, files may be missing: they are put back, and
//   it is looked at as at first, since somebody may have worked in it meanwhile.

import { basename, sep } from "node:path";
import { asFault, Fault } from "../../fault";
import type { WorktreeRecord, WorktreesLedger } from "../../ledger/worktreesLedger";
import { type Contents, countOfWork, lookInto, recognise } from "./contents";
import type { FolderFound, WorktreePlaces } from "./places";
import { filesLimitMs, type ListedWorktree, type Repository } from "./repository";
import { keepContents } from "./snapshot";

export interface RemovedWorktree {
  /** It stays. */
  branch: string;
  /** Where what was in it is kept; null: nothing had to be. */
  snapshot: string | null;
  /** git did not list its folder, so that stays too. */
  folderKept: string | null;
}

export type RemovalOutcome =
  | { kind: "removed"; removed: RemovedWorktree }
  /** It is as it was. */
  | { kind: "refused"; fault: Fault }
  /** Parts of it may be missing: the rest is still to be deleted. */
  | { kind: "failed"; fault: Fault };

export interface RemovingOptions {
  ledger: WorktreesLedger;
  places: WorktreePlaces;
  nowMs(): number;
}

type Recorded = Exclude<WorktreeRecord, { state: "making" }>;

interface Seen {
  folder: FolderFound;
  listed: ListedWorktree | null;
}

/** Deletes it, as far as that may be done. The record is still there afterwards. Never rejects. */
export async function removeWorktree(
  repository: Repository,
  record: Recorded,
  discard: boolean,
  options: RemovingOptions,
): Promise<RemovalOutcome> {
  const removed: RemovedWorktree = { branch: record.branch, snapshot: null, folderKept: null };
  const { path } = record;
  try {
    const seen = await look(repository, record, options.places);
    const { folder, listed } = seen;
    if (folder.kind === "folder" && listed) {
      const left = await prepare(repository, record, folder.identity, discard, removed, options);
      return await remove(repository, path, folder.identity, left, removed, options);
    }
    if (folder.kind === "folder") {
      if (folder.identity === record.folderIdentity) {
        return await deleteRest(path, folder.identity, removed, options);
      }
      if (!folder.isEmpty || !(await options.places.deleteEmpty(path))) removed.folderKept = path;
    } else if (listed) {
      // git refuses by itself if a folder has come meanwhile.
      await repository.remove(path, false);
    }
    return { kind: "removed", removed };
  } catch (error) {
    const fault = asFault(error);
    if (record.state === "deleting" && fault.retryable) return { kind: "failed", fault };
    options.ledger.kept(path);
    return { kind: "refused", fault };
  }
}

/** Throws the Fault for which it must not be touched. */
async function look(repository: Repository, { path }: Recorded, places: WorktreePlaces): Promise<Seen> {
  if (!places.isWithin(path)) throw outsideFault(path);
  const all = (await repository.worktrees()) ?? [];
  const listed = all.find((each) => each.path === path) ?? null;
  if (listed?.isMain) throw outsideFault(path);
  if (listed !== null && listed.locked !== null) {
    throw new Fault("worktree_locked", "This worktree is locked.", {
      hint: "Somebody has locked it with `git worktree lock`. Unlock it first with `git worktree unlock`.",
      detail: listed.locked,
      path,
    });
  }
  const within = [repository.common, ...all.map((each) => each.path)].filter((each) =>
    each.startsWith(path + sep),
  );
  if (within.length > 0) throw repositoriesFault(within);
  const folder = await places.look(path);
  if (folder.kind === "something else") {
    throw new Fault("worktree_replaced", `There is a link or a file where the worktree was: ${path}.`, {
      hint: "Holdfast does not follow it and does not delete it. Take it away yourself, then try again.",
      path,
    });
  }
  return { folder, listed };
}

/** Everything in it is safe afterwards, and "deleting" is written down. Returns whether git has to be forced. */
async function prepare(
  repository: Repository,
  record: Recorded,
  identity: string,
  discard: boolean,
  removed: RemovedWorktree,
  { ledger, nowMs }: RemovingOptions,
): Promise<"clean" | "forced" | "not recognised"> {
  const { path, branch } = record;
  if (record.state === "deleting" && record.folderIdentity === identity) {
    // What makes it a worktree may be what was deleted first: then there is nothing that could be told from its files.
    if (!(await putBack(repository, path))) return "not recognised";
  }
  const contents = await lookInto(repository, path);
  if (contents.repositories.length > 0) throw repositoriesFault(contents.repositories);
  const hasWork = countOfWork(contents) > 0;
  if (hasWork && !discard) throw workFault(contents);
  if (hasWork) removed.snapshot = await keepContents(repository, { path, branch }, contents, nowMs());
  ledger.deleting(path, identity);
  return hasWork || contents.hasSubmodules ? "forced" : "clean";
}

/** Brings files back that were deleted half-way, so that what is left can be told from what somebody did. */
async function putBack(repository: Repository, path: string): Promise<boolean> {
  try {
    await recognise(repository, path);
  } catch (error) {
    if (asFault(error).code === "worktree_not_recognised") return false;
    throw error;
  }
  // Files that are there stay as they are, and make it fail in the end, which does not matter.
  await repository.run(path, ["checkout-index", "--all", "--quiet"], {
    limitMs: filesLimitMs,
    variables: await repository.variables(),
  });
  return true;
}

async function remove(
  repository: Repository,
  path: string,
  identity: string,
  left: "clean" | "forced" | "not recognised",
  removed: RemovedWorktree,
  options: RemovingOptions,
): Promise<RemovalOutcome> {
  const { ledger } = options;
  if (left === "not recognised") {
    const rest = await deleteRest(path, identity, removed, options);
    if (rest.kind !== "removed") return rest;
  }
  const fault = await repository.remove(path, left === "forced").then(
    () => null,
    (error: unknown) => asFault(error),
  );
  try {
    const isListed = (await repository.worktrees())?.some((each) => each.path === path) ?? false;
    if (!isListed) return await deleteRest(path, identity, removed, options);
    if (fault?.code === "git_refused" && left !== "not recognised") {
      // git takes it off its list even if a file cannot be deleted: so it has not begun.
      ledger.kept(path);
      return { kind: "refused", fault: await refusedFault(repository, path, fault) };
    }
    const error = fault ?? new Fault("worktree_still_listed", "git still lists the worktree.", { path });
    return { kind: "failed", fault: error };
  } catch (error) {
    return { kind: "failed", fault: asFault(error) };
  }
}

async function deleteRest(
  path: string,
  identity: string,
  removed: RemovedWorktree,
  { places }: RemovingOptions,
): Promise<RemovalOutcome> {
  try {
    await places.deleteRest(path, identity);
    return { kind: "removed", removed };
  } catch (error) {
    return { kind: "failed", fault: asFault(error) };
  }
}

/** git has looked once more: if work has arrived, that is what is said. */
async function refusedFault(repository: Repository, path: string, fault: Fault): Promise<Fault> {
  const contents = await lookInto(repository, path).catch(() => null);
  return contents && countOfWork(contents) > 0 ? workFault(contents) : fault;
}

function outsideFault(path: string): Fault {
  return new Fault(
    "not_our_worktree",
    "This is no worktree in a place of Holdfast's, so it is not removed.",
    {
      path,
      detail: path,
    },
  );
}

function repositoriesFault(within: string[]): Fault {
  const names = within.slice(0, 5).map((each) => basename(each));
  return new Fault("worktree_has_repositories", `Other repositories are in it: ${names.join(", ")}.`, {
    hint: "What they hold cannot be kept with this worktree. Move them elsewhere or delete them, then try again.",
    detail: within.join("\n"),
  });
}

function workFault(contents: Contents): Fault {
  const { changed, untracked, branch, unmerged } = contents;
  const counted = [
    countOf(changed.length, "changed file"),
    countOf(untracked.length, "untracked file"),
    branch === null ? countOf(unmerged.count, "commit on no branch", "commits on no branch") : "",
  ].filter((each) => each !== "");
  return new Fault("worktree_has_work", `There is work in it that is nowhere else: ${counted.join(", ")}.`, {
    hint: "Commit it, or say that it is to be discarded: a snapshot of it is kept.",
    detail: [...changed, ...untracked].slice(0, 50).join("\n"),
  });
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return count === 0 ? "" : `${count} ${count === 1 ? one : many}`;
}
