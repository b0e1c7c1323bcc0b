// The end of a run's output, for whoever opens it. What is before it is in the ledger only.

import type { RunOutputItem } from "../../../preload/contract/cells";

/** About what a window can show at once. */
export const tailBytes = 512 * 1024;

export class OutputTail {
  #items: RunOutputItem[] = [];
  #sizes: number[] = [];
  #bytes = 0;
  #first = 0;

  /** How many items there are in all, those included that are not here any more. */
  get total(): number {
    return this.#first + this.#items.length;
  }

  /** The number of the first item that is here. */
  get first(): number {
    return this.#first;
  }

  get items(): readonly RunOutputItem[] {
    return this.#items;
  }

  add(items: readonly RunOutputItem[]): void {
    for (const item of items) {
      const size = sizeOf(item);
      this.#items.push(item);
      this.#sizes.push(size);
      this.#bytes += size;
    }
    let dropped = 0;
    while (dropped < this.#items.length - 1 && this.#bytes > tailBytes) {
      this.#bytes -= this.#sizes[dropped] ?? 0;
      dropped += 1;
    }
    if (dropped === 0) return;
    this.#items = this.#items.slice(dropped);
    this.#sizes = this.#sizes.slice(dropped);
    this.#first += dropped;
  }
}

/** As JSON, nearly. */
function sizeOf(item: RunOutputItem): number {
  return Buffer.byteLength(item.type === "image" ? item.dataUrl : item.text) + 32;
}
