// The changes in the repositories of all workspaces, as windows ask for them.
//
// Races, and what settles each:
// - Several windows look at one repository, or one looks while another stages: one git at a time for each working tree, and
//   those who ask the same before it has begun share the answer.
// - Something changes while a list is read: the list has the revision from before, so that the window looks again.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { CallResult } from "../../../preload/contract";
import type { NoticeView } from "../../../preload/contract/app";
import type { ChangesJob, DiffLine, Discard, FileDiff } from "../../../preload/contract/changes";
import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import { toFaultView } from "../../faultView";
import type { CleanupRecord } from "../../ledger/cleanupsLedger";
import type { Ledger } from "../../ledger/ledger";
import type { Cleanups } from "../../supervisor/cleanups";
import { findRepository } from "../git";
import { SharedJobs } from "../sharedJobs";
import { type MadeCommit, makeCommit, type NewCommit } from "./commit";
import { type AskedContext, contextLines } from "./context";
import { type DiscardSubject, discardCleanup, discardCleanupKind, settleDiscard } from "./cutOffDiscards";
import {
  cutOffNotice,
  endLeft,
  type JobSubject,
  jobCleanup,
  jobCleanupKind,
  onRecord,
  settleJob,
} from "./cutOffJobs";
import { Discards } from "./discards";
import { fileDiff } from "./fileDiff";
import { ChangesJobs, type Job, type JobOutput } from "./jobs";
import { listAgainst, listChanges } from "./list";
import { type NewPullRequest, openPullRequest, type PullRequestFacts, pullRequestFacts } from "./pullRequest";
import { type Pushed, push } from "./push";
import type { AskedDiff } from "./rawDiff";
import { ChangesRepository } from "./repository";
import { Revisions } from "./revisions";
import { type ChosenPart, stageFiles, stagePart, unstageFiles, unstagePart } from "./staging";
import { type Question, suggestedMessage, suggestionQuestion } from "./suggestion";

export interface ChangesOptions {
  clock: Clock;
  /** The workspace's folder, looked at now. Throws Fault. */
  folder(workspaceId: string): Promise<string>;
  /** Of the person's login shell. */
  environment(): Promise<NodeJS.ProcessEnv>;
  ledger: Pick<Ledger, "discards">;
  cleanups: Pick<Cleanups, "perform" | "register" | "retry" | "list">;
  /** The commit with this message is made. */
  committed(workspaceId: string, message: string): void;
  /** What became of something that an earlier run had begun. */
  tell(about: string, notice: Omit<NoticeView, "id">): void;
  /** Asks the workspace's codex one thing. Throws Fault. */
  ask(workspaceId: string, question: Question, signal: AbortSignal): Promise<string>;
}

const mostAtOnce = 4;

export class Changes {
  readonly #options: ChangesOptions;
  readonly #revisions: Revisions;
  readonly #discards: Discards;
  readonly #running: ChangesJobs;
  readonly #jobs = new SharedJobs<unknown>(mostAtOnce);
  /** By workspace, what its repository has in common with others. */
  readonly #common = new Map<string, string>();
  /** What changes something right now. */
  readonly #changing = new Set<Promise<unknown>>();
  #isEnding = false;
  #count = 0;

