// Worktrees that Holdfast makes, beside the repositories that they belong to, and their removal.
//
// Races, and what settles each (more in making.ts and removing.ts):
// - Several things are done in one repository at once: one after the other.
// - A turn begins in a worktree that is to be removed: first it is looked whether anything is at work there, and in the same
//   moment everything else is kept from beginning; then its session is closed; only then is it looked at what is in it. What
//   slips in between is interrupted with the session, and its message is kept as undelivered.
// - It is removed twice at once: one removal, both get its outcome.
// - Holdfast dies: the removal is on record as a cleanup, and goes on at the next start. If nothing was deleted yet and
//   something lives there by then, it is given up, and the worktree is as it was.

import { sep } from "node:path";
import type { CallResult, WorktreeFacts, WorktreeMergeFacts } from "../../../preload/contract";
import type { NoticeView } from "../../../preload/contract/app";
import type { Clock } from "../../clock";
import { asFault, Fault } from "../../fault";
import type { CleanupRecord, NewCleanup } from "../../ledger/cleanupsLedger";
import type { Ledger } from "../../ledger/ledger";
import type { NewWorktree, WorktreeRecord } from "../../ledger/worktreesLedger";
import type { Log } from "../../log";
import type { Cleanups } from "../../supervisor/cleanups";
import type { Workspaces } from "../workspaces";
import { lookInto } from "./contents";
import { checkWish, type MakingOptions, makeWorktree, settleMaking, type WorktreeWish } from "./making";
import { lookAtMerge, type MadeCommit, type MergeSubject, merge, prepareMerge, settleMerge } from "./merging";
import {
  alsoCommitted,
  atWorkFault,
  cleanupOf,
  inUseFault,
  mergeAtWorkFault,
  mergeCleanup,
  mergeKind,
  type RemovalSubject,
  recreateCleanup,
  recreateKind,
  removalKind,
  removingFault,
} from "./owed";
import { WorktreePlaces } from "./places";
import { processesWithin } from "./processesWithin";
import { recreateWorktree } from "./recreating";
import { type RemovalOutcome, type RemovedWorktree, removeWorktree } from "./removing";
import { type OpenedRepository, openRepository, Repository, type RepositoryOptions } from "./repository";
import {
  factsOf,
  type MergeSurroundings,
  mergeFactsOf,
  mergeNotice,
  nothingIn,
  removalNotice,
} from "./words";

export interface MadeWorktree {
  workspaceId: string;
  path: string;
  branch: string;
}

export interface WorktreesOptions {
  /** The real path of the folder of Holdfast's own data. */
  home: string;
  clock: Clock;
  log: Log;
  ledger: Ledger;
  workspaces: Workspaces;
  cleanups: Cleanups;
  /** What is at work there, by name: a turn runs, somebody is waited for, a script or a terminal runs. Empty: nothing. */
  workIn(workspaceId: string): string[];
  hasSession(workspaceId: string): boolean;
  closeSession(workspaceId: string): Promise<Fault | null>;
  /** A worktree has become a workspace, or is none any more. */
  opened(workspaceId: string): void;
  closed(workspaceId: string): void;
  /** One that an earlier run had not finished making is whole, or nothing is left of it. */
  settled?(path: string): void;
  /** What the person has to know of a removal. */
  tell(about: string, notice: Omit<NoticeView, "id">): void;
  environment?: NodeJS.ProcessEnv;
}

type Recorded = Exclude<WorktreeRecord, { state: "making" }>;

export class Worktrees {
  readonly #options: WorktreesOptions;
  readonly #git: RepositoryOptions;
  readonly #places: WorktreePlaces;
  readonly #making: MakingOptions;
  /** By repository: the last of what is done there. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** By cleanup: what is being removed. */
  readonly #removals = new Map<string, Promise<RemovalOutcome>>();

