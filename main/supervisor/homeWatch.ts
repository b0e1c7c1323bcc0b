// Holdfast lives, and its home may go away under it: somebody removes the folder or the ledger, moves it, or puts another one in
// its place. The open files go on working, so nothing else would notice; and nothing of what is written is kept.
//
// Races settled here:
// - It is moved about, or its disk is away for a moment: only what is gone in several looks in a row is gone.
// - A look is under way when the watch ends: it is for nobody.

import type { Clock, Timer } from "../clock";
import { type HomeMark, isHomeGone } from "./homeMark";

export interface HomeWatchOptions {
  home: HomeMark;
  clock: Clock;
  /** Called once. */
  onGone(): void;
  isGone?(home: HomeMark): Promise<boolean>;
}

export const lookEveryMs = 5_000;
const looksForGone = 3;

export class HomeWatch {
  readonly #options: HomeWatchOptions;
  #timer: Timer | null = null;
  #inVain = 0;
  #isOver = false;

  constructor(options: HomeWatchOptions) {
    this.#options = options;
    this.#next();
  }

  get home(): HomeMark {
    return this.#options.home;
  }

  close(): void {
    this.#isOver = true;
    this.#timer?.cancel();
  }

  #next(): void {
    this.#timer = this.#options.clock.after(lookEveryMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { home, onGone, isGone = isHomeGone } = this.#options;
    const gone = await isGone(home);
    if (this.#isOver) return;
    this.#inVain = gone ? this.#inVain + 1 : 0;
    if (this.#inVain < looksForGone) return this.#next();
    this.#isOver = true;
    onGone();
  }
}
