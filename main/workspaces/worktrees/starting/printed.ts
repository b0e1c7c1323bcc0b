// What a set-up script has printed: the end of it, and for whoever waits, what comes.

import type { Clock, Timer } from "../../../clock";

/** Characters. What was printed before them is kept no more. */
export const mostPrinted = 256 * 1024;
const answerMost = 128 * 1024;
const questionLastsMs = 20_000;

export interface PrintedPart {
  /** Where the text begins, in characters from the first one that was printed. */
  from: number;
  text: string;
  /** There is nothing more to come after it. */
  ended: boolean;
}

export class Printed {
  readonly #clock: Clock;
  readonly #added: (text: string) => void;
  #text = "";
  #dropped = 0;
  #ended = false;
  readonly #questions = new Set<() => void>();

  /** `added`: hears each piece. */
  constructor(clock: Clock, added: (text: string) => void = () => {}) {
    this.#clock = clock;
    this.#added = added;
  }

  /** All that is kept. */
  get text(): string {
    return this.#text.slice(-mostPrinted);
  }

  add(text: string): void {
    this.#text += text;
    this.#added(text);
    if (this.#text.length > 2 * mostPrinted) this.#cut();
    this.#look();
  }

  end(): void {
    this.#ended = true;
    this.#cut();
    this.#look();
  }

  /** As soon as there is more than `seen` characters, or nothing more to come; an empty part after a while. */
  after(seen: number): Promise<PrintedPart> {
    if (this.#hasMore(seen)) return Promise.resolve(this.#part(seen));
    return new Promise((resolve) => {
      let timer: Timer | null = null;
      const answer = () => {
        this.#questions.delete(look);
        timer?.cancel();
        resolve(this.#part(seen));
      };
      const look = () => {
        if (this.#hasMore(seen)) answer();
      };
      this.#questions.add(look);
      timer = this.#clock.after(questionLastsMs, answer);
    });
  }

  get #total(): number {
    return this.#dropped + this.#text.length;
  }

  #hasMore(seen: number): boolean {
    return this.#ended || this.#total > seen;
  }

  #part(seen: number): PrintedPart {
    const from = Math.max(Math.min(seen, this.#total), this.#dropped);
    const text = this.#text.slice(from - this.#dropped, from - this.#dropped + answerMost);
    return { from, text, ended: this.#ended && from + text.length === this.#total };
  }

  #cut(): void {
    const over = this.#text.length - mostPrinted;
    if (over <= 0) return;
    this.#text = this.#text.slice(over);
    this.#dropped += over;
  }

  #look(): void {
    for (const look of [...this.#questions]) look();
  }
}
