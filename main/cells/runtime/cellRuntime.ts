// All cells of one session: runs scripts, lets them be observed and ended, and ends all of them when the session ends.
// Who is admitted and when a shutdown is over is decided in runtimeMachine.ts, the life of one cell in cellMachine.ts.
//
// Races:
// - A cell is looked for by its id while its delegate is told of its end: it still counts, and is answered as missing.
// - Reading QuickJS has failed for one cell (no file handle left, say): the next cell reads it again.

import { randomUUID } from "node:crypto";
import type { Clock } from "../../clock";
import { asFault, Fault } from "../../fault";
import type { Log } from "../../log";
import { Cell, type CellView } from "./cell";
import type { CellClosing } from "./cellClosing";
import type { CellEvent, ObserveMode } from "./cellEvents";
import { missingCell } from "./cellMachine";
import type { StartWorker } from "./cellWorker";
import type { CellDelegate } from "./delegate";
import { type CellLimits, checkedLimits, scriptBytes } from "./limits";
import { decideRuntime, openRuntime, type RuntimeEffect, type RuntimeHappening } from "./runtimeMachine";
import type { StoredValues } from "./storedValues";

export interface CellRuntimeOptions {
  delegate: CellDelegate;
  stored: StoredValues;
  closing: CellClosing;
  clock: Clock;
  log: Log;
  /** Asked for each cell, so that what the person sets holds for the next one. */
  limits(): CellLimits;
  loadWorkers(): Promise<StartWorker>;
  /** Something that `cells` shows has changed. */
  changed?(): void;
  newId?(): string;
}

export interface StartedCell {
  /** Never used again, not even after a restart of the app. */
  cellId: string;
  /** Rejects with a Fault only if the cell is gone before it has said anything. */
  event: Promise<CellEvent>;
}

export class CellRuntime {
  readonly #options: CellRuntimeOptions;
  readonly #cells = new Map<string, Cell>();
  readonly #shutdowns = new Map<number, () => void>();
  #state = openRuntime;
  #lastShutdown = 0;
  #workers: Promise<StartWorker> | null = null;

  constructor(options: CellRuntimeOptions) {
    this.#options = options;
  }

  /** Those that have not ended, and those whose delegate has not returned from their end. */
  get count(): number {
    return this.#state.cells.size;
  }

  get cells(): CellView[] {
    return [...this.#cells.values()].map((cell) => cell.view);
  }

  /**
   * `admitted`: called once it is certain that the cell runs, and before it does; what it throws keeps the cell from running
   * and is thrown on. Throws Fault `shutting_down`, `too_many_cells`, `script_too_long` or `bad_limit`.
   */
  execute(script: string, mode: ObserveMode, admitted?: (cellId: string) => void): StartedCell {
    const limits = checkedLimits(this.#options.limits());
    if (Buffer.byteLength(script) > scriptBytes) {
      throw new Fault("script_too_long", `A script may have ${scriptBytes / 1024} KiB.`);
    }
    const cellId = (this.#options.newId ?? randomUUID)();
    const effects = this.#decide({ type: "execute", cellId, limits });
    for (const effect of effects) {
      if (effect.type === "refuse") throw effect.fault;
    }
    try {
      admitted?.(cellId);
    } catch (error) {
      this.#happens({ type: "cellGone", cellId });
      throw error;
    }
    const cell = this.#makeCell(cellId, script, limits);
    this.#cells.set(cellId, cell);
    const event = cell.observe(mode);
    cell.begin();
    return { cellId, event };
  }

  /** Rejects with Fault `missing_cell` or `cell_busy`. */
  async observe(cellId: string, mode: ObserveMode): Promise<CellEvent> {
    return this.#find(cellId).observe(mode);
  }

  /** Resolves with the last event of the cell. Rejects with Fault `missing_cell` or `already_terminating`. */
  async terminate(cellId: string): Promise<CellEvent> {
    return this.#find(cellId).terminate();
  }

  /** No cell is admitted any more, and all end. Resolves when the delegate has returned from the end of each of them. */
  shutdown(): Promise<void> {
    this.#lastShutdown += 1;
    const id = this.#lastShutdown;
    return new Promise((resolve) => {
      this.#shutdowns.set(id, resolve);
      this.#happens({ type: "shutdown", id });
    });
  }

  /** The same, and nobody waits for it. */
  drop(): void {
    this.#happens({ type: "shutdown", id: null });
  }

  #find(cellId: string): Cell {
    const cell = this.#cells.get(cellId);
    if (!cell) throw missingCell();
    return cell;
  }

  #makeCell(cellId: string, script: string, limits: CellLimits): Cell {
    const { delegate, stored, clock, log, closing } = this.#options;
    return new Cell({
      cellId,
      script,
      limits,
      delegate,
      stored,
      clock,
      log,
      worker: () => this.#loadWorkers(),
      close: () => closing.close(cellId),
      gone: () => {
        this.#cells.delete(cellId);
        this.#happens({ type: "cellGone", cellId });
      },
      changed: () => this.#options.changed?.(),
    });
  }

  async #loadWorkers(): Promise<StartWorker> {
    this.#workers ??= this.#options.loadWorkers().catch((error: unknown) => {
      this.#workers = null;
      this.#options.log.error("what runs scripts could not be loaded", { error: asFault(error).message });
      throw error;
    });
    return this.#workers;
  }

  #happens(happening: RuntimeHappening): void {
    for (const effect of this.#decide(happening)) this.#perform(effect);
  }

  #decide(happening: RuntimeHappening): RuntimeEffect[] {
    const [state, effects] = decideRuntime(this.#state, happening);
    this.#state = state;
    return effects;
  }

  #perform(effect: RuntimeEffect): void {
    switch (effect.type) {
      case "forsake":
        this.#cells.get(effect.cellId)?.forsake();
        return;
      case "settle":
        for (const id of effect.ids) {
          this.#shutdowns.get(id)?.();
          this.#shutdowns.delete(id);
        }
        return;
      case "admit":
      case "refuse":
        // `execute` answers these itself.
        return;
      default:
        effect satisfies never;
    }
  }
}
