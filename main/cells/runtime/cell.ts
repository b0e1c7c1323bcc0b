// Performs what cellMachine.ts decides for one cell: its thread, its timers, and what the delegate does for it. Everything
// that comes back is an event, and events are taken one after another, also those that come of performing an earlier one.
//
// Races:
// - It is ended before its thread has been started (QuickJS is still being read): the thread is never started.
// - A delegate that throws, answers with what is no JSON, or with too much: the script gets an error.

import type { Clock, Timer } from "../../clock";
import { asFault, Fault } from "../../fault";
import type { Log } from "../../log";
import { readCall, toolNames } from "../tools/tools";
import type { CellEvent, ObserveMode, PendingCall } from "./cellEvents";
import { decideCell, pendingCalls } from "./cellMachine";
import {
  type CellEffect,
  type CellHappening,
  type CellState,
  type CellTimer,
  newCell,
  type TaskAnswer,
} from "./cellState";
import type { CellWorker, StartWorker } from "./cellWorker";
import type { CellDelegate } from "./delegate";
import { type CellLimits, valueBytes } from "./limits";
import type { StoredValues } from "./storedValues";

export interface CellOptions {
  cellId: string;
  script: string;
  limits: CellLimits;
  delegate: CellDelegate;
  stored: StoredValues;
  clock: Clock;
  log: Log;
  /** Rejects when there is none; the cell fails then. */
  worker(): Promise<StartWorker>;
  /** Tells the delegate of the end. Never rejects. */
  close(): Promise<Fault | null>;
  /** It does not exist any more. Once. */
  gone(): void;
  /** What can be seen of it has changed. */
  changed(): void;
}

export interface CellView {
  cellId: string;
  phase: CellState["phase"]["name"];
  pendingCalls: PendingCall[];
}

interface Waiter {
  resolve(event: CellEvent): void;
  reject(fault: Fault): void;
}

export class Cell {
  readonly #options: CellOptions;
  readonly #waiters = new Map<number, Waiter>();
  readonly #timers = new Map<CellTimer, Timer>();
  readonly #tasks = new Map<number, AbortController>();
  #state: CellState;
  #worker: CellWorker | null = null;
  #wasStopped = false;
  #lastWaiter = 0;
  #queue: CellHappening[] = [];
  #isTaking = false;

  constructor(options: CellOptions) {
    this.#options = options;
    this.#state = newCell(options.limits);
  }

