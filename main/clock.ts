// Time is passed in, never read from the air: lifecycles are tested by moving a clock, not by sleeping.

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Runs `task` once after `delayMs`. The caller owns the timer and must cancel it when its reason is gone. */
  after(delayMs: number, task: () => void): Timer;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, task) {
    const handle = setTimeout(task, delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
};

/** For what only measures how long something takes: it goes on evenly when the clock of the machine is put forward or back. */
export const steadyClock: Clock = { nowMs: () => performance.now(), after: systemClock.after };

/** A clock that stands still until `advance` is called: for tests. */
export class ManualClock implements Clock {
  #nowMs: number;
  #pending: { dueMs: number; order: number; task: () => void }[] = [];
  #order = 0;

  constructor(startMs = 1_700_000_000_000) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, task: () => void): Timer {
    const entry = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, task };
    this.#pending.push(entry);
    return {
      cancel: () => {
        this.#pending = this.#pending.filter((other) => other !== entry);
      },
    };
  }

  /** Moves time forward by `byMs` and runs, in order, every task that falls due on the way. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const next = this.#pending
        .filter((entry) => entry.dueMs <= untilMs)
        .sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
      if (!next) break;
      this.#pending = this.#pending.filter((entry) => entry !== next);
      this.#nowMs = next.dueMs;
      next.task();
    }
    this.#nowMs = untilMs;
  }

  /** How many timers are still waiting; a test asserts zero to prove that nothing was leaked. */
  get pendingCount(): number {
    return this.#pending.length;
  }
}
