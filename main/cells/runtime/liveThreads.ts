// The threads of cells that have not ended yet. A cell is gone when its script runs no more; its thread may take longer, and
// in rare cases never ends: Node waits in it for work that nobody does. The process cannot end in order then, since Node
// waits at its end for each of its threads.

import type { Clock } from "../../clock";

export class LiveThreads {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  began(): void {
    this.#count += 1;
  }

  ended(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const done of [...this.#waiting]) done();
  }

  /** Whether all have ended, at the latest after so long. */
  async allEnded(clock: Clock, deadlineMs: number): Promise<boolean> {
    if (this.#count === 0) return true;
    await new Promise<void>((resolve) => {
      const done = () => {
        timer.cancel();
        this.#waiting.delete(done);
        resolve();
      };
      const timer = clock.after(deadlineMs, done);
      this.#waiting.add(done);
    });
    return this.#count === 0;
  }
}