  constructor(options: WorktreesOptions) {
    this.#options = options;
    const { clock, ledger, workspaces, cleanups } = options;
    this.#git = { clock, environment: options.environment ?? process.env };
    this.#places = new WorktreePlaces(options.home);
    this.#making = {
      ledger: ledger.worktrees,
      places: this.#places,
      nowMs: () => clock.nowMs(),
      wasUsed: (path) => workspaces.knows(path),
    };
    cleanups.register(removalKind, (cleanup) => this.#takeUp(cleanup));
    cleanups.register(mergeKind, (cleanup) => this.#settleMerge(cleanup));
    cleanups.register(recreateKind, (cleanup) => this.#recreateAgain(cleanup));
    for (const record of ledger.worktrees.list()) {
      if (record.state === "deleting") workspaces.withhold(record.workspaceId, removingFault());
    }
  }

  /**
   * Makes a worktree of the repository that this workspace is in, on a new branch, and opens it as a workspace. Throws the
   * Fault that says why there is none: `no_repository`, `bare_repository`, `git_missing`, `no_commit`, `base_unknown`,
   * `worktree_name`, `branch_exists`, `worktree_place`, or what git has said.
   */
  async create(
    workspaceId: string,
    wish: WorktreeWish,
    record?: (worktree: NewWorktree) => void,
  ): Promise<MadeWorktree> {
    const opened = await this.#opened(workspaceId);
    const parentId = this.parentOf(workspaceId);
    const making = record ? { ...this.#making, record } : this.#making;
    return this.#inTurn(opened.repository, async () => {
      return this.#open(await makeWorktree(opened, parentId, wish, making));
    }).catch((error: unknown) => {
      // What there is of it could not be taken away at once: it is owed. Nobody has to wait for that.
      void this.#settleAll((record) => record.repository === opened.repository.common);
      throw error;
    });
  }

  /** What its branch would be called. Throws as `create` does, as far as that is known before anything is made. */
  async checkWish(workspaceId: string, wish: WorktreeWish): Promise<{ branch: string }> {
    return checkWish(await this.#opened(workspaceId), wish);
  }

  /** All worktrees of a repository are beside each other, whichever of them a new one was made from. */
  parentOf(workspaceId: string): string {
    return this.#options.workspaces.get(workspaceId).parentWorkspaceId ?? workspaceId;
  }

  /** The folder of the checkout that this workspace is in. */
  async rootOf(workspaceId: string): Promise<string> {
    return (await this.#opened(workspaceId)).facts.root;
  }

  /** git ignores this path in the checkout at `root`. */
  async ignores(root: string, path: string): Promise<boolean> {
    const repository = new Repository(root, this.#git);
    const answer = await repository.run(root, ["check-ignore", "--quiet", "--", path]);
    if (answer.outcome === "failed" && answer.exitCode === 1) return false;
    if (answer.outcome !== "ok")
      await repository.ask(root, ["check-ignore", "--", path], "look what is ignored");
    return true;
  }

  /** What is in it, looked at now. Throws Fault `not_our_worktree`, or why it cannot be told. */
  async check(workspaceId: string): Promise<WorktreeFacts> {
    const record = this.#ours(workspaceId);
    const repository = new Repository(record.repository, this.#git);
    const folder = await this.#places.look(record.path);
    if (folder.kind === "nothing") return nothingIn(record.branch, "gone");
    const listed = await repository.worktrees();
    if (!listed?.some((each) => each.path === record.path)) {
      return nothingIn(record.branch, "not listed");
    }
    return factsOf(await lookInto(repository, record.path));
  }

  /**
   * Removes it, as a cleanup; its branch stays. Throws the Fault for which it was not touched (`not_our_worktree`,
   * `worktree_at_work`, `worktree_in_use`, `worktree_has_work` unless `discard`, `worktree_has_repositories`, `worktree_locked`,
   * `worktree_replaced`, `worktree_not_recognised`), or the one for which a part of it is still owed.
   */
  async remove(workspaceId: string, { discard }: { discard: boolean }): Promise<RemovedWorktree> {
    const record = this.#ours(workspaceId);
    const outcome = await this.#removal(cleanupOf(record, discard), discard, "asked");
    if (outcome.kind !== "removed") throw outcome.fault;
    return outcome.removed;
  }

  /** Throws the Fault for which its branch cannot be merged into that of the main checkout. */
  async checkMerge(workspaceId: string): Promise<WorktreeMergeFacts> {
    const { path, repository } = this.#ours(workspaceId);
    const look = await lookAtMerge(new Repository(repository, this.#git), path);
    return mergeFactsOf(look, this.#around(workspaceId, look.mainPath));
  }

  /**
   * Merges it. Throws the Fault for which nothing was merged: `merge_at_work` unless `evenAtWork`, `merge_conflict`,
   * `merge_changed`, `merge_nothing`, `merge_refused`, `merge_programs`, and those of `checkMerge`.
   */
  async merge(
    workspaceId: string,
    wish: { commit: string | null; into: string; evenAtWork: boolean },
  ): Promise<CallResult<"worktrees.merge">> {
    const { cleanups, workspaces } = this.#options;
    const record = this.#ours(workspaceId);
    const repository = new Repository(record.repository, this.#git);
    let committed: MadeCommit | null = null;
    const made = (commit: MadeCommit) => {
      committed = commit;
    };
    return this.#inTurn(repository, async () => {
      const { mainPath } = await lookAtMerge(repository, record.path);
      const { atWork, mainWorkspaceId } = this.#around(workspaceId, mainPath);
      if (atWork.length > 0 && !wish.evenAtWork) throw mergeAtWorkFault(atWork);
      const { subject, commits } = await prepareMerge(repository, record.path, wish, made);
      let refused: Fault | null = null;
      const owed = await cleanups.perform(mergeCleanup(subject), async () => {
        try {
          await merge(repository, subject);
        } catch (error) {
          const fault = asFault(error);
          // What is only refused has changed nothing, and is not owed.
          if (fault.retryable) return fault;
          refused = fault;
        }
        return null;
      });
      for (const id of [workspaceId, mainWorkspaceId]) if (id !== null) workspaces.changedOnDisk(id);
      const fault = owed ?? refused;
      if (fault) throw fault;
      return { into: subject.into, commits, head: subject.head, committed };
    }).catch((error: unknown) => {
      throw committed === null ? error : alsoCommitted(asFault(error), committed);
    });
  }

  /** Makes its folder again from its branch. Throws the Fault for which there is still none. */
  async recreate(workspaceId: string): Promise<void> {
    const { cleanups, workspaces } = this.#options;
    const record = this.#ours(workspaceId);
    let refused: Fault | null = null;
    const owed = await cleanups.perform(recreateCleanup(record), async () => {
      try {
        await this.#recreate(record, "asked");
      } catch (error) {
        const fault = asFault(error);
        // git was cut off in the middle of it.
        if (fault.code === "git_broken" || fault.code === "git_no_answer") return fault;
        refused = fault;
      }
      return null;
    });
    await workspaces.refresh(workspaceId);
    const fault = owed ?? refused;
    if (fault) throw fault;
  }

  /** What was being made, or removed, when Holdfast went away. Never rejects. */
  settle(): Promise<void> {
    return this.#settleAll(() => true);
  }

  async #settleAll(isMeant: (record: WorktreeRecord) => boolean): Promise<void> {
    const { ledger, cleanups, log } = this.#options;
    try {
      for (const record of ledger.worktrees.list()) {
        const cleanup = cleanupOf(record, false);
        // What is owed is tried by itself.
        if (record.state === "made" || !isMeant(record) || cleanups.get(cleanup.id)) continue;
        await this.#takeUp(cleanup);
      }
    } catch (error) {
      log.warn("unfinished worktrees could not be settled", { error: asFault(error).message });
    }
  }

  /** One attempt at what an earlier one, or an earlier run, has left. */
  async #takeUp(cleanup: NewCleanup | CleanupRecord): Promise<Fault | null> {
    const { cleanups, ledger } = this.#options;
    const { path, discard } = cleanup.subject as RemovalSubject;
    const record = ledger.worktrees.get(path);
    if (record?.state === "making") {
      return cleanups.perform(cleanup, () => this.#settleMaking(record.repository, path));
    }
    const outcome = await this.#removal(cleanup, discard, "taken up");
    return outcome.kind === "failed" ? outcome.fault : null;
  }

  async #settleMaking(common: string, path: string): Promise<null> {
    const repository = new Repository(common, this.#git);
    await this.#inTurn(repository, async () => {
      // Looked up only now: if it was just being made, that is over.
      const record = this.#options.ledger.worktrees.get(path);
      if (record?.state !== "making") return;
      const left = await settleMaking(repository, record, this.#making);
      if (left === "whole") await this.#open(record);
    });
    this.#options.settled?.(path);
    return null;
  }

  async #open({ path, branch, parentWorkspaceId }: WorktreeRecord): Promise<MadeWorktree> {
    const { ledger, workspaces, opened } = this.#options;
    const workspaceId = ledger.transaction(() => {
      const awaited = ledger.worktreeStarts.ofPath(path)?.worktreeWorkspaceId;
      const { id } = workspaces.add({
        path,
        name: branch,
        parentId: parentWorkspaceId,
        ...(awaited !== undefined && { id: awaited }),
      });
      ledger.worktrees.made(path, id);
      return id;
    });
    opened(workspaceId);
    await workspaces.refresh(workspaceId);
    return { workspaceId, path, branch };
  }

  /** The workspaces that a merge is about, and which of them are at work. */
  #around(workspaceId: string, mainPath: string): MergeSurroundings {
    const { workspaces, workIn } = this.#options;
    const mainWorkspaceId = workspaces.idOfPath(mainPath);
    const places = [
      { where: "worktree" as const, names: workIn(workspaceId) },
      { where: "main" as const, names: mainWorkspaceId === null ? [] : workIn(mainWorkspaceId) },
    ];
    return { mainWorkspaceId, atWork: places.filter(({ names }) => names.length > 0) };
  }

  /** Holdfast or git has died in the middle of it. */
  #settleMerge(cleanup: CleanupRecord): Promise<Fault | null> {
    const { cleanups, ledger, tell } = this.#options;
    const subject = cleanup.subject as MergeSubject;
    return cleanups.perform(cleanup, async () => {
      const record = ledger.worktrees.get(subject.path);
      if (!record) return null;
      const repository = new Repository(record.repository, this.#git);
      const left = await this.#inTurn(repository, () => settleMerge(repository, subject));
      tell(`merge ${subject.path}`, mergeNotice(subject, left));
      return null;
    });
  }

  #recreateAgain(cleanup: CleanupRecord): Promise<Fault | null> {
    const { cleanups, ledger, workspaces } = this.#options;
    const { path } = cleanup.subject as { path: string };
    return cleanups.perform(cleanup, async () => {
      const record = ledger.worktrees.get(path);
      if (record?.state !== "made") return null;
      await this.#recreate(record, "taken up");
      await workspaces.refresh(record.workspaceId);
      return null;
    });
  }

  #recreate(record: Recorded, why: "asked" | "taken up"): Promise<void> {
    const repository = new Repository(record.repository, this.#git);
    return this.#inTurn(repository, () => recreateWorktree(repository, record, this.#places, why));
  }

  async #opened(workspaceId: string): Promise<OpenedRepository> {
    return openRepository(await this.#options.workspaces.presentFolder(workspaceId), this.#git);
  }

  #removal(cleanup: NewCleanup, discard: boolean, why: "asked" | "taken up"): Promise<RemovalOutcome> {
    const already = this.#removals.get(cleanup.id);
    if (already) return already;
    const removal = this.#perform(cleanup, discard, why).finally(() => this.#removals.delete(cleanup.id));
    this.#removals.set(cleanup.id, removal);
    return removal;
  }

  /** Never rejects. */
  async #perform(cleanup: NewCleanup, discard: boolean, why: "asked" | "taken up"): Promise<RemovalOutcome> {
    const { path } = cleanup.subject as RemovalSubject;
    // If it is just being settled otherwise, nothing of this is done.
    let outcome: RemovalOutcome = { kind: "refused", fault: atWorkFault([]) };
    const fault = await this.#options.cleanups.perform(cleanup, async () => {
      outcome = await this.#remove(path, discard, why);
      // What is refused is not owed.
      return outcome.kind === "failed" ? outcome.fault : null;
    });
    return fault ? { kind: "failed", fault } : outcome;
  }

  async #remove(path: string, discard: boolean, why: "asked" | "taken up"): Promise<RemovalOutcome> {
    const { ledger, log, tell } = this.#options;
    const record = ledger.worktrees.get(path);
    if (!record || record.state === "making") {
      return { kind: "removed", removed: { branch: "", snapshot: null, folderKept: null } };
    }
    const outcome = await this.#removeRecorded(record, discard, why);
    log.info("a worktree was to be removed", {
      workspaceId: record.workspaceId,
      outcome: outcome.kind,
      code: outcome.kind === "removed" ? null : outcome.fault.code,
    });
    const notice = removalNotice(record, outcome, why);
    if (notice) tell(`worktree ${path}`, notice);
    return outcome;
  }

  async #removeRecorded(
    record: Recorded,
    discard: boolean,
    why: "asked" | "taken up",
  ): Promise<RemovalOutcome> {
    const { workspaces, workIn, hasSession } = this.#options;
    const within = this.#within(record);
    const work = within.flatMap((id) => workIn(id));
    const isInUse = work.length > 0 || (why === "taken up" && within.some((id) => hasSession(id)));
    if (record.state === "made" && isInUse) return { kind: "refused", fault: atWorkFault(work) };
    for (const id of within) workspaces.withhold(id, removingFault());
    const outcome = await this.#closeAndDelete(record, within, discard);
    if (outcome.kind !== "failed") for (const id of within) workspaces.withhold(id, null);
    return outcome;
  }

  async #closeAndDelete(record: Recorded, within: string[], discard: boolean): Promise<RemovalOutcome> {
    const { ledger, workspaces, clock, closeSession, closed } = this.#options;
    const left = (await Promise.all(within.map((id) => closeSession(id)))).find((fault) => fault !== null);
    // What is left of a process is a cleanup of its own.
    if (left) return { kind: record.state === "made" ? "refused" : "failed", fault: left };
    const isPlaced = record.state === "made" && this.#places.isWithin(record.path);
    const inside = isPlaced ? await processesWithin(record.path) : [];
    if (inside.length > 0) return { kind: "refused", fault: inUseFault(inside) };
    const repository = new Repository(record.repository, this.#git);
    const outcome = await this.#inTurn(repository, () =>
      removeWorktree(repository, record, discard, {
        ledger: ledger.worktrees,
        places: this.#places,
        nowMs: () => clock.nowMs(),
      }),
    );
    if (outcome.kind !== "removed") return outcome;
    await this.#places.leave(record.path);
    ledger.transaction(() => {
      ledger.worktrees.gone(record.path);
      workspaces.remove(record.workspaceId);
    });
    closed(record.workspaceId);
    return outcome;
  }

  /** The workspaces whose folder is the worktree's, or in it. */
  #within({ path, workspaceId }: WorktreeRecord): string[] {
    const inside = this.#options.workspaces.list().filter((each) => each.path.startsWith(path + sep));
    return [...(workspaceId === null ? [] : [workspaceId]), ...inside.map(({ id }) => id)];
  }

  #ours(workspaceId: string): Recorded {
    const { ledger, workspaces } = this.#options;
    const record = ledger.worktrees.ofWorkspace(workspaceId);
    if (record === null || record.state === "making" || workspaces.get(workspaceId).path !== record.path) {
      throw new Fault("not_our_worktree", "This is no worktree that Holdfast has made.", {
        hint: "Remove it with `git worktree remove`, and the workspace from the list.",
      });
    }
    return record;
  }

  async #inTurn<Result>(repository: Repository, task: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(repository.common);
    const turn = (async () => {
      // How it ended is the business of whoever asked for it.
      await before?.catch(() => undefined);
      return task();
    })();
    this.#turns.set(repository.common, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(repository.common) === turn) this.#turns.delete(repository.common);
    }
  }
}
