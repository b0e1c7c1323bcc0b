// Text that comes in pieces and is wanted seldom: for a window, or by whoever looks at what it belongs to.

import { heldTextUnits } from "../../preload/contract/items";

/** As much as is left of a text of that length or more once it has been added to any bounded text. */
const keptUnits = 2 * heldTextUnits;

export interface JoinedEnd {
  text: string;
  /** How much went before `text`, and was let go. */
  skippedUnits: number;
}

/**
 * Pieces, joined when they are taken and not before: to cut a joined text copies all of it. Of a bounded text only the end is
 * kept, which is all that a window would hold of it in the end.
 */
export class JoinedText {
  readonly #isBounded: boolean;
  #pieces: string[] = [];
  /** Place of the first piece that is kept. */
  #first = 0;
  #skippedUnits = 0;
  units = 0;

  constructor(isBounded: boolean) {
    this.#isBounded = isBounded;
  }

  /** After `skippedUnits` that nobody has any more; then `text` is all that is kept of a bounded text. */
  add(text: string, skippedUnits = 0): void {
    if (skippedUnits > 0) {
      this.#skippedUnits += this.units + skippedUnits;
      this.#pieces = [];
      this.#first = 0;
      this.units = 0;
    }
    this.#pieces.push(text);
    this.units += text.length;
    if (this.#isBounded) this.#letGo();
  }

  end(): JoinedEnd {
    const text = this.#pieces.slice(this.#first).join("");
    const tooMany = this.#isBounded ? Math.max(0, text.length - keptUnits) : 0;
    return { text: text.slice(tooMany), skippedUnits: this.#skippedUnits + tooMany };
  }

  #letGo(): void {
    for (;;) {
      const first = this.#pieces[this.#first]?.length ?? 0;
      if (this.units - first < keptUnits) break;
      this.#pieces[this.#first] = "";
      this.#first += 1;
      this.units -= first;
      this.#skippedUnits += first;
    }
    // The places of those that were let go are given back seldom, as a whole.
    if (this.#first <= 1_000) return;
    this.#pieces = this.#pieces.slice(this.#first);
    this.#first = 0;
  }
}
