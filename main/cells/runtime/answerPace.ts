// Answers on their way to the scripts, a few in each turn of the event loop, whichever cell they are for. A script that calls
// in a loop has its next call ready before the last one has been put away; without a pace, one such script keeps everything
// else in this process waiting for half a second at a time, and eight of them for seconds.
//
// Race: the thread has ended when its answer is due. Nobody is there to read it, which is no failure.

/** A call costs a quarter of a millisecond here. */
const answersInATurn = 16;

export class AnswerPace {
  readonly #nextTurn: (task: () => void) => void;
  #waiting: (() => void)[] = [];
  #isDue = false;

  /** `nextTurn` runs a task after what has come in meanwhile has been dealt with. */
  constructor(nextTurn: (task: () => void) => void) {
    this.#nextTurn = nextTurn;
  }

  /** In the order in which they come. */
  send(answer: () => void): void {
    this.#waiting.push(answer);
    this.#soon();
  }

  #soon(): void {
    if (this.#isDue || this.#waiting.length === 0) return;
    this.#isDue = true;
    this.#nextTurn(() => {
      this.#isDue = false;
      const now = this.#waiting.slice(0, answersInATurn);
      this.#waiting = this.#waiting.slice(answersInATurn);
      this.#soon();
      for (const answer of now) answer();
    });
  }
}
