// Keeps the machine from going to sleep by itself while something is at work, if the person wants that. The display may
// still go dark.

import type { Clock, Timer } from "../clock";
import type { Services } from "./services";

/** Electron's powerSaveBlocker, as far as it is used. */
export interface SleepBlocker {
  start(type: "prevent-app-suspension"): number;
  stop(id: number): unknown;
}

export interface KeepAwakeOptions {
  clock: Clock;
  services: Pick<Services, "keepsAwake"> & {
    backend: { topics: Pick<Services["backend"]["topics"], "openApp"> };
  };
  blocker: SleepBlocker;
}

/** Many threads change at once: it is looked at once for all of them. */
const lookAfterMs = 500;

export class KeepAwake {
  readonly #options: KeepAwakeOptions;
  #blockerId: number | null = null;
  #timer: Timer | null = null;
  #close: (() => void) | null = null;

  constructor(options: KeepAwakeOptions) {
    this.#options = options;
  }

  begin(): void {
    const { close } = this.#options.services.backend.topics.openApp(() => this.#lookSoon());
    this.#close = close;
    this.#look();
  }

  dispose(): void {
    this.#close?.();
    this.#timer?.cancel();
    this.#set(false);
  }

  #lookSoon(): void {
    this.#timer ??= this.#options.clock.after(lookAfterMs, () => {
      this.#timer = null;
      this.#look();
    });
  }

  #look(): void {
    this.#set(this.#options.services.keepsAwake());
  }

  #set(awake: boolean): void {
    if (awake === (this.#blockerId !== null)) return;
    if (awake) {
      this.#blockerId = this.#options.blocker.start("prevent-app-suspension");
    } else if (this.#blockerId !== null) {
      this.#options.blocker.stop(this.#blockerId);
      this.#blockerId = null;
    }
  }
}
