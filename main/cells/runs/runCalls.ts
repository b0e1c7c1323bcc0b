// What one run has asked for, in memory and on record. A call is on record before it is done.
//
// Races:
// - A call is answered after its run has ended. It was cut off then, and stays so.
// - A call fails because it was cancelled: that is no failure of it; it was cut off.
// - The ledger cannot be written: a call that is not on record is not made. Where its end cannot be recorded, the script is
//   answered all the same.

import type { RunCall } from "../../../preload/contract/cells";
import type { Clock } from "../../clock";
import { asFault } from "../../fault";
import type { CellRunsLedger } from "../../ledger/cellRunsLedger";
import type { Log } from "../../log";
import { callSummary, threadIdIn } from "./callSummary";

/** So many of the newest are shown. */
export const shownCalls = 500;
/** So many of the newest are kept; older ones that were answered are dropped now and then. */
const keptCalls = 2_000;
const dropEach = 500;
const errorCharacters = 2_000;

export interface RunCallsOptions {
  runId: string;
  ledger: CellRunsLedger;
  clock: Clock;
  log: Log;
  changed(call: RunCall): void;
}

export class RunCalls {
  readonly #options: RunCallsOptions;
  /** Those that are shown, and those before them that are pending. */
  readonly #calls = new Map<number, RunCall>();
  #last = 0;
  #isOver = false;

  constructor(options: RunCallsOptions) {
    this.#options = options;
  }

  get list(): RunCall[] {
    return [...this.#calls.values()];
  }

  /** How many were made that are not in the list. */
  get earlier(): number {
    return this.#last - this.#calls.size;
  }

  /** Does the work on record. What it throws is thrown on. */
  async perform<Result>(
    tool: string,
    args: unknown,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const call = this.#begin(tool, args);
    try {
      const result = await work();
      this.#ended({ ...call, threadId: call.threadId ?? threadIdIn(result), state: "done" });
      return result;
    } catch (error) {
      if (signal.aborted) this.#ended({ ...call, state: "cut off" });
      else this.#ended({ ...call, state: "failed", error: asFault(error).message.slice(0, errorCharacters) });
      throw error;
    }
  }

  /** The run has ended: what was not answered is cut off, as the ledger says too. The calls that this has changed. */
  end(): RunCall[] {
    this.#isOver = true;
    const endedAtMs = this.#options.clock.nowMs();
    const cut = this.list
      .filter((call) => call.state === "pending")
      .map((call): RunCall => ({ ...call, state: "cut off", endedAtMs }));
    for (const call of cut) this.#calls.set(call.callId, call);
    return cut;
  }

  #begin(tool: string, args: unknown): RunCall {
    const { clock, ledger, runId, changed } = this.#options;
    const call: RunCall = {
      callId: this.#last + 1,
      tool,
      summary: callSummary(args),
      threadId: threadIdIn(args),
      state: "pending",
      error: null,
      startedAtMs: clock.nowMs(),
      endedAtMs: null,
    };
    ledger.putCall(runId, call);
    this.#last = call.callId;
    this.#calls.set(call.callId, call);
    this.#hideOld();
    this.#dropOld();
    changed(call);
    return call;
  }

  #hideOld(): void {
    for (const [callId, { state }] of this.#calls) {
      if (this.#calls.size <= shownCalls) break;
      if (state !== "pending") this.#calls.delete(callId);
    }
  }

  #dropOld(): void {
    if (this.#last <= keptCalls || this.#last % dropEach !== 0) return;
    this.#written(() => this.#options.ledger.dropCallsBefore(this.#options.runId, this.#last - keptCalls));
  }

  #ended(answered: RunCall): void {
    if (this.#isOver) return;
    const { clock, ledger, runId, changed } = this.#options;
    const call = { ...answered, endedAtMs: clock.nowMs() };
    this.#written(() => ledger.putCall(runId, call));
    if (this.#calls.has(call.callId)) this.#calls.set(call.callId, call);
    this.#hideOld();
    changed(call);
  }

  #written(write: () => void): void {
    try {
      write();
    } catch (error) {
      const { log, runId } = this.#options;
      log.error("a call of a run could not be recorded", { runId, error: asFault(error).message });
    }
  }
}
