// The items of one transcript by their ids, in order. A command's output comes in thousands of pieces and is looked at a few
// times a second, and to cut it copies all of it: so pieces are kept as they came until somebody looks.

import { appendBounded, type Item } from "../../preload/contract/items";
import { JoinedText } from "./joinedText";

export class HeldItems {
  readonly #items = new Map<string, Item>();
  /** What has come to the outputs of commands since they were looked at. */
  readonly #growing = new Map<string, JoinedText>();

  get size(): number {
    return this.#items.size;
  }

  has(id: string): boolean {
    return this.#items.has(id);
  }

  get(id: string): Item | undefined {
    const item = this.#items.get(id);
    const more = this.#growing.get(id);
    if (item?.kind !== "command" || more === undefined) return item;
    const { text, skippedUnits } = more.end();
    const grown = { ...item, output: appendBounded(item.output, text, skippedUnits) };
    this.set(id, grown);
    return grown;
  }

  /** All of it but how long its output is, for whoever looks at each piece that comes. */
  withoutOutput(id: string): Item | undefined {
    return this.#items.get(id);
  }

  all(): Item[] {
    for (const id of [...this.#growing.keys()]) this.get(id);
    return [...this.#items.values()];
  }

  set(id: string, item: Item): void {
    this.#growing.delete(id);
    this.#items.set(id, item);
  }

  /** Adds to the output of the command `id`. */
  growOutput(id: string, text: string): void {
    const more = this.#growing.get(id) ?? new JoinedText(true);
    more.add(text);
    this.#growing.set(id, more);
  }

  delete(id: string): void {
    this.#growing.delete(id);
    this.#items.delete(id);
  }

  clear(): void {
    this.#growing.clear();
    this.#items.clear();
  }
}
