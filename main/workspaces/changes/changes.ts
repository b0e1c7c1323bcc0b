// The changes in the repositories of all workspaces, as windows ask for them.
//
// Races, and what settles each:
// - Several windows look at one repository, or one looks while another stages: one git at a time for each working tree, and
//   those who ask the same before it has begun share the answer.
// - Something changes while a list is read: the list has the revision from before, so that the window looks again.

import type { CallResult } from "../../../preload/contract";
import type { FileDiff } from "../../../preload/contract/changes";
import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import { toFaultView } from "../../faultView";
import { findRepository } from "../git";
import { SharedJobs } from "../sharedJobs";
import { fileDiff } from "./fileDiff";
import { listAgainst, listChanges } from "./list";
import type { AskedDiff } from "./rawDiff";
import { ChangesRepository } from "./repository";
import { Revisions } from "./revisions";

export interface ChangesOptions {
  clock: Clock;
  /** The workspace's folder, looked at now. Throws Fault. */
  folder(workspaceId: string): Promise<string>;
  /** Of the person's login shell. */
  environment(): Promise<NodeJS.ProcessEnv>;
}

const mostAtOnce = 4;

export class Changes {
  readonly #options: ChangesOptions;
  readonly #revisions: Revisions;
  readonly #jobs = new SharedJobs<unknown>(mostAtOnce);
  /** By workspace, what its repository has in common with others. */
  readonly #common = new Map<string, string>();
  #count = 0;

  constructor(options: ChangesOptions) {
    this.#options = options;
    this.#revisions = new Revisions(options.clock);
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

  diff(workspaceId: string, asked: AskedDiff, whole: boolean): Promise<FileDiff> {
    return this.#withRepository(workspaceId, (repository) => fileDiff(repository, asked, whole));
  }

  /** An agent may have changed files there. */
  changedOnDisk(workspaceId: string): void {
    this.#revisions.changedSoon(workspaceId);
  }

  dispose(): void {
    this.#revisions.dispose();
  }

  #none(_workspaceId: string, revision: number, fault: Fault): CallResult<"changes.list"> {
    return { state: "none", revision, fault: toFaultView(fault) };
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
