// All runs that are kept: those under way and those that have ended, and who watches them. What a run is has its home here;
// what runs it is in workspaceCells.ts.
//
// Races:
// - A run that an earlier life of Holdfast had under way: it was cut off, which is recorded before anything else is done.
// - A run ends while it is being looked at: the same watchers go on hearing of it.
// - A run ends while the ledger cannot be written: it is kept here, is shown from here, and is written down whenever
//   something else is done here, or as Holdfast ends.
// - A run is forgotten while a window shows it: what it shows stays, and nothing more comes.

import type { RunChange, RunHead, RunOutputItem, RunRow, RunSnapshot } from "../../../preload/contract/cells";
import type { FaultView } from "../../../preload/contract/fault";
import type { Clock } from "../../clock";
import { asFault, Fault } from "../../fault";
import type { CellRunsLedger, NewRun } from "../../ledger/cellRunsLedger";
import type { Log } from "../../log";
import { tailBytes } from "./outputTail";
import { Run } from "./run";
import { shownCalls } from "./runCalls";

export type RunListener = (changes: RunChange[], urgent: boolean) => void;

export interface RunsOptions {
  ledger: CellRunsLedger;
  clock: Clock;
  log: Log;
  isAsking(runId: string): boolean;
  /** The threads that a run has started. */
  threadsOf(runId: string): RunHead["threads"];
  /** Why the end of a run is still owed. */
  owed(runId: string): FaultView | null;
  changed(rows: RunRow[]): void;
  /** Some are kept no more. */
  dropped(): void;
}

export class Runs {
  readonly #options: RunsOptions;
  readonly #live = new Map<string, Run>();
  /** They have ended, and the ledger could not be told. */
  readonly #unrecorded = new Map<string, Run>();
  readonly #watchers = new Map<string, Set<RunListener>>();
  /** The newest first. */
  #rows: RunRow[];

  constructor(options: RunsOptions) {
    this.#options = options;
    options.ledger.cutOffRunning();
    this.#rows = options.ledger.list();
  }

  get rows(): RunRow[] {
    return this.#rows;
  }

