// What codex has said of having unloaded one thread, for a load that it refuses until then.
//
// Races settled here:
// - codex may say so before the refusal that makes somebody wait for it has come. So what is waited for is the first word
//   after a request was written, not after it was refused.
// - codex goes on refusing for a moment after it has said so, and says nothing more. So nobody waits for its word alone.
// - In that moment it may even say that there is no such thread.

import type { Clock } from "../clock";

/** How long one waits for the word before codex is asked again; the last one is repeated. */
const pausesMs = [100, 200, 400, 800, 1_600, 3_200, 5_000];
/** Unloading ends within seconds, whatever holds it up. After so many refusals, the person is told. */
export const mostRefusals = 12;
/** So often a thread that codex has unloaded may be unknown to it before it counts as lost. */
export const mostMisses = 3;

export class UnloadWait {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How often codex has said that it has unloaded the thread. */
  get count(): number {
    return this.#count;
  }

  /** It says so now. */
  heard(): void {
    this.#count += 1;
    this.cancel();
  }

  /** There is nobody any more who could say it. */
  cancel(): void {
    for (const go of this.#waiting) go();
  }

  /**
   * Resolves when codex has said it since the count was `before`, when nobody can say it any more, or after a pause that
   * grows with the number of refusals.
   */
  async since(before: number, refusals: number): Promise<void> {
    if (this.#count !== before) return;
    const pauseMs = pausesMs[Math.min(refusals, pausesMs.length) - 1] ?? 0;
    let go = () => {};
    const told = new Promise<void>((resolve) => {
      go = resolve;
    });
    this.#waiting.add(go);
    const timer = this.#clock.after(pauseMs, go);
    await told;
    timer.cancel();
    this.#waiting.delete(go);
  }
}