  get view(): CellView {
    const { cellId } = this.#options;
    return { cellId, phase: this.#state.phase.name, pendingCalls: pendingCalls(this.#state) };
  }

  begin(): void {
    // What it throws is a rejection like any other.
    new Promise<StartWorker>((resolve) => resolve(this.#options.worker())).then(
      (start) => this.#startThread(start),
      (error: unknown) => this.#take({ type: "threadGone", fault: asFault(error) }),
    );
  }

  /** Rejects with Fault `cell_busy` or `missing_cell`. */
  observe(mode: ObserveMode): Promise<CellEvent> {
    return this.#wait((id) => ({ type: "observe", id, mode }));
  }

  /** Resolves with its last event. Rejects with Fault `already_terminating` or `missing_cell`. */
  terminate(): Promise<CellEvent> {
    return this.#wait((id) => ({ type: "terminate", id }));
  }

  forsake(): void {
    this.#take({ type: "forsake" });
  }

  #wait(happening: (id: number) => CellHappening): Promise<CellEvent> {
    this.#lastWaiter += 1;
    const id = this.#lastWaiter;
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject });
      this.#take(happening(id));
    });
  }

  #startThread(start: StartWorker): void {
    if (this.#wasStopped) return;
    const { script, limits, stored } = this.#options;
    try {
      this.#worker = start(
        { script, limits, stored: stored.all(), tools: toolNames },
        {
          said: (message) => this.#take({ type: "said", message }),
          gone: (fault) => this.#take({ type: "threadGone", fault }),
        },
      );
    } catch (error) {
      this.#take({ type: "threadGone", fault: asFault(error) });
    }
  }

  #take(happening: CellHappening): void {
    this.#queue.push(happening);
    if (this.#isTaking) return;
    this.#isTaking = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const [state, effects] = decideCell(this.#state, next);
      this.#state = state;
      for (const effect of effects) this.#safely(effect);
    }
    this.#isTaking = false;
    this.#tell();
  }

  /** A defect in one effect does not keep the cell from its end. */
  #safely(effect: CellEffect): void {
    try {
      this.#perform(effect);
    } catch (error) {
      const { log, cellId } = this.#options;
      log.error("an effect of a cell has failed", {
        cellId,
        effect: effect.type,
        error: asFault(error).message,
      });
    }
  }

  #perform(effect: CellEffect): void {
    switch (effect.type) {
      case "send":
        this.#worker?.send(effect.message);
        return;
      case "stop":
        this.#stop();
        return;
      case "kill":
        this.#worker?.kill();
        return;
      case "call":
        this.#call(effect);
        return;
      case "notify":
        this.#notify(effect);
        return;
      case "abort":
        for (const task of effect.tasks) this.#tasks.get(task)?.abort();
        return;
      case "arm":
        this.#arm(effect.timer, effect.delayMs);
        return;
      case "disarm":
        this.#disarm(effect.timer);
        return;
      case "give":
        for (const id of effect.to) this.#waiter(id)?.resolve(effect.event);
        return;
      case "refuse":
        this.#waiter(effect.to)?.reject(effect.fault);
        return;
      case "keep":
        this.#keep(effect.values);
        return;
      case "close":
        this.#close();
        return;
      case "gone":
        this.#options.gone();
        return;
      default:
        effect satisfies never;
    }
  }

  #stop(): void {
    this.#wasStopped = true;
    if (this.#worker) this.#worker.stop();
    else this.#take({ type: "threadGone", fault: null });
  }

  #call({ task, name, args }: Extract<CellEffect, { type: "call" }>): void {
    const { delegate, cellId } = this.#options;
    this.#begin(task, async (signal) => {
      const call = readCall(name, args);
      const value = JSON.stringify(await delegate.call(cellId, call.name, call.args, signal)) ?? "null";
      if (value.length > valueBytes) {
        throw new Fault("result_too_large", `What tools.${name} has answered is too large for a script.`);
      }
      return value;
    });
  }

  #notify({ task, text }: Extract<CellEffect, { type: "notify" }>): void {
    const { delegate, cellId, log } = this.#options;
    this.#begin(task, async (signal) => {
      try {
        await delegate.notify(cellId, text, signal);
      } catch (error) {
        // The script has gone on; whoever cancelled it knows.
        if (!signal.aborted) log.warn("a notification has failed", { cellId, error: asFault(error).message });
      }
      return "null";
    });
  }

  #begin(task: number, work: (signal: AbortSignal) => Promise<string>): void {
    const controller = new AbortController();
    this.#tasks.set(task, controller);
    const ended = (answer: TaskAnswer) => {
      this.#tasks.delete(task);
      this.#take({ type: "taskEnded", task, answer });
    };
    work(controller.signal).then(
      (value) => ended({ ok: true, value }),
      (error: unknown) => ended({ ok: false, message: asFault(error).message }),
    );
  }

  #keep(values: ReadonlyMap<string, string>): void {
    let fault: Fault | null = null;
    try {
      this.#options.stored.keep(values);
    } catch (error) {
      fault = asFault(error);
    }
    this.#take({ type: "kept", fault });
  }

  /** Whatever comes of it, the cell is gone then. */
  #close(): void {
    const { close, log, cellId } = this.#options;
    new Promise((resolve) => resolve(close()))
      .catch((error: unknown) => {
        log.error("the end of a cell could not be told", { cellId, error: asFault(error).message });
      })
      .then(() => this.#take({ type: "closed" }));
  }

  #tell(): void {
    try {
      this.#options.changed();
    } catch (error) {
      const { log, cellId } = this.#options;
      log.error("a change of a cell could not be told", { cellId, error: asFault(error).message });
    }
  }

  #arm(timer: CellTimer, delayMs: number): void {
    this.#disarm(timer);
    const armed = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      this.#take({ type: "due", timer });
    });
    this.#timers.set(timer, armed);
  }

  #disarm(timer: CellTimer): void {
    this.#timers.get(timer)?.cancel();
    this.#timers.delete(timer);
  }

  #waiter(id: number): Waiter | undefined {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    return waiter;
  }
}