  constructor(options: ChangesOptions) {
    this.#options = options;
    this.#revisions = new Revisions(options.clock);
    this.#discards = new Discards(options.ledger.discards);
    this.#running = new ChangesJobs(options.clock, (workspaceId) => this.#changed(workspaceId));
    options.cleanups.register(jobCleanupKind, (cleanup) => this.#settle(cleanup));
    options.cleanups.register(discardCleanupKind, (cleanup) => this.#settleDiscard(cleanup));
  }

  async list(workspaceId: string): Promise<CallResult<"changes.list">> {
    const folder = await this.#options.folder(workspaceId).catch(faultOf);
    if (folder instanceof Fault) return this.#none(workspaceId, this.#revisions.of(workspaceId), folder);
    return this.#inTurn(folder, `list ${workspaceId}`, async () => {
      const revision = this.#revisions.of(workspaceId);
      try {
        const changes = await listChanges(await this.#open(workspaceId, folder));
        const jobs = this.#running.of(await treeOf(folder));
        return { state: "repository" as const, revision, changes: { ...changes, jobs } };
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
    return this.#discard(workspaceId, (repository, subject) =>
      this.#discards.files(repository, subject, paths),
    );
  }

  discardPart(workspaceId: string, part: ChosenPart): Promise<string> {
    return this.#discard(workspaceId, (repository, subject) =>
      this.#discards.part(repository, subject, part),
    );
  }

  discards(workspaceId: string): Promise<Discard[]> {
    return this.#withRepository(workspaceId, async ({ root }) => this.#discards.list(root));
  }

  undoDiscard(workspaceId: string, discardId: string): Promise<void> {
    return this.#change(workspaceId, (repository) => {
      const { root } = repository;
      const cleanup = discardCleanup({ does: "bring back", discardId, workspaceId, root });
      return onRecord(this.#options.cleanups, cleanup, () => this.#discards.undo(repository, discardId));
    });
  }

  diff(workspaceId: string, asked: AskedDiff, whole: boolean): Promise<FileDiff> {
    return this.#withRepository(workspaceId, (repository) => fileDiff(repository, asked, whole));
  }

  context(workspaceId: string, asked: AskedContext): Promise<DiffLine[]> {
    return this.#withRepository(workspaceId, (repository) => contextLines(repository, asked));
  }

  commit(workspaceId: string, jobId: string, commit: NewCommit): Promise<MadeCommit> {
    const task = async (repository: ChangesRepository, job: Job) => {
      const made = await makeCommit(repository, commit, job);
      this.#options.committed(workspaceId, commit.message);
      return made;
    };
    return this.#job(workspaceId, jobId, "commit", task, commit);
  }

  push(workspaceId: string, jobId: string, remote: string | null): Promise<Pushed> {
    return this.#job(workspaceId, jobId, "push", (repository, job) => push(repository, remote, job));
  }

  pullRequest(workspaceId: string): Promise<PullRequestFacts> {
    return this.#aside(workspaceId, pullRequestFacts);
  }

  openPullRequest(
    workspaceId: string,
    jobId: string,
    wanted: NewPullRequest,
  ): Promise<CallResult<"changes.openPullRequest">> {
    return this.#job(workspaceId, jobId, "pull request", (repository, job) =>
      openPullRequest(repository, wanted, job),
    );
  }

