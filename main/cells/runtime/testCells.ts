// For tests: a runtime whose delegate does what the test says, with threads that are real or that the test plays.

import { ManualClock } from "../../clock";
import { asFault, Fault } from "../../fault";
import { silentLog } from "../../log";
import type { CellClosing } from "./cellClosing";
import { CellRuntime, type CellRuntimeOptions } from "./cellRuntime";
import type { CellWorker, CellWorkerEvents, StartWorker, WorkerOrder } from "./cellWorker";
import type { CellDelegate } from "./delegate";
import { defaultLimits } from "./limits";
import { SessionValues } from "./storedValues";
import type { FromWorker, ToWorker } from "./workerMessages";

/** Everything that is queued as a microtask has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

/** `attempt` gives how long it took, in ms. The quickest of some counts: a busy machine may hold up any of them. */
export async function expectWithinASecond(attempt: () => Promise<number>): Promise<void> {
  const tookMs: number[] = [];
  while (tookMs.length < 5) {
    const ms = await attempt();
    if (ms < 1_000) return;
    tookMs.push(ms);
  }
  throw new Error(`It took ${tookMs.join(", ")} ms.`);
}

/** Waits for the things that happen, in order. */
export class Happenings<Thing> {
  readonly #waiting: ((thing: Thing) => void)[] = [];
  readonly #seen: Thing[] = [];

  push(thing: Thing): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(thing);
    else this.#seen.push(thing);
  }

  next(): Promise<Thing> {
    const seen = this.#seen.shift();
    if (seen !== undefined) return Promise.resolve(seen);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  get unseen(): readonly Thing[] {
    return this.#seen;
  }
}

interface Work {
  cellId: string;
  kind: "call" | "notify" | "close";
  name: string;
  args: unknown;
  signal: AbortSignal;
  resolve(value?: unknown): void;
  reject(error: Error): void;
}

/** Each thing that is asked of it waits until the test ends it, unless `answers` says how. */
export class TestDelegate implements CellDelegate {
  readonly asked = new Happenings<Work>();
  readonly underWay = new Set<Work>();
  answers: ((work: Work) => void) | null = null;

  call(cellId: string, name: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    return this.#ask(cellId, "call", name, args, signal);
  }

  async notify(cellId: string, text: string, signal: AbortSignal): Promise<void> {
    await this.#ask(cellId, "notify", text, null, signal);
  }

  async cellClosed(cellId: string): Promise<void> {
    await this.#ask(cellId, "close", "", null, new AbortController().signal);
  }

  #ask(
    cellId: string,
    kind: Work["kind"],
    name: string,
    args: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const work: Work = {
        cellId,
        kind,
        name,
        args,
        signal,
        resolve: (value) => {
          this.underWay.delete(work);
          resolve(value);
        },
        reject: (error) => {
          this.underWay.delete(work);
          reject(error);
        },
      };
      this.underWay.add(work);
      if (this.answers) this.answers(work);
      else this.asked.push(work);
    });
  }
}

/** Asks the delegate, and remembers what is still owed. */
export class TestClosing implements CellClosing {
  readonly owed = new Map<string, Fault>();
  readonly #delegate: CellDelegate;

  constructor(delegate: CellDelegate) {
    this.#delegate = delegate;
  }

  async close(cellId: string): Promise<Fault | null> {
    try {
      await this.#delegate.cellClosed(cellId);
      return null;
    } catch (error) {
      const fault = asFault(error);
      this.owed.set(cellId, fault);
      return fault;
    }
  }
}

/** A thread that the test plays. */
export class TestThread implements CellWorker {
  readonly heard: ToWorker[] = [];
  isStopped = false;
  isKilled = false;
  isGone = false;
  /** It ends as soon as it is killed. */
  obeys = true;
  readonly order: WorkerOrder;
  readonly #events: CellWorkerEvents;

  constructor(order: WorkerOrder, events: CellWorkerEvents) {
    this.order = order;
    this.#events = events;
  }

  send(message: ToWorker): void {
    this.heard.push(message);
  }

  stop(): void {
    this.isStopped = true;
  }

  kill(): void {
    this.isKilled = true;
    // As with a real one: not before whoever kills it has gone on.
    if (this.obeys) queueMicrotask(() => this.end());
  }

  say(message: FromWorker): void {
    if (!this.isGone) this.#events.said(message);
  }

  end(fault: Fault | null = null): void {
    if (this.isGone) return;
    this.isGone = true;
    this.#events.gone(fault);
  }
}

export interface TestRuntime {
  runtime: CellRuntime;
  delegate: TestDelegate;
  closing: TestClosing;
  clock: ManualClock;
  stored: SessionValues;
  threads: TestThread[];
}

/** With threads that the test plays, unless it says otherwise. */
export function makeTestRuntime(options: Partial<CellRuntimeOptions> = {}): TestRuntime {
  const delegate = new TestDelegate();
  const closing = new TestClosing(delegate);
  const clock = new ManualClock();
  const stored = new SessionValues();
  const threads: TestThread[] = [];
  const start: StartWorker = (order, events) => {
    const thread = new TestThread(order, events);
    threads.push(thread);
    return thread;
  };
  const runtime = new CellRuntime({
    delegate,
    stored,
    closing,
    clock,
    log: silentLog,
    limits: () => defaultLimits,
    loadWorkers: async () => start,
    ...options,
  });
  return { runtime, delegate, closing, clock, stored, threads };
}

export function failure(message: string): Fault {
  return new Fault("test_failure", message);
}

/** Has this promise come to its end, once everything that is queued has run? */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const ended = () => {
    pending = false;
  };
  promise.then(ended, ended);
  await settled();
  return pending;
}
