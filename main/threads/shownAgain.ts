// codex has unloaded a thread that a window shows: it is not left as one that codex does not have.
//
// Race: codex unloads it whenever it has been loaded: it is loaded again once in a while, and then the person is asked.

import type { Clock } from "../clock";
import { toFaultView } from "../faultView";
import { unloadedFault } from "./threadFaults";
import type { ThreadState } from "./threadState";

/** codex may unload a thread under a window's eyes that often before the person is asked. */
const reloadPauseMs = 60_000;

export class ShownAgain {
  readonly #clock: Clock;
  readonly #state: ThreadState;
  readonly #load: () => void;
  #reloadedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, state: ThreadState, load: () => void) {
    this.#clock = clock;
    this.#state = state;
    this.#load = load;
  }

  unloaded(): void {
    const { watched, facts } = this.#state;
    if (!watched || facts.archived) return;
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#reloadedAtMs < reloadPauseMs) {
      this.#state.update({ fault: toFaultView(unloadedFault()) });
      return;
    }
    this.#reloadedAtMs = nowMs;
    this.#load();
  }
}
