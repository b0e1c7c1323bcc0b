// One run that is under way: what it has written and asked for, and where it stands, in memory and on record.
//
// Races:
// - Its end is told twice (to the one who observes it and to the one who stops it): it ends once, with the first.
// - Output comes while the ledger cannot be written: it is kept here and written with what comes next, each item once.
// - Its end comes while the ledger cannot be written: it is shown as it ended, and written down at the next occasion (runs.ts).
// - Holdfast ends before the run has: what comes of it later is ignored.

import type { RunChange, RunError, RunOutputItem, RunState } from "../../../preload/contract/cells";
import type { Clock } from "../../clock";
import { asFault } from "../../fault";
import type { CellRunsLedger, RunEnd, RunRecord } from "../../ledger/cellRunsLedger";
import type { Log } from "../../log";
import type { CellView } from "../runtime/cell";
import type { CellError, CellEvent } from "../runtime/cellEvents";
import { OutputTail } from "./outputTail";
import { RunCalls } from "./runCalls";

export interface RunOptions {
  record: RunRecord;
  source: string;
  ledger: CellRunsLedger;
  clock: Clock;
  log: Log;
  /** It has asked the person something and waits. */
  isAsking(): boolean;
  changed(changes: RunChange[], urgent: boolean): void;
  stateChanged(): void;
}

export class Run {
  readonly record: RunRecord;
  readonly source: string;
  readonly calls: RunCalls;
  readonly output = new OutputTail();
  readonly #options: RunOptions;
  #unwritten: RunOutputItem[] = [];
  #phase: "running" | "ending" = "running";
  #end: { state: RunEnd; error: RunError | null } | null = null;
  #isRecorded = false;
  #state: RunState = "running";
  #endsWithHoldfast = false;

  constructor(options: RunOptions) {
    const { record, source, ledger, clock, log, changed } = options;
    this.#options = options;
    this.record = record;
    this.source = source;
    this.calls = new RunCalls({
      runId: record.runId,
      ledger,
      clock,
      log,
      changed: (call) => changed([{ type: "calls", calls: [call] }], false),
    });
  }

  /** As it is shown: "ending" until everything that belongs to it has ended. */
  get state(): RunState {
    return this.#state;
  }

  get error(): RunError | null {
    return this.#end?.error ?? null;
  }

  /** The script has come to its end, whatever still belongs to it. */
  get hasEnded(): boolean {
    return this.#end !== null;
  }

  /** From the cell's own thread, in order. */
  wrote(items: readonly RunOutputItem[]): void {
    if (this.#end || items.length === 0) return;
    this.output.add(items);
    for (const item of items) this.#unwritten.push(item);
    const { ledger, log, changed, record } = this.#options;
    try {
      ledger.addOutput(record.runId, this.#firstUnwritten, this.#unwritten);
      this.#unwritten = [];
    } catch (error) {
      log.error("the output of a run could not be recorded", {
        runId: record.runId,
        error: asFault(error).message,
      });
    }
    changed([{ type: "output", items: [...items] }], false);
  }

  ended(event: CellEvent): void {
    if (event.type === "yielded") this.wrote(event.output);
    else if (event.type === "terminated") this.#stop(event.output);
    else if (event.error) this.#finish({ state: "failed", error: runError(event.error) }, event.output);
    else this.#finish({ state: "completed", error: null }, event.output);
  }

  /** Holdfast ends: if it is stopped from here on, that is why. */
  holdfastEnds(): void {
    this.#endsWithHoldfast = true;
  }

  /** Holdfast ends, and does not wait for it any longer. */
  stopped(): void {
    this.#stop([]);
  }

  endsUntold(): void {
    const text = "How this script has ended is not known.";
    this.#finish({ state: "failed", error: { text, at: null, isLimit: false } }, []);
  }

  /** What the runtime says of its cell. */
  inPhase(phase: CellView["phase"]): void {
    this.#phase = phase === "running" ? "running" : "ending";
    this.look();
  }

  /** Everything that belongs to it has ended. */
  closed(): void {
    this.endsUntold();
    if (this.#end) this.#show(this.#end.state);
  }

  /** Whether it waits for the person may have changed. */
  look(): void {
    if (this.#end || this.#phase === "ending") this.#show("ending");
    else this.#show(this.#options.isAsking() ? "waiting for answer" : "running");
  }

  /** Writes down how it has ended, unless that is on record already; false: it still is not. */
  recorded(): boolean {
    if (this.#isRecorded || !this.#end) return this.#isRecorded;
    const { ledger, log, record } = this.#options;
    try {
      ledger.end(record.runId, { ...this.#end, from: this.#firstUnwritten, output: this.#unwritten });
      this.#unwritten = [];
      this.#isRecorded = true;
    } catch (error) {
      log.error("the end of a run could not be recorded", {
        runId: record.runId,
        error: asFault(error).message,
      });
    }
    return this.#isRecorded;
  }

  #stop(output: readonly RunOutputItem[]): void {
    const error = this.#endsWithHoldfast
      ? { text: "Holdfast was ended while it ran.", at: null, isLimit: false }
      : null;
    this.#finish({ state: "stopped", error }, output);
  }

  get #firstUnwritten(): number {
    return this.output.total - this.#unwritten.length;
  }

  #finish(end: { state: RunEnd; error: RunError | null }, output: readonly RunOutputItem[]): void {
    if (this.#end) return;
    const { changed } = this.#options;
    this.output.add(output);
    for (const item of output) this.#unwritten.push(item);
    this.#end = end;
    const cut = this.calls.end();
    this.recorded();
    if (output.length > 0) changed([{ type: "output", items: [...output] }], false);
    if (cut.length > 0) changed([{ type: "calls", calls: cut }], false);
    if (end.error) changed([{ type: "head", value: { error: end.error } }], false);
    this.#show("ending");
  }

  #show(state: RunState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.stateChanged();
  }
}

function runError({ text, at, limit }: CellError): RunError {
  return { text, at, isLimit: limit !== null };
}
