// Tells codex that nobody needs a thread here any more, after which it may unload it in its own time.
//
// Race settled here: the thread was just let go, and is loaded again. The load waits until codex has taken that in, so that
// it cannot undo the load.

import { asFault } from "../fault";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";

const leaveDeadlineMs = 5_000;

export class Leaving {
  readonly #log: Log;
  #current: Promise<void> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Resolves when codex has taken it in, or does not answer. Never rejects. */
  get over(): Promise<void> {
    return this.#current ?? Promise.resolve();
  }

  /** `notLoaded`: codex does not have it loaded any more, as it says. */
  begin(connection: Connection, threadId: string, notLoaded: () => void): void {
    const leaving = connection.client
      .request("thread/unsubscribe", { threadId }, { deadlineMs: leaveDeadlineMs })
      .then(({ status }) => {
        if (status === "notLoaded") notLoaded();
      })
      .catch((error: unknown) => {
        this.#log.info("unsubscribe was not answered", { error: asFault(error).code });
      })
      .finally(() => {
        if (this.#current === leaving) this.#current = null;
      });
    this.#current = leaving;
  }

  /** The connection over which it was told is gone. */
  connectionLost(): void {
    this.#current = null;
  }
}
