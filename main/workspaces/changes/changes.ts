// The changes in the repositories of all workspaces, as windows ask for them.
//
// Races, and what settles each:
// - Several windows look at one repository, or one looks while another stages: one git at a time for each working tree, and
//   those who ask the same before it has begun share the answer.
// - Something changes while a list is read: the list has the revision from before, so that the window looks again.

import type { CallResult } from "../../../preload/contract";
import type { Discard, FileDiff } from "../../../preload/contract/changes";
import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import { toFaultView } from "../../faultView";
import type { Ledger } from "../../ledger/ledger";
import { findRepository } from "../git";
import { SharedJobs } from "../sharedJobs";
import { Discards } from "./discards";
import { fileDiff } from "./fileDiff";
import { listAgainst, listChanges } from "./list";
import type { AskedDiff } from "./rawDiff";
import { ChangesRepository } from "./repository";
import { Revisions } from "./revisions";
import { type ChosenPart, stageFiles, stagePart, unstageFiles, unstagePart } from "./staging";

export interface ChangesOptions {
  clock: Clock;
  /** The workspace's folder, looked at now. Throws Fault. */
  folder(workspaceId: string): Promise<string>;
  /** Of the person's login shell. */
  environment(): Promise<NodeJS.ProcessEnv>;
  ledger: Pick<Ledger, "discards">;
}

const mostAtOnce = 4;

export class Changes {
  readonly #options: ChangesOptions;
  readonly #revisions: Revisions;
  readonly #discards: Discards;
  readonly #jobs = new SharedJobs<unknown>(mostAtOnce);
  /** By workspace, what its repository has in common with others. */
  readonly #common = new Map<string, string>();
  #count = 0;

  constructor(options: ChangesOptions) {
    this.#options = options;
    this.#revisions = new Revisions(options.clock);
    this.#discards = new Discards(options.ledger.discards);
  }

  async list(workspaceId: string): Promise<CallResult<"changes.list">> {
    const folder = await this.#options.folder(workspaceId).catch(faultOf);
    if (folder instanceof Fault) return this.#none(workspaceId, this.#revisions.of(workspaceId), folder);
    return this.#inTurn(folder, `list ${workspaceId}`, async () => {
      const revision = this.#revisions.of(workspaceId);
      try {
        const changes = await listChanges(await this.#open(workspaceId, folder));
        return { state: "repository" as const, revision, changes: { ...changes, jobs: [] } };
      } catch (error) {
        if (error instanceof Fault) return this.#none(workspaceId, revision, error);
        throw error;
      }
    });
  }

  async next(workspaceId: string, revision: number, page: string): Promise<number | null> {
    return this.#revisions.next(workspaceId, revision, page);
  }

  listAgainst(workspaceId: string, base: string): Promise<CallResult<"changes.listAgainst">> {
    return this.#withRepository(workspaceId, (repository) => listAgainst(repository, base));
  }

  stage(workspaceId: string, paths: readonly string[] | null): Promise<void> {
    return this.#change(workspaceId, (repository) => stageFiles(repository, paths));
  }

  unstage(workspaceId: string, paths: readonly string[] | null): Promise<void> {
    return this.#change(workspaceId, (repository) => unstageFiles(repository, paths));
  }

  stagePart(workspaceId: string, part: ChosenPart): Promise<void> {
    return this.#change(workspaceId, (repository) => stagePart(repository, part));
  }

  unstagePart(workspaceId: string, part: ChosenPart): Promise<void> {
    return this.#change(workspaceId, (repository) => unstagePart(repository, part));
  }

  /** Returns the id for `undoDiscard`. */
  discard(workspaceId: string, paths: readonly string[]): Promise<string> {
    return this.#change(workspaceId, (repository) => this.#discards.files(repository, workspaceId, paths));
  }

  discardPart(workspaceId: string, part: ChosenPart): Promise<string> {
    return this.#change(workspaceId, (repository) => this.#discards.part(repository, workspaceId, part));
  }

  discards(workspaceId: string): Promise<Discard[]> {
    return this.#withRepository(workspaceId, async ({ root }) => this.#discards.list(root));
  }

  undoDiscard(workspaceId: string, discardId: string): Promise<void> {
    return this.#change(workspaceId, (repository) => this.#discards.undo(repository, discardId));
  }

  diff(workspaceId: string, asked: AskedDiff, whole: boolean): Promise<FileDiff> {
    return this.#withRepository(workspaceId, (repository) => fileDiff(repository, asked, whole));
  }

  /** An agent may have changed files there. */
  changedOnDisk(workspaceId: string): void {
    for (const each of this.#sharing(workspaceId)) this.#revisions.changedSoon(each);
  }

  dispose(): void {
    this.#revisions.dispose();
  }

  #none(_workspaceId: string, revision: number, fault: Fault): CallResult<"changes.list"> {
    return { state: "none", revision, fault: toFaultView(fault) };
  }

  /** Whatever came of it, windows look again. */
  async #change<Result>(
    workspaceId: string,
    task: (repository: ChangesRepository) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#withRepository(workspaceId, task);
    } finally {
      this.#changed(workspaceId);
    }
  }

  #changed(workspaceId: string): void {
    for (const each of this.#sharing(workspaceId)) this.#revisions.changed(each);
  }

  /** Itself, and the workspaces that are known to be in the same repository. */
  #sharing(workspaceId: string): Set<string> {
    const common = this.#common.get(workspaceId);
    const others = [...this.#common].flatMap(([id, its]) => (its === common ? [id] : []));
    return new Set([workspaceId, ...others]);
  }

  async #withRepository<Result>(
    workspaceId: string,
    task: (repository: ChangesRepository) => Promise<Result>,
  ): Promise<Result> {
    const folder = await this.#options.folder(workspaceId);
    this.#count += 1;
    return this.#inTurn(folder, `task ${this.#count}`, async () =>
      task(await this.#open(workspaceId, folder)),
    );
  }

  async #inTurn<Result>(folder: string, name: string, task: () => Promise<Result>): Promise<Result> {
    const tree = (await findRepository(folder)) ?? folder;
    // What a job of this name gives is what the task of this name gives.
    return this.#jobs.run(tree, name, task) as Promise<Result>;
  }

  async #open(workspaceId: string, folder: string): Promise<ChangesRepository> {
    const { clock } = this.#options;
    const repository = await ChangesRepository.open(folder, {
      clock,
      environment: await this.#options.environment(),
    });
    this.#common.set(workspaceId, repository.common);
    return repository;
  }
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}
