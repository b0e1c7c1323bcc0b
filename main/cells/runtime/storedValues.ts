// What the scripts of one session keep for later ones. A cell begins with what there is then, and what it has stored is kept
// when it completes; of two that store under the same key the one that completes last is kept.

import { Fault } from "../../fault";
import { storedBytes, storedSize } from "./limits";

export interface StoredValues {
  /** By key, as JSON. */
  all(): ReadonlyMap<string, string>;
  /** Throws Fault; nothing is kept then. */
  keep(values: ReadonlyMap<string, string>): void;
}

/** For as long as the session lives. */
export class SessionValues implements StoredValues {
  #values: ReadonlyMap<string, string> = new Map();

  all(): ReadonlyMap<string, string> {
    return this.#values;
  }

  keep(values: ReadonlyMap<string, string>): void {
    const next = new Map([...this.#values, ...values]);
    let size = 0;
    for (const [key, value] of next) size += storedSize(key, value);
    // Each cell keeps to it; several at once may not, together.
    if (size > storedBytes) throw new Fault("stored_full", "There is no more room for stored values.");
    this.#values = next;
  }
}
