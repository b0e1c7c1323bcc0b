// The cells of one workspace: a runtime, and for each cell one who observes it and tells its run what comes of it.
//
// Races:
// - Between two observations of a cell it is stopped: the one who stops it is given its end then, and the run takes it from
//   there. The runtime is shut down in that moment: the next observation still gets the end (cellMachine.ts).
// - Everything that belongs to a cell has ended before its end has been read here: the run is closed after it has ended.
// - A run is stopped twice, or as it ends by itself: nothing is left to be done, which is no failure.

import { asFault, Fault } from "../../fault";
import type { NewRun } from "../../ledger/cellRunsLedger";
import type { Log } from "../../log";
import type { CellEvent } from "../runtime/cellEvents";
import { CellRuntime, type CellRuntimeOptions } from "../runtime/cellRuntime";
import type { CellDelegate } from "../runtime/delegate";
import type { ToolName } from "../tools/tools";
import type { Run } from "./run";
import type { Runs } from "./runs";

/** What does the work of `tools.*`. */
export interface Verbs {
  call(runId: string, name: ToolName, args: unknown, signal: AbortSignal): Promise<unknown>;
  closed(runId: string): Promise<void>;
  /** Something that goes on there needs this session, whichever workspace the script runs in. */
  usesSession(workspaceId: string): boolean;
}

export interface WorkspaceCellsOptions extends Omit<CellRuntimeOptions, "delegate" | "changed" | "newId"> {
  log: Log;
  runs: Runs;
  verbs: Verbs;
  notify(run: Run, text: string): void;
}

interface LiveCell {
  run: Run;
  /** Set once somebody stops it. */
  stopping: Promise<CellEvent> | null;
  notifiedAtMs: number;
  /** Everything that belongs to it has ended. */
  gone(): void;
}

/** After the first item of the output, for those that come with it. */
const outputMomentMs = 30;
/** How soon after one notification of a run the next one. */
const noticeGapMs = 1_000;

export class WorkspaceCells implements CellDelegate {
  readonly #options: WorkspaceCellsOptions;
  readonly #runtime: CellRuntime;
  readonly #live = new Map<string, LiveCell>();

  constructor(options: WorkspaceCellsOptions) {
    this.#options = options;
    this.#runtime = new CellRuntime({ ...options, delegate: this, changed: () => this.#changed() });
  }

  /** How many have not come to their end with all that belongs to them. */
  get count(): number {
    return this.#runtime.count;
  }

  usesSession(workspaceId: string): boolean {
    return this.#options.verbs.usesSession(workspaceId);
  }

  /** Throws the Fault that says why it cannot be run; nothing is on record then. */
  execute(order: Omit<NewRun, "runId">): string {
    let run: Run | null = null;
    const { cellId, event } = this.#runtime.execute(
      order.source,
      { type: "output", momentMs: outputMomentMs },
      (runId) => {
        run = this.#options.runs.start({ ...order, runId });
      },
    );
    if (run) void this.#follow(run, event);
    return cellId;
  }

  /** Resolves when the script runs no more. Never rejects for one that has ended meanwhile. */
  async stop(runId: string): Promise<void> {
    const live = this.#live.get(runId);
    if (!live) return;
    try {
      live.stopping ??= this.#runtime.terminate(runId);
      live.run.ended(await live.stopping);
    } catch (error) {
      const fault = asFault(error);
      if (fault.code !== "missing_cell" && fault.code !== "already_terminating") throw fault;
    }
  }

  /** All end, and none is begun any more. Resolves when nothing of them is left. */
  shutdown(): Promise<void> {
    for (const { run, stopping } of this.#live.values()) if (stopping === null) run.holdfastEnds();
    return this.#runtime.shutdown();
  }

  async call(runId: string, name: ToolName, args: unknown, signal: AbortSignal): Promise<unknown> {
    const run = this.#live.get(runId)?.run;
    if (!run) throw new Fault("run_unknown", "This run has ended.");
    const { verbs } = this.#options;
    return run.calls.perform(name, args, signal, () => verbs.call(runId, name, args, signal));
  }

  async notify(runId: string, text: string): Promise<void> {
    const live = this.#live.get(runId);
    const nowMs = this.#options.clock.nowMs();
    // All of them are in its output. A clock that was put back keeps none waiting.
    if (!live || Math.abs(nowMs - live.notifiedAtMs) < noticeGapMs) return;
    live.notifiedAtMs = nowMs;
    this.#options.notify(live.run, text);
  }

  cellClosed(runId: string): Promise<void> {
    return this.#options.verbs.closed(runId);
  }

  async #follow(run: Run, first: Promise<CellEvent>): Promise<void> {
    const { runId } = run.record;
    const gone = new Promise<void>((resolve) => {
      this.#live.set(runId, { run, stopping: null, notifiedAtMs: 0, gone: resolve });
    });
    try {
      let event = await first;
      while (event.type === "yielded") {
        run.wrote(event.output);
        event = await this.#runtime.observe(runId, { type: "output", momentMs: outputMomentMs });
      }
      run.ended(event);
    } catch (error) {
      await this.#stopped(run, asFault(error));
    }
    await gone;
    this.#live.delete(runId);
    this.#options.runs.closed(run);
  }

  /** It could not be observed: whoever stops it knows how it ends. */
  async #stopped(run: Run, fault: Fault): Promise<void> {
    const { log } = this.#options;
    const { runId } = run.record;
    const stopping = this.#live.get(runId)?.stopping;
    try {
      if (stopping) run.ended(await stopping);
      else throw fault;
    } catch (error) {
      log.error("how a run has ended is not known", { runId, error: asFault(error).message });
      run.endsUntold();
    }
  }

  #changed(): void {
    const phases = new Map(this.#runtime.cells.map(({ cellId, phase }) => [cellId, phase]));
    for (const [runId, { run, gone }] of this.#live) {
      const phase = phases.get(runId);
      if (phase) run.inPhase(phase);
      else gone();
    }
  }
}
