// Everything that runs scripts: the saved scripts, the runs with their records, and a runtime for each workspace.
//
// Races:
// - A workspace is taken off the list while its folder is being looked at for a run: it is looked up again after that.
// - Holdfast ends: no run begins any more; those under way are ended and given a moment, after which what is still owed to
//   them stays on record.

import type { AppState } from "../../preload/contract/app";
import {
  type CellLimitSettings,
  cleanupIdOfRun,
  type RunOutputItem,
  type RunSnapshot,
} from "../../preload/contract/cells";
import type { FaultView } from "../../preload/contract/fault";
import type { Clock } from "../clock";
import { asFault, Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { Ledger } from "../ledger/ledger";
import type { Log } from "../log";
import type { Cleanups } from "../supervisor/cleanups";
import type { Connection } from "../supervisor/connection";
import type { Threads } from "../threads/threads";
import type { Workspaces } from "../workspaces/workspaces";
import type { Worktrees } from "../workspaces/worktrees/worktrees";
import { LedgerMarks } from "./runs/ledgerMarks";
import { ledgerValues } from "./runs/ledgerValues";
import { limitsOf } from "./runs/limitSettings";
import { type RunListener, Runs, unknownRun } from "./runs/runs";
import { type Verbs, WorkspaceCells } from "./runs/workspaceCells";
import { type CellClosing, recordedClosing } from "./runtime/cellClosing";
import { loadCellWorkers, type StartWorker } from "./runtime/cellWorker";
import { LiveThreads } from "./runtime/liveThreads";
import { Scripts } from "./scripts/scripts";
import { CellVerbs } from "./verbs/cellVerbs";
import { Questions } from "./verbs/questions";
import type { RunMarks } from "./verbs/runMarks";

export interface CellsOptions {
  clock: Clock;
  log: Log;
  ledger: Ledger;
  threads: Threads;
  workspaces: Workspaces;
  worktrees: Pick<Worktrees, "create">;
  cleanups: Cleanups;
  /** Starts the session of a workspace if need be. */
  connect(workspaceId: string): Promise<Connection>;
  /** Why nothing can be sent in a workspace, as far as that is known without trying. */
  cannotSend(workspaceId: string): Fault | null;
  limits(): CellLimitSettings;
  /** The built thread that runs a script. */
  workerScript: string;
  changed(change: Partial<Pick<AppState, "scripts" | "runs" | "cellQuestions">>): void;
  notify(notice: { title: string; text: string; runId: string }): void;
  /** For tests: what does the work of `tools.*`, and the threads that run scripts. */
  verbs?(workspaceId: string): Verbs;
  loadWorkers?(): Promise<StartWorker>;
}

/** A cell comes to its end far sooner; only what it has begun elsewhere can take longer. */
const shutDownMs = 2_000;
/** For the threads of scripts that have ended. */
const threadsEndMs = 1_000;
/** What a notification can show. */
const noticeCharacters = 1_000;

export class Cells {
  readonly scripts: Scripts;
  readonly questions: Questions;
  readonly #options: CellsOptions;
  readonly #runs: Runs;
  readonly #marks: LedgerMarks;
  readonly #closing: CellClosing;
  readonly #workspaces = new Map<string, WorkspaceCells>();
  readonly #liveThreads = new LiveThreads();
  #workers: Promise<StartWorker> | null = null;
  #isEnding = false;

  constructor(options: CellsOptions) {
    this.#options = options;
    const { clock, log, ledger, changed } = options;
    this.scripts = new Scripts({ ledger: ledger.scripts, changed: (scripts) => changed({ scripts }) });
    this.questions = new Questions({
      clock,
      changed: (cellQuestions) => {
        changed({ cellQuestions });
        this.#runs.questionsChanged();
      },
    });
    this.#marks = new LedgerMarks({
      ledger: ledger.cellMarks,
      scriptName: (runId) => this.#runs.row(runId)?.scriptName ?? null,
      threadsChanged: (runId) => this.#runs.threadsChanged(runId),
    });
    this.#runs = new Runs({
      ledger: ledger.cellRuns,
      clock,
      log,
      isAsking: (runId) => this.questions.list.some((question) => question.runId === runId),
      threadsOf: (runId) =>
        this.#marks.threadsOf(runId).map((threadKey) => ({ threadKey, title: this.#titleOf(threadKey) })),
      owed: (runId) => this.#owed(runId),
      changed: (runs) => changed({ runs }),
      dropped: () => this.#marks.reload(),
    });
    this.#closing = recordedClosing({
      cleanups: options.cleanups,
      clock,
      delegateOf: (runId) => {
        const row = this.#runs.row(runId);
        return row ? this.#cellsOf(row.workspaceId) : null;
      },
      about: (runId) => {
        const row = this.#runs.row(runId);
        return row ? { workspaceId: row.workspaceId, scriptName: row.scriptName } : {};
      },
    });
    changed({ scripts: this.scripts.rows, runs: this.#runs.rows, cellQuestions: this.questions.list });
  }

  /** What runs have done to threads. */
  get marks(): RunMarks {
    return this.#marks;
  }

  /** Throws Fault `run_unknown`. */
  open(runId: string, listener: RunListener): { snapshot: RunSnapshot; close(): void } {
    return this.#runs.open(runId, listener);
  }

  /**
   * The id of the run, which is on record. Rejects with Fault `workspace_unknown`, `folder_gone`, `shutting_down`,
   * `too_many_cells`, `script_too_long`.
   */
  async run(request: {
    workspaceId: string;
    scriptId: string | null;
    name: string;
    source: string;
  }): Promise<string> {
    const { workspaces } = this.#options;
    const { workspaceId, scriptId, name, source } = request;
    await workspaces.presentFolder(workspaceId);
    const workspace = workspaces.list().find(({ id }) => id === workspaceId);
    if (!workspace) throw new Fault("workspace_unknown", "This workspace is not on the list any more.");
    if (this.#isEnding) throw new Fault("shutting_down", "Holdfast is ending.");
    return this.#cellsOf(workspaceId).execute({
      scriptId,
      scriptName: name,
      source,
      workspaceId,
      workspaceName: workspace.name,
    });
  }

  /** Resolves when the script runs no more. Throws Fault `run_unknown`, or why a thread could not be stopped. */
  async stop(runId: string, stopThreads: boolean): Promise<void> {
    const row = this.#runs.row(runId);
    if (!row) throw unknownRun(runId);
    await this.#workspaces.get(row.workspaceId)?.stop(runId);
    if (stopThreads) await this.#stopThreads(runId);
  }

  /** Throws Fault `run_unknown`. */
  earlierOutput(runId: string, before: number): { items: RunOutputItem[]; from: number } {
    return this.#runs.earlierOutput(runId, before);
  }

  /** null: all that have ended. Throws Fault `run_unknown` or `run_at_work`. */
  forget(runId: string | null): void {
    this.#runs.forget(runId);
  }

  /** A script runs there, or what it has begun is being ended. */
  isAtWork(workspaceId: string): boolean {
    return (this.#workspaces.get(workspaceId)?.count ?? 0) > 0;
  }

  /** A script may need the session of this workspace at any moment. */
  needsSession(workspaceId: string): boolean {
    return (
      this.isAtWork(workspaceId) ||
      [...this.#workspaces.values()].some((cells) => cells.usesSession(workspaceId))
    );
  }

  /** The names of the scripts that run in this workspace. */
  scriptsIn(workspaceId: string): string[] {
    const own = this.#runs.live.filter(
      ({ hasEnded, record }) => !hasEnded && record.workspaceId === workspaceId,
    );
    return own.map(({ record }) => record.scriptName);
  }

  /** The names of the scripts that run. */
  get running(): string[] {
    return this.#runs.live.filter((run) => !run.hasEnded).map((run) => run.record.scriptName);
  }

  /** Call after `shutDown`: false when a thread of a script does not end, which would hold up the end of the process. */
  threadsEnded(): Promise<boolean> {
    return this.#liveThreads.allEnded(this.#options.clock, threadsEndMs);
  }

  cleanupsChanged(): void {
    this.#runs.cleanupsChanged();
  }

  /** Ends all runs. Resolves in bounded time, whatever they do. */
  async shutDown(): Promise<void> {
    this.#isEnding = true;
    const { clock, log } = this.#options;
    const ended = Promise.all([...this.#workspaces.values()].map((cells) => cells.shutdown()));
    await new Promise<void>((resolve) => {
      const timer = clock.after(shutDownMs, () => {
        log.warn("what scripts have begun did not end in time", { runs: this.#runs.live.length });
        resolve();
      });
      void ended.then(() => {
        timer.cancel();
        resolve();
      });
    });
    for (const run of this.#runs.live) run.stopped();
    this.#runs.recordEnds();
  }

  #cellsOf(workspaceId: string): WorkspaceCells {
    const known = this.#workspaces.get(workspaceId);
    if (known) return known;
    const { clock, log, ledger, limits, notify } = this.#options;
    const cells = new WorkspaceCells({
      clock,
      log,
      runs: this.#runs,
      verbs: this.#verbsOf(workspaceId),
      stored: ledgerValues(ledger.cellValues, workspaceId),
      closing: this.#closing,
      limits: () => limitsOf(limits()),
      loadWorkers: () => this.#loadWorkers(),
      notify: ({ record: { scriptName, runId } }, text) =>
        notify({ title: scriptName, text: text.slice(0, noticeCharacters), runId }),
    });
    this.#workspaces.set(workspaceId, cells);
    return cells;
  }

  #verbsOf(workspaceId: string): Verbs {
    const { verbs, threads, workspaces, worktrees, connect, cannotSend, clock, log } = this.#options;
    if (verbs) return verbs(workspaceId);
    const { questions, marks } = this;
    return new CellVerbs({
      workspaceId,
      threads,
      workspaces,
      worktrees,
      connect,
      cannotSend,
      clock,
      log,
      questions,
      marks,
    });
  }

  /** One for all workspaces; read again when it could not be read. */
  #loadWorkers(): Promise<StartWorker> {
    const { loadWorkers, workerScript, log } = this.#options;
    this.#workers ??= (
      loadWorkers ? loadWorkers() : loadCellWorkers(workerScript, log, this.#liveThreads)
    ).catch((cause: unknown) => {
      this.#workers = null;
      throw new Fault("scripts_unusable", "Holdfast cannot run scripts: a part of it could not be read.", {
        hint: "Install Holdfast again.",
        detail: asFault(cause).message,
        cause,
      });
    });
    return this.#workers;
  }

  async #stopThreads(runId: string): Promise<void> {
    const { threads } = this.#options;
    const started = new Set(this.#marks.threadsOf(runId));
    const running = threads.all.filter(
      (thread) => thread.state.running && (started.has(thread.key) || started.has(thread.threadId ?? "")),
    );
    for (const stopped of await Promise.allSettled(running.map((thread) => thread.stop()))) {
      if (stopped.status === "rejected") throw stopped.reason;
    }
  }

  #titleOf(threadKey: string): string {
    const { threads } = this.#options;
    const alive = threads.all.find((thread) => thread.key === threadKey || thread.threadId === threadKey);
    return alive?.state.facts.title || threads.rows.find(threadKey)?.title || "";
  }

  #owed(runId: string): FaultView | null {
    const record = this.#options.cleanups.get(cleanupIdOfRun(runId));
    return record?.lastError ? toFaultView(record.lastError) : null;
  }
}