  get live(): Run[] {
    return [...this.#live.values()];
  }

  row(runId: string): RunRow | null {
    return this.#rows.find((row) => row.runId === runId) ?? null;
  }

  /** On record when this returns. */
  start(newRun: NewRun): Run {
    const { ledger, clock, log } = this.#options;
    const { runId } = newRun;
    const record = ledger.start(newRun);
    this.recordEnds();
    const run = new Run({
      record,
      source: newRun.source,
      ledger,
      clock,
      log,
      isAsking: () => this.#options.isAsking(runId),
      changed: (changes, urgent) => this.#tell(runId, changes, urgent),
      stateChanged: () => this.#stateChanged(run),
    });
    this.#live.set(runId, run);
    this.#rows = [record, ...this.#rows];
    this.#options.changed(this.#rows);
    return run;
  }

  /** Everything that belongs to it has ended. */
  closed(run: Run): void {
    const { runId } = run.record;
    run.closed();
    this.#live.delete(runId);
    this.#unrecorded.set(runId, run);
    this.recordEnds();
    try {
      if (this.#options.ledger.prune()) this.#reload();
    } catch (error) {
      // Being tidy can wait; when Holdfast has ended meanwhile, for its next start.
      this.#options.log.info("old runs were not removed", { error: asFault(error).code });
    }
  }

  /** What could not be recorded before. */
  recordEnds(): void {
    for (const run of this.#live.values()) run.recorded();
    for (const [runId, run] of this.#unrecorded) if (run.recorded()) this.#unrecorded.delete(runId);
  }

  /** Throws Fault `run_unknown`. */
  open(runId: string, listener: RunListener): { snapshot: RunSnapshot; close(): void } {
    this.recordEnds();
    const snapshot = this.#snapshot(runId);
    const watchers = this.#watchers.get(runId) ?? new Set();
    this.#watchers.set(runId, watchers.add(listener));
    return {
      snapshot,
      close: () => {
        watchers.delete(listener);
        if (watchers.size === 0 && this.#watchers.get(runId) === watchers) this.#watchers.delete(runId);
      },
    };
  }

  /** Throws Fault `run_unknown`. */
  earlierOutput(runId: string, before: number): { items: RunOutputItem[]; from: number } {
    if (!this.row(runId)) throw unknownRun(runId);
    const { items, from } = this.#options.ledger.outputBefore(runId, before, tailBytes);
    return { items, from };
  }

  /** null: all that have ended. What is still owed to a run keeps it. Throws Fault `run_unknown` or `run_at_work`. */
  forget(runId: string | null): void {
    const { ledger, owed } = this.#options;
    this.recordEnds();
    const which = runId === null ? this.#rows : [this.row(runId) ?? unknown(runId)];
    const free = which.filter((row) => !this.#live.has(row.runId) && !owed(row.runId));
    if (runId !== null && free.length === 0) {
      throw new Fault("run_at_work", "This run has not come to its end in order yet.", {
        hint: "Stop it first, or wait until its cleanup has succeeded.",
      });
    }
    ledger.forget(free.map((row) => row.runId));
    this.#reload();
  }

  /** What each run asks the person has changed. */
  questionsChanged(): void {
    for (const run of this.live) run.look();
  }

  threadsChanged(runId: string): void {
    if (!this.#watchers.has(runId)) return;
    this.#tell(runId, [{ type: "head", value: { threads: this.#options.threadsOf(runId) } }], true);
  }

  /** What is owed has changed. */
  cleanupsChanged(): void {
    for (const runId of this.#watchers.keys()) {
      this.#tell(runId, [{ type: "head", value: { cleanup: this.#options.owed(runId) } }], true);
    }
  }

  #snapshot(runId: string): RunSnapshot {
    const row = this.row(runId);
    const run = this.#live.get(runId) ?? this.#unrecorded.get(runId);
    if (!row) throw unknownRun(runId);
    const { threadsOf, owed, ledger } = this.#options;
    const around = { threads: threadsOf(runId), cleanup: owed(runId) };
    if (run) {
      return {
        head: { ...row, ...around, source: run.source, error: run.error },
        output: [...run.output.items],
        earlierOutput: run.output.first,
        calls: run.calls.list,
        earlierCalls: run.calls.earlier,
      };
    }
    const kept = ledger.get(runId);
    if (!kept) throw unknownRun(runId);
    const output = ledger.outputBefore(runId, Number.MAX_SAFE_INTEGER, tailBytes);
    const { calls, earlier } = ledger.lastCalls(runId, shownCalls);
    return {
      head: { ...row, ...around, source: kept.source, error: kept.error },
      output: output.items,
      earlierOutput: output.from,
      calls,
      earlierCalls: earlier,
    };
  }

  #stateChanged(run: Run): void {
    const { runId } = run.record;
    const { state } = run;
    const isOver = state === "completed" || state === "failed" || state === "stopped" || state === "cut off";
    const change = { state, endedAtMs: isOver ? this.#options.clock.nowMs() : null };
    this.#rows = this.#rows.map((row) => (row.runId === runId ? { ...row, ...change } : row));
    this.#tell(runId, [{ type: "head", value: change }], true);
    this.#options.changed(this.#rows);
  }

  /** From the ledger, but for what is under way. */
  #reload(): void {
    const shown = new Map(this.#rows.map((row) => [row.runId, row]));
    this.#rows = this.#options.ledger.list().map((record) => shown.get(record.runId) ?? record);
    this.#options.dropped();
    this.#options.changed(this.#rows);
  }

  #tell(runId: string, changes: RunChange[], urgent: boolean): void {
    for (const listener of this.#watchers.get(runId) ?? []) listener(changes, urgent);
  }
}

function unknown(runId: string): never {
  throw unknownRun(runId);
}

export function unknownRun(runId: string): Fault {
  return new Fault("run_unknown", "Holdfast does not know this run.", {
    hint: "It may have been taken off the list.",
    detail: runId,
  });
}