  suggestMessage(workspaceId: string, jobId: string, what: "staged" | "everything"): Promise<string> {
    return this.#job(workspaceId, jobId, "suggestion", async (repository, { signal }) => {
      const question = await suggestionQuestion(repository, what);
      return suggestedMessage(await this.#options.ask(workspaceId, question, signal));
    });
  }

  cancel(jobId: string): void {
    this.#running.cancel(jobId);
  }

  output(jobId: string, from: number): Promise<JobOutput> {
    return this.#running.output(jobId, from);
  }

  /** Something goes on that needs the workspace's session. */
  needsSession(workspaceId: string): boolean {
    return this.#running.ofWorkspace(workspaceId).some(({ kind }) => kind === "suggestion");
  }

  /** An agent may have changed files there. */
  changedOnDisk(workspaceId: string): void {
    for (const each of this.#sharing(workspaceId)) this.#revisions.changedSoon(each);
  }

  /** Cancels what takes long, and waits for the end of everything that changes something. */
  async shutDown(): Promise<void> {
    this.#isEnding = true;
    this.#running.cancelAll();
    while (this.#changing.size > 0) await Promise.allSettled(this.#changing);
    this.#revisions.dispose();
  }

  /** At the end of the app nothing of this is cut off in the middle. */
  async #seenThrough<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#isEnding) throw new Fault("ending", "Holdfast is ending.");
    const work = task();
    this.#changing.add(work);
    try {
      return await work;
    } finally {
      this.#changing.delete(work);
    }
  }

  /** Goes on beside what else is done in the repository. */
  async #job<Result>(
    workspaceId: string,
    jobId: string,
    kind: ChangesJob["kind"],
    task: (repository: ChangesRepository, job: Job) => Promise<Result>,
    commit: NewCommit | null = null,
  ): Promise<Result> {
    return this.#seenThrough(() => {
      let folder = "";
      const tree = async () => {
        folder = await this.#options.folder(workspaceId);
        return treeOf(folder);
      };
      return this.#running.run({ jobId, workspaceId, kind }, tree, async (job) => {
        // It has no effect outside.
        if (kind === "suggestion") return task(await this.#open(workspaceId, folder), job);
        await this.#settleBefore(await realpath(folder), kind);
        const repository = await this.#open(workspaceId, folder);
        const { root, branch, head } = repository;
        const subject = { jobId, kind, workspaceId, root, branch, head, commit };
        return onRecord(this.#options.cleanups, jobCleanup(subject), () => task(repository, job));
      });
    });
  }

  #discard(
    workspaceId: string,
    task: (repository: ChangesRepository, subject: DiscardSubject) => Promise<void>,
  ): Promise<string> {
    return this.#change(workspaceId, async (repository) => {
      const discardId = randomUUID();
      const subject: DiscardSubject = { does: "discard", discardId, workspaceId, root: repository.root };
      await onRecord(this.#options.cleanups, discardCleanup(subject), () => task(repository, subject));
      return discardId;
    });
  }

  /** What an earlier run had begun of that kind is over first. Throws the Fault for which it is not. */
  async #settleBefore(folder: string, kind: ChangesJob["kind"]): Promise<void> {
    const { cleanups } = this.#options;
    for (const { id, kind: what, subject } of cleanups.list()) {
      const owed = subject as JobSubject;
      if (what !== jobCleanupKind || owed.kind !== kind) continue;
      if (folder !== owed.root && !folder.startsWith(owed.root + sep)) continue;
      const fault = await cleanups.retry(id);
      if (fault) throw fault;
    }
  }

  /** Holdfast has died in the middle of it. */
  #settle(cleanup: CleanupRecord): Promise<Fault | null> {
    const { cleanups, clock, tell, committed } = this.#options;
    const subject = cleanup.subject as JobSubject;
    const { jobId, workspaceId } = subject;
    return cleanups.perform(cleanup, async () => {
      const left = await endLeft(cleanup, clock);
      if (left) return left;
      const settled = await this.#whereThere(subject, (repository) => settleJob(repository, subject));
      if (settled === null) return null;
      if (settled.kind === "committed") committed(workspaceId, settled.message);
      tell(`job ${jobId}`, cutOffNotice(subject, settled));
      this.#changed(workspaceId);
      return null;
    });
  }

  #settleDiscard(cleanup: CleanupRecord): Promise<Fault | null> {
    const { cleanups, tell } = this.#options;
    const subject = cleanup.subject as DiscardSubject;
    return cleanups.perform(cleanup, async () => {
      const notice = await this.#whereThere(subject, (repository) =>
        settleDiscard(repository, this.#discards, subject),
      );
      if (notice !== null) tell(cleanup.id, notice);
      this.#changed(subject.workspaceId);
      return null;
    });
  }

  /** Null where its folder is gone, with all that had to be said of it. */
  async #whereThere<Result>(
    { workspaceId, root }: { workspaceId: string; root: string },
    task: (repository: ChangesRepository) => Promise<Result>,
  ): Promise<Result | null> {
    this.#count += 1;
    try {
      return await this.#inTurn(root, `settle ${this.#count}`, async () =>
        task(await this.#open(workspaceId, root)),
      );
    } catch (error) {
      if (error instanceof Fault && !existsSync(join(root, ".git"))) return null;
      throw error;
    }
  }

  async #aside<Result>(
    workspaceId: string,
    task: (repository: ChangesRepository) => Promise<Result>,
  ): Promise<Result> {
    return task(await this.#open(workspaceId, await this.#options.folder(workspaceId)));
  }

  #none(_workspaceId: string, revision: number, fault: Fault): CallResult<"changes.list"> {
    return { state: "none", revision, fault: toFaultView(fault) };
  }

  /** Whatever came of it, windows look again. */
  async #change<Result>(
    workspaceId: string,
    task: (repository: ChangesRepository) => Promise<Result>,
  ): Promise<Result> {
    const folder = await this.#options.folder(workspaceId);
    this.#running.refuseDuringCommit(await treeOf(folder));
    try {
      return await this.#seenThrough(() => this.#withRepository(workspaceId, task));
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
    // What a job of this name gives is what the task of this name gives.
    return this.#jobs.run(await treeOf(folder), name, task) as Promise<Result>;
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

/** What is looked at and changed by one git at a time. */
async function treeOf(folder: string): Promise<string> {
  return (await findRepository(folder)) ?? folder;
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}
