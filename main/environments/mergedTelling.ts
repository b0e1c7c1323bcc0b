// Tells of changes, merged: the first at once, those that follow closely together after a moment, and nothing twice.
//
// Race: it is told at once what a person has just asked for, while a moment is running: that tells all there is, and what comes
// after it waits for the moment.

import { isDeepStrictEqual } from "node:util";
import type { Clock, Timer } from "../clock";

const momentMs = 50;

export class MergedTelling<Value> {
  readonly #clock: Clock;
  readonly #read: () => Value;
  readonly #tell: (value: Value) => void;
  #told: Value;
  #moment: Timer | null = null;
  #waits = false;
  #hasEnded = false;

  /** What `read` answers now counts as told. */
  constructor(options: { clock: Clock; read(): Value; tell(value: Value): void }) {
    this.#clock = options.clock;
    this.#read = options.read;
    this.#tell = options.tell;
    this.#told = options.read();
  }

  /** Within a moment. */
  soon(): void {
    if (this.#hasEnded) return;
    if (this.#moment !== null) {
      this.#waits = true;
      return;
    }
    this.now();
    this.#moment = this.#clock.after(momentMs, () => {
      this.#moment = null;
      if (!this.#waits) return;
      this.#waits = false;
      this.soon();
    });
  }

  now(): void {
    this.#waits = false;
    if (this.#hasEnded) return;
    const value = this.#read();
    if (isDeepStrictEqual(value, this.#told)) return;
    this.#told = value;
    this.#tell(value);
  }

  /** Nothing is told any more. */
  end(): void {
    this.#hasEnded = true;
    this.#moment?.cancel();
    this.#moment = null;
    this.#waits = false;
  }
}
