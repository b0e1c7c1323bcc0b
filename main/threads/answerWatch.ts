// Notices that codex does not answer: it hangs, or was stopped, while its connection stands (behaviour: a person who waits is
// told so within seconds, and everything else goes on).
//
// Races settled here:
// - An answer never comes, but the events that follow it do: codex is at work, and nothing is waited for any more.
// - A request is given up at its deadline although codex says nothing at all: it still does not answer, until it does.
// - The connection is replaced, or the process dies: then that is what is to be said.

import type { Clock, Timer } from "../clock";
import { asFault } from "../fault";
import type { ThreadState } from "./threadState";

/** What codex normally answers at once has gone unanswered for so long. */
export const answerWithinMs = 10_000;

interface Waiting {
  timer: Timer;
  isOverdue: boolean;
}

export class AnswerWatch {
  readonly #clock: Clock;
  readonly #state: ThreadState;
  readonly #waiting = new Set<Waiting>();
  #gaveUp = false;

  constructor(clock: Clock, state: ThreadState) {
    this.#clock = clock;
    this.#state = state;
  }

  /** Returns `answer` itself. */
  awaited<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const timer = this.#clock.after(answerWithinMs, () => {
      waiting.isOverdue = true;
      this.#show();
    });
    const waiting: Waiting = { timer, isOverdue: false };
    this.#waiting.add(waiting);
    answer.then(
      () => this.#settled(waiting, false),
      (error: unknown) => this.#settled(waiting, asFault(error).code === "deadline"),
    );
    return answer;
  }

  /** codex has said something about the thread, or can say nothing any more over this connection. */
  over(): void {
    for (const { timer } of this.#waiting) timer.cancel();
    this.#waiting.clear();
    this.#gaveUp = false;
    this.#show();
  }

  /** Nothing runs any more: nobody asks again, so what was given up says nothing about now. */
  runEnded(): void {
    this.#gaveUp = false;
    this.#show();
  }

  #settled(waiting: Waiting, gaveUp: boolean): void {
    waiting.timer.cancel();
    if (!this.#waiting.delete(waiting)) return;
    this.#gaveUp = gaveUp && this.#state.running;
    this.#show();
  }

  #show(): void {
    this.#state.silent = this.#gaveUp || [...this.#waiting].some(({ isOverdue }) => isOverdue);
  }
}
