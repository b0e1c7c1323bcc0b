// Over which connection codex tells us about one thread, and how much: what it tells everybody who is connected, or all that
// happens in the thread and what it asks.
//
// Race: the connection has been replaced since something was heard over it: nothing is heard over it any more.

import type { Connection } from "../supervisor/connection";

export class Hearing {
  readonly #current: () => Connection | null;
  #last: Connection | null = null;
  #followed: Connection | null = null;

  constructor(current: () => Connection | null) {
    this.#current = current;
  }

  /** Where something was heard last, whether that connection still is the current one or not. */
  get last(): Connection | null {
    return this.#last;
  }

  /** The same, as long as it is the current one. */
  get over(): Connection | null {
    const current = this.#current();
    return current !== null && current === this.#last ? current : null;
  }

  /** All that happens in the thread is heard over the current connection. */
  get isFollowed(): boolean {
    return this.#followed !== null && this.#followed === this.#current();
  }

  /** codex has told this about the thread, asked or not. */
  told(method: string): void {
    this.#last = this.#current();
    if (!method.startsWith("thread/")) this.#followed = this.#last;
  }

  loaded(connection: Connection): void {
    this.#last = connection;
  }

  /** The connection has gone, or codex does not have the thread in memory for us any more. */
  end(): void {
    this.#last = null;
    this.#followed = null;
  }
}
