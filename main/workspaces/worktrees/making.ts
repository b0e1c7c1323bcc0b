// Makes a worktree: written down before git is asked, and struck off when nothing is left of it.
//
// Races, and what settles each:
// - Two are made at once in one repository: one after the other, so that each sees the names that the other has taken.
// - Holdfast dies before git was asked, or git fails: what there is of it is taken away, and the record goes.
// - Holdfast dies while git works, which goes on by itself: git has locked what it is still making, so it is looked at again
//   until it is done, and then kept. If it stays so for longer than git may take, git has died with Holdfast: taken away.
// - Holdfast dies just when git has made the branch, and not yet the worktree of it: it is looked at again, for less long.
// - Holdfast dies between git and the workspace: it is whole, and becomes a workspace.

import { join } from "node:path";
import { asFault, Fault } from "../../fault";
import type { NewWorktree, WorktreeRecord, WorktreesLedger } from "../../ledger/worktreesLedger";
import { branchFrom, firstFree, folderFrom } from "./names";
import type { WorktreePlaces } from "./places";
import { beingMade, filesLimitMs, type OpenedRepository, type Repository } from "./repository";

/** git makes the branch first. No longer than this after that it has begun with the worktree. */
const betweenLimitMs = 30_000;

export interface WorktreeWish {
  name: string;
  /** What the branch begins at; null: what is checked out. */
  base: string | null;
  /** What becomes of the wish if there is such a branch. */
  ifTaken?: "refuse" | "number";
}

export interface MakingOptions {
  ledger: WorktreesLedger;
  places: WorktreePlaces;
  nowMs(): number;
  /** A workspace is or was at this path: what codex remembers of it is not this one's. */
  wasUsed(path: string): boolean;
  /** Writes it down, with whatever goes with it; on the disk when this returns. */
  record?(worktree: NewWorktree): void;
}

/** The record, and a worktree that is whole. Throws the Fault that says why there is none; nothing is left of it then. */
export async function makeWorktree(
  { repository, facts }: OpenedRepository,
  parentWorkspaceId: string,
  wish: WorktreeWish,
  options: MakingOptions,
): Promise<WorktreeRecord> {
  const { ledger, places } = options;
  const base = await commitOf(repository, facts, wish.base);
  const branch = await branchOf(repository, wish);
  const folder = await places.prepare(repository);
  const listed = (await repository.worktrees()) ?? [];
  const name = await firstFree(folderFrom(branch), async (wanted) => {
    const path = join(folder, wanted);
    if (ledger.get(path) || options.wasUsed(path)) return true;
    return listed.some((each) => each.path === path) || (await places.look(path)).kind !== "nothing";
  });
  const path = join(folder, name);
  const worktree = { path, parentWorkspaceId, repository: repository.common, branch, base };
  if (options.record) options.record(worktree);
  else ledger.making(worktree);
  try {
    await repository.add({ path, branch, base });
  } catch (error) {
    // Somebody else has made the branch in this moment: it is theirs.
    const isTheirs = asFault(error).detail?.includes("already exists") ?? false;
    await unmake(repository, { path, branch, base }, !isTheirs, options);
    throw error;
  }
  return known(ledger, path);
}

/** What became of one that was being made when Holdfast went away: "whole", "gone", or the Fault says that it is not known yet. */
export async function settleMaking(
  repository: Repository,
  record: WorktreeRecord,
  options: MakingOptions,
): Promise<"whole" | "gone"> {
  const listed = (await repository.worktrees())?.find((each) => each.path === record.path);
  const found = await options.places.look(record.path);
  if (listed && listed.locked !== beingMade && found.kind === "folder") return "whole";
  const sinceMs = options.nowMs() - record.createdAtMs;
  const isBetween =
    !listed && sinceMs < betweenLimitMs && (await repository.branches()).includes(record.branch);
  if (isBetween || (listed?.locked === beingMade && sinceMs < filesLimitMs)) {
    throw new Fault("worktree_unfinished", `git has not finished making the worktree ${record.branch}.`, {
      hint: "If it was cut off, what there is of it is taken away after a while.",
      retryable: true,
    });
  }
  await unmake(repository, record, listed?.branch === record.branch, options);
  return "gone";
}

