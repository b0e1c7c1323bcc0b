// Hands code to the highlighting worker and remembers what came back. The window shows plain code until then.
//
// Races, and what settles each:
// - Code changes while it is being tokenised (it is still streaming): each answer belongs to the exact text that it was
//   asked for, by id; a caller that has moved on has dropped its interest and is not told.
// - Many blocks ask at once (a thread opens): one request is in flight, the rest wait here, newest first, and those that
//   nobody is interested in any more are dropped before they cost anything.
// - The worker cannot start or dies: everything that waits is answered "plain", and it is started once more at most.
// - Nobody has asked for a while: the worker is let go of, with the grammars in it.

import type { HighlightAnswer, HighlightRequest, TokenLine } from "./tokens";

export interface HighlightPort {
  post(request: HighlightRequest): void;
  close(): void;
}

export interface HighlightHost {
  /** Starts a worker. `failed` may be called at once or later, when it has died. */
  start(onAnswer: (answer: HighlightAnswer) => void, failed: () => void): HighlightPort;
  after(delayMs: number, task: () => void): () => void;
}

/** `null`: this code stays plain. */
export type Highlighted = TokenLine[] | null;

export const mostHighlightedUnits = 60_000;
const mostKeptUnits = 2_000_000;
const idleMs = 120_000;
const mostFailures = 2;

interface Job {
  key: string;
  language: string;
  code: string;
  listeners: Set<() => void>;
}

export class Highlighter {
  readonly #host: HighlightHost;
  readonly #results = new Map<string, Highlighted>();
  #keptUnits = 0;
  #waiting = new Map<string, Job>();
  #current: { id: number; job: Job } | null = null;
  #port: HighlightPort | null = null;
  #generation = 0;
  #nextId = 0;
  #failures = 0;
  #cancelIdle = () => {};

  constructor(host: HighlightHost) {
    this.#host = host;
  }

  /** What is known already: undefined when this code was never tokenised. */
  known(language: string, code: string): Highlighted | undefined {
    if (code.length > mostHighlightedUnits || this.#failures >= mostFailures) return null;
    const key = keyOf(language, code);
    const result = this.#results.get(key);
    if (result !== undefined) {
      // The order of the map is the order of use.
      this.#results.delete(key);
      this.#results.set(key, result);
    }
    return result;
  }

  /** Asks for `code` to be tokenised; `ready` is called once, when `known` has an answer. Returns what drops the interest. */
  request(language: string, code: string, ready: () => void): () => void {
    const key = keyOf(language, code);
    let job = this.#current?.job.key === key ? this.#current.job : this.#waiting.get(key);
    if (!job) {
      job = { key, language, code, listeners: new Set() };
      this.#waiting.set(key, job);
    }
    const { listeners } = job;
    listeners.add(ready);
    this.#next();
    return () => {
      listeners.delete(ready);
      if (listeners.size === 0 && this.#waiting.get(key)?.listeners === listeners) this.#waiting.delete(key);
    };
  }

  #next(): void {
    if (this.#current) return;
    const job = [...this.#waiting.values()].at(-1);
    if (!job) {
      this.#cancelIdle();
      if (this.#port) this.#cancelIdle = this.#host.after(idleMs, () => this.#release());
      return;
    }
    this.#cancelIdle();
    this.#waiting.delete(job.key);
    this.#current = { id: this.#nextId++, job };
    const port = this.#started();
    if (port) port.post({ id: this.#current.id, language: job.language, code: job.code });
  }

  #started(): HighlightPort | null {
    if (this.#port) return this.#port;
    this.#generation += 1;
    const generation = this.#generation;
    const port = this.#host.start(
      (answer) => {
        if (generation === this.#generation) this.#answered(answer);
      },
      () => {
        if (generation === this.#generation) this.#failed();
      },
    );
    // It may have failed before it was handed over.
    if (generation !== this.#generation) return null;
    this.#port = port;
    return port;
  }

  #answered(answer: HighlightAnswer): void {
    const current = this.#current;
    if (!current || current.id !== answer.id) return;
    this.#current = null;
    this.#keep(current.job, answer.ok ? answer.lines : null);
    this.#next();
  }

  #failed(): void {
    this.#failures += 1;
    this.#release();
    const unanswered = [...this.#waiting.values()];
    if (this.#current) unanswered.push(this.#current.job);
    this.#current = null;
    this.#waiting.clear();
    for (const job of unanswered) this.#keep(job, null);
  }

  #release(): void {
    this.#generation += 1;
    this.#port?.close();
    this.#port = null;
    this.#cancelIdle();
  }

  #keep(job: Job, result: Highlighted): void {
    this.#results.set(job.key, result);
    this.#keptUnits += job.key.length;
    for (const key of this.#results.keys()) {
      if (this.#keptUnits <= mostKeptUnits || key === job.key) break;
      this.#results.delete(key);
      this.#keptUnits -= key.length;
    }
    const listeners = [...job.listeners];
    job.listeners.clear();
    for (const listener of listeners) listener();
  }
}

function keyOf(language: string, code: string): string {
  return `${language}\n${code}`;
}
