// Threads of one session that are to be loaded: a few at a time, those that are shown first, so that what a person looks at
// never waits for what nobody sees.

/** After a reconnect, or an adoption, so many threads are loaded at a time. */
const loadsAtOnce = 3;

export interface QueuedThread {
  readonly state: { readonly watched: boolean };
  /** Loads it if it has to be. Never rejects. */
  connected(): Promise<void>;
}

interface Waiting {
  done: Promise<void>;
  finish(): void;
}

export class LoadQueue {
  readonly #waiting = new Map<QueuedThread, Waiting>();
  #loading = 0;

  /** Resolves once all of them have had their turn. */
  async add(threads: QueuedThread[]): Promise<void> {
    const done = threads.map((thread) => {
      const waiting = this.#waiting.get(thread) ?? newWaiting();
      this.#waiting.set(thread, waiting);
      return waiting.done;
    });
    this.#next();
    await Promise.all(done);
  }

  #next(): void {
    while (this.#loading < loadsAtOnce) {
      const threads = [...this.#waiting.keys()];
      const thread = threads.find(({ state }) => state.watched) ?? threads[0];
      const waiting = thread && this.#waiting.get(thread);
      if (!waiting) return;
      this.#waiting.delete(thread);
      this.#loading += 1;
      void thread.connected().then(() => {
        this.#loading -= 1;
        waiting.finish();
        this.#next();
      });
    }
  }
}

function newWaiting(): Waiting {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { done, finish };
}
