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
import type { WorktreeFacts } from "../../../preload/contract";
import type { NoticeView } from "../../../preload/contract/app";
import type { Clock } from "../../clock";
import { asFault, Fault } from "../../fault";
import type { CleanupRecord, NewCleanup } from "../../ledger/cleanupsLedger";
import type { Ledger } from "../../ledger/ledger";
import type { WorktreeRecord } from "../../ledger/worktreesLedger";
import type { Log } from "../../log";
import type { Cleanups } from "../../supervisor/cleanups";
import type { Workspaces } from "../workspaces";
import { lookInto } from "./contents";
import { type MakingOptions, makeWorktree, settleMaking, type WorktreeWish } from "./making";
import { WorktreePlaces } from "./places";
import { type RemovalOutcome, type RemovedWorktree, removeWorktree } from "./removing";
import { openRepository, Repository, type RepositoryOptions } from "./repository";
import { factsOf, nothingIn, removalNotice } from "./words";

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
  /** A turn runs there, somebody is waited for, a script or a terminal runs. */
  isAtWork(workspaceId: string): boolean;
  hasSession(workspaceId: string): boolean;
  closeSession(workspaceId: string): Promise<Fault | null>;
  /** A worktree has become a workspace, or is none any more. */
  opened(workspaceId: string): void;
  closed(workspaceId: string): void;
  /** What the person has to know of a removal. */
  tell(about: string, notice: Omit<NoticeView, "id">): void;
  environment?: NodeJS.ProcessEnv;
}

type Recorded = Exclude<WorktreeRecord, { state: "making" }>;

interface Subject {
  path: string;
  workspaceId: string | null;
  discard: boolean;
}

const cleanupKind = "worktree";

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
    cleanups.register(cleanupKind, (cleanup) => this.#takeUp(cleanup));
    for (const record of ledger.worktrees.list()) {
      if (record.state === "deleting") workspaces.withhold(record.workspaceId, removingFault());
    }
  }

  /**
   * Makes a worktree of the repository that this workspace is in, on a new branch, and opens it as a workspace. Throws the
   * Fault that says why there is none: `no_repository`, `bare_repository`, `git_missing`, `no_commit`, `base_unknown`,
   * `worktree_name`, `branch_exists`, `worktree_place`, or what git has said.
   */
  async create(workspaceId: string, wish: WorktreeWish): Promise<MadeWorktree> {
    const { workspaces } = this.#options;
    const folder = await workspaces.presentFolder(workspaceId);
    const opened = await openRepository(folder, this.#git);
    // All worktrees of a repository are beside each other, whichever of them a new one was made from.
    const parentId = workspaces.get(workspaceId).parentWorkspaceId ?? workspaceId;
    return this.#inTurn(opened.repository, async () => {
      return this.#open(await makeWorktree(opened, parentId, wish, this.#making));
    }).catch((error: unknown) => {
      // What there is of it could not be taken away at once: it is owed. Nobody has to wait for that.
      void this.#settleAll((record) => record.repository === opened.repository.common);
      throw error;
    });
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
   * `worktree_at_work`, `worktree_has_work` unless `discard`, `worktree_has_repositories`, `worktree_locked`,
   * `worktree_replaced`, `worktree_not_recognised`), or the one for which a part of it is still owed.
   */
  async remove(workspaceId: string, { discard }: { discard: boolean }): Promise<RemovedWorktree> {
    const record = this.#ours(workspaceId);
    const outcome = await this.#removal(cleanupOf(record, discard), discard, "asked");
    if (outcome.kind !== "removed") throw outcome.fault;
    return outcome.removed;
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
    const { path, discard } = cleanup.subject as Subject;
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
    return null;
  }

  async #open({ path, branch, parentWorkspaceId }: WorktreeRecord): Promise<MadeWorktree> {
    const { ledger, workspaces, opened } = this.#options;
    const workspaceId = ledger.transaction(() => {
      const { id } = workspaces.add({ path, name: branch, parentId: parentWorkspaceId });
      ledger.worktrees.made(path, id);
      return id;
    });
    opened(workspaceId);
    await workspaces.refresh(workspaceId);
    return { workspaceId, path, branch };
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
    const { path } = cleanup.subject as Subject;
    // If it is just being settled otherwise, nothing of this is done.
    let outcome: RemovalOutcome = { kind: "refused", fault: atWorkFault() };
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
    const { workspaces, isAtWork, hasSession } = this.#options;
    const within = this.#within(record);
    if (
      record.state === "made" &&
      within.some((id) => isAtWork(id) || (why === "taken up" && hasSession(id)))
    ) {
      return { kind: "refused", fault: atWorkFault() };
    }
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

function cleanupOf(record: WorktreeRecord, discard: boolean): NewCleanup {
  const { path, workspaceId, branch, state } = record;
  const subject: Subject & { branch: string } = { path, workspaceId, discard, branch };
  return {
    id: `worktree:${path}`,
    kind: cleanupKind,
    subject,
    reason:
      state === "making"
        ? `The worktree ${branch} was not finished when Holdfast went away.`
        : `The worktree ${branch} is to be removed. Its branch stays.`,
  };
}

function atWorkFault(): Fault {
  return new Fault("worktree_at_work", "Something is at work in this worktree.", {
    hint: "Stop what runs there, in terminals too, or wait until it is done, then remove it.",
  });
}

function removingFault(): Fault {
  return new Fault("worktree_removing", "This worktree is being removed.", {
    hint: "See the cleanup if it takes long.",
  });
}
