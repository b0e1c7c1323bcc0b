// The timers of a script. However many there are, the script is woken at most every few milliseconds, and then for all
// that are due: each time that it runs is told to the runtime, which a thousand timers of a millisecond would flood.

import type { Clock, Timer } from "../../clock";
import { timersAtOnce } from "../runtime/limits";

interface ScriptTimer {
  dueMs: number;
  delayMs: number;
  repeats: boolean;
}

const leastPauseMs = 4;
/** Of the clock: a longer one would be due at once. */
const longestDelayMs = 2 ** 31 - 1;

export class ScriptTimers {
  readonly #clock: Clock;
  readonly #onDue: () => void;
  readonly #timers = new Map<number, ScriptTimer>();
  /** Woken for these; the first one first. */
  #due: number[] = [];
  #alarm: { timer: Timer; atMs: number } | null = null;
  #wokenAtMs = Number.NEGATIVE_INFINITY;

  /** `clock` goes on evenly. `onDue`: there is something to be taken. */
  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get count(): number {
    return this.#timers.size;
  }

  /** Throws when there are too many. */
  set(id: number, delayMs: number, repeats: boolean): void {
    if (this.#timers.size >= timersAtOnce) throw new Error("There are too many timers.");
    const pauseMs = Math.min(Math.max(1, delayMs), longestDelayMs);
    const dueMs = this.#clock.nowMs() + pauseMs;
    this.#timers.set(id, { dueMs, delayMs: pauseMs, repeats });
    this.#arm(dueMs);
  }

  clear(id: number): void {
    this.#timers.delete(id);
  }

  clearAll(): void {
    this.#timers.clear();
    this.#due = [];
    this.#alarm?.timer.cancel();
    this.#alarm = null;
  }

  /** The next one that is due, which is over then, or due again after its delay. Undefined: none is due any more. */
  takeDue(): number | undefined {
    for (let id = this.#due.shift(); id !== undefined; id = this.#due.shift()) {
      const timer = this.#timers.get(id);
      // One that fired before it has cleared it.
      if (!timer) continue;
      if (timer.repeats) timer.dueMs = this.#wokenAtMs + timer.delayMs;
      else this.#timers.delete(id);
      return id;
    }
    this.#armNext();
    return undefined;
  }

  #armNext(): void {
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#timers.values()) earliestMs = Math.min(earliestMs, dueMs);
    if (earliestMs < Number.POSITIVE_INFINITY) this.#arm(earliestMs);
  }

  #arm(dueMs: number): void {
    const atMs = Math.max(dueMs, this.#wokenAtMs + leastPauseMs);
    if (this.#alarm && this.#alarm.atMs <= atMs) return;
    this.#alarm?.timer.cancel();
    const nowMs = this.#clock.nowMs();
    const timer = this.#clock.after(Math.min(atMs - nowMs, longestDelayMs), () => {
      this.#alarm = null;
      // The system's timers may be early by a part of a millisecond.
      this.#wokenAtMs = Math.max(this.#clock.nowMs(), atMs);
      this.#due = [...this.#timers]
        .filter(([, { dueMs }]) => dueMs <= this.#wokenAtMs)
        .sort(([, one], [, other]) => one.dueMs - other.dueMs)
        .map(([id]) => id);
      this.#onDue();
    });
    this.#alarm = { timer, atMs };
  }
}
