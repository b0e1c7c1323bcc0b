// Threads that another program makes (the codex command line, an editor) are told to nobody. They are looked for when a person
// comes to a window or to its list, and never while nothing happens.
//
// Races settled here:
// - Somebody goes to and fro between windows: one look in so many seconds, for all windows.
// - They come again within that time, after another program has made a thread: that look is taken when the time is over.
// - A session is not connected: it is not started for this, and its list is asked for when it is.

import type { Clock } from "../clock";
import type { ThreadList } from "./threadList";

/** At most one look in so much time. */
const everyMs = 3_000;

export interface ListLooksOptions {
  clock: Clock;
  list: Pick<ThreadList, "refresh">;
  /** Workspaces whose session is connected. */
  connected(): string[];
}

export class ListLooks {
  readonly #options: ListLooksOptions;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #isLate = false;

  constructor(options: ListLooksOptions) {
    this.#options = options;
  }

  /** Somebody has come to a window. Never throws: what fails is said of the list that it is about. */
  look(): void {
    if (this.#isLate) return;
    const { clock, list, connected } = this.#options;
    const waitMs = this.#lookedAtMs + everyMs - clock.nowMs();
    if (waitMs > 0) {
      this.#isLate = true;
      // Not called off at the end of Holdfast: nothing is connected then.
      clock.after(waitMs, () => {
        this.#isLate = false;
        this.look();
      });
      return;
    }
    this.#lookedAtMs = clock.nowMs();
    // It never rejects.
    for (const workspaceId of connected()) void list.refresh(workspaceId);
  }
}