/** Nobody has worked in it: whatever is there was put there by git. */
async function unmake(
  repository: Repository,
  { path, branch, base }: { path: string; branch: string; base: string },
  isBranchOurs: boolean,
  { ledger, places }: MakingOptions,
): Promise<void> {
  const listed = (await repository.worktrees())?.find((each) => each.path === path);
  if (listed) {
    if (listed.locked === beingMade) await repository.unlock(path);
    const found = await places.look(path);
    await repository.remove(path, true);
    if (found.kind === "folder") await places.deleteRest(path, found.identity);
  }
  if (isBranchOurs && (await repository.branches()).includes(branch)) {
    // Somebody has committed to it meanwhile, or checked it out: then it stays.
    await repository.forgetBranch(branch, base).catch(() => undefined);
  }
  await places.leave(path);
  ledger.gone(path);
}

/** The name that a wish becomes. Throws the Fault for which nothing can be made of it, as far as that is known before. */
export async function checkWish(
  { repository, facts }: OpenedRepository,
  wish: WorktreeWish,
): Promise<{ branch: string }> {
  await commitOf(repository, facts, wish.base);
  return { branch: await branchOf(repository, wish) };
}

async function commitOf(
  repository: Repository,
  facts: OpenedRepository["facts"],
  base: string | null,
): Promise<string> {
  const wanted = base?.trim() ?? "";
  if (wanted === "") {
    if (facts.head !== null) return facts.head;
    throw new Fault("no_commit", "This repository has no commit yet, so there is nothing to begin at.", {
      hint: "Commit something first, then make the worktree.",
    });
  }
  const found = /^-|\p{Cc}/u.test(wanted)
    ? null
    : await repository.run(facts.root, ["rev-parse", "--quiet", "--verify", `${wanted}^{commit}`]);
  if (found?.outcome === "ok" && /^[0-9a-f]{40,64}$/.test(found.output)) return found.output;
  throw new Fault("base_unknown", `This repository has no branch, tag or commit “${wanted}”.`, {
    hint: "Write it as git would: “main”, “origin/main”, a tag, or the id of a commit.",
  });
}

async function branchOf(repository: Repository, { name, ifTaken = "refuse" }: WorktreeWish): Promise<string> {
  const wanted = branchFrom(name);
  if (wanted === "" || !(await repository.isBranchName(wanted))) {
    throw new Fault("worktree_name", "This name cannot be the name of a branch.", {
      hint: "Use letters, numbers, “-” and “/”.",
    });
  }
  // Some file systems do not tell capital letters from small ones.
  const branches = (await repository.branches()).map((each) => each.toLowerCase());
  const taken = new Set(branches);
  const isTaken = (branch: string) => {
    const lower = branch.toLowerCase();
    return taken.has(lower) || branches.some((each) => each.startsWith(`${lower}/`));
  };
  const parts = wanted.toLowerCase().split("/");
  const above = parts.map((_, index) => parts.slice(0, index).join("/")).find((each) => taken.has(each));
  if (above !== undefined) {
    throw new Fault("branch_exists", `There is a branch “${above}”, so none can be called “${wanted}”.`, {
      hint: "Choose another name.",
    });
  }
  if (ifTaken === "refuse" && isTaken(wanted)) {
    throw new Fault("branch_exists", `There is a branch “${wanted}” already.`, {
      hint: "Choose another name.",
    });
  }
  return firstFree(wanted, isTaken);
}

function known(ledger: WorktreesLedger, path: string): WorktreeRecord {
  const record = ledger.get(path);
  if (!record) throw new Error(`not on record: ${path}`);
  return record;
}
