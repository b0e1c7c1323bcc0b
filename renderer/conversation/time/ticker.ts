// One clock tick a second for the whole window, however many rows count up. It runs only while somebody listens and the
// window can be seen: a hidden window costs nothing, and catches up with the first tick after it is shown again.

export interface TickerHost {
  nowMs(): number;
  /** Runs `task` once after `delayMs`; returns what cancels it. */
  after(delayMs: number, task: () => void): () => void;
  hidden(): boolean;
  /** Calls `listener` whenever `hidden()` may have changed; returns what stops that. */
  onVisibility(listener: () => void): () => void;
}

export class Ticker {
  #host: TickerHost;
  #listeners = new Set<() => void>();
  #cancel: (() => void) | null = null;
  #stopWatching: (() => void) | null = null;
  #nowMs: number;

  constructor(host: TickerHost) {
    this.#host = host;
    this.#nowMs = host.nowMs();
  }

  /** The instant of the last tick: the same for every reader between two ticks. */
  readonly nowMs = (): number => this.#nowMs;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#nowMs = this.#host.nowMs();
      this.#stopWatching = this.#host.onVisibility(() => this.#visibilityChanged());
      this.#schedule();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop();
      this.#stopWatching?.();
      this.#stopWatching = null;
    };
  };

  #visibilityChanged(): void {
    if (this.#host.hidden()) this.#stop();
    else if (this.#cancel === null) this.#tick();
  }

  #schedule(): void {
    if (this.#host.hidden()) return;
    // Aligned to whole seconds, so that all counters on screen change together.
    const delayMs = 1000 - (this.#host.nowMs() % 1000);
    this.#cancel = this.#host.after(delayMs, () => this.#tick());
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #tick(): void {
    this.#cancel = null;
    this.#nowMs = this.#host.nowMs();
    for (const listener of [...this.#listeners]) listener();
    if (this.#listeners.size > 0) this.#schedule();
  }
}
