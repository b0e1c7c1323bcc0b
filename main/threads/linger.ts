// How long a thread that nobody shows, and that does nothing, stays subscribed: so that going back and forth between threads
// loads nothing anew. codex counts its own delay from then on, so a person who wants threads unloaded soon gets that here too.
//
// Races settled here:
// - codex has not said yet how long it keeps a thread, or never does: the usual time counts until it has.
// - The answer comes after the thread is shown again, or has been let go: it changes nothing.

import type { Clock, Timer } from "../clock";
import type { Connection } from "../supervisor/connection";
import { effectiveConfig } from "./effectiveConfig";
import { numberOrNull } from "./loose";

/** The longest that a thread stays subscribed for nobody. */
export const lingerMs = 30_000;
/** However soon codex unloads threads: one that is left and opened again at once is not loaded anew. */
export const leastLingerMs = 1_000;

export interface LingerOptions {
  clock: Clock;
  /** The connection over which codex tells us about the thread. */
  connection(): Connection | null;
  /** The folder whose configuration counts. */
  folder(): Promise<string>;
  over(): void;
}

export class Linger {
  readonly #options: LingerOptions;
  #timer: Timer | null = null;

  constructor(options: LingerOptions) {
    this.#options = options;
  }

  /** Does nothing while it goes on already. */
  begin(): void {
    if (this.#timer !== null) return;
    const { clock, connection } = this.#options;
    const beganAtMs = clock.nowMs();
    const timer = this.#until(lingerMs);
    const over = connection();
    if (over === null) return;
    this.#codexDelayMs(over).then(
      (delayMs) => {
        if (this.#timer !== timer || delayMs >= lingerMs) return;
        timer.cancel();
        this.#until(Math.max(leastLingerMs, delayMs) - (clock.nowMs() - beganAtMs));
      },
      // The configuration cannot be read, or the folder is not there: the usual time counts.
      () => undefined,
    );
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #until(afterMs: number): Timer {
    const timer = this.#options.clock.after(Math.max(0, afterMs), () => {
      this.#timer = null;
      this.#options.over();
    });
    this.#timer = timer;
    return timer;
  }

  async #codexDelayMs(connection: Connection): Promise<number> {
    const config = await effectiveConfig(connection, await this.#options.folder());
    const seconds = numberOrNull(config.thread_unload_delay_secs);
    return seconds === null ? lingerMs : seconds * 1_000;
  }
}
