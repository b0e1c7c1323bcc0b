// A list that comes in pages.
//
// Races, and what settles each:
// - Something else is asked for while a page is on its way: only answers to what was asked for last count.
// - "More" is pressed twice: one page at a time.
// - What was there stays on screen until the first page of what was asked for is there, so that the list does not jump; it is
//   marked as old meanwhile.

import type { FaultView } from "../../preload/contract/fault";
import { faultOf } from "../state/callFault";

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

export interface Paged<Item> {
  items: readonly Item[];
  /** They are of what was asked for before. */
  isOld: boolean;
  loading: boolean;
  hasMore: boolean;
  fault: FaultView | null;
}

export function nothingPaged<Item>(): Paged<Item> {
  return { items: [], isOld: false, loading: false, hasMore: false, fault: null };
}

type Load<Item> = (cursor: string | null) => Promise<Page<Item>>;

export class PagedList<Item> {
  readonly #keyOf: (item: Item) => string;
  readonly #changed: (state: Paged<Item>) => void;
  #state = nothingPaged<Item>();
  #load: Load<Item> | null = null;
  #cursor: string | null = null;
  /** Items up to which pages come by themselves. */
  #atLeast = 0;
  #asked = 0;

  constructor(keyOf: (item: Item) => string, changed: (state: Paged<Item>) => void) {
    this.#keyOf = keyOf;
    this.#changed = changed;
  }

  get state(): Paged<Item> {
    return this.#state;
  }

  /** `atLeast`: pages come by themselves until there are so many. */
  begin(load: Load<Item>, atLeast = 0): Promise<void> {
    this.#asked += 1;
    this.#load = load;
    this.#cursor = null;
    this.#atLeast = atLeast;
    this.#put({ isOld: this.#state.items.length > 0, loading: false, hasMore: false, fault: null });
    return this.#next();
  }

  more(): Promise<void> {
    this.#atLeast = 0;
    return this.#state.loading || (!this.#state.hasMore && !this.#state.fault)
      ? Promise.resolve()
      : this.#next();
  }

  /** It asks for nothing any more and has nothing. */
  clear(): void {
    this.#asked += 1;
    this.#load = null;
    this.#state = nothingPaged();
    this.#changed(this.#state);
  }

  async #next(): Promise<void> {
    const load = this.#load;
    const asked = this.#asked;
    if (!load) return;
    this.#put({ loading: true, fault: null });
    try {
      const { items, nextCursor } = await load(this.#cursor);
      if (asked !== this.#asked) return;
      const before = this.#state.isOld ? [] : this.#state.items;
      const known = new Set(before.map(this.#keyOf));
      // A thread that has changed meanwhile may come again on a later page.
      const fresh = items.filter((item) => !known.has(this.#keyOf(item)) && known.add(this.#keyOf(item)));
      const isEnd = nextCursor === null || nextCursor === this.#cursor;
      this.#cursor = nextCursor;
      this.#put({ items: [...before, ...fresh], isOld: false, loading: false, hasMore: !isEnd });
    } catch (error) {
      if (asked !== this.#asked) return;
      const items = this.#state.isOld ? [] : this.#state.items;
      this.#put({ items, isOld: false, loading: false, fault: faultOf(error) });
      return;
    }
    if (this.#state.hasMore && this.#state.items.length < this.#atLeast) await this.#next();
  }

  #put(change: Partial<Paged<Item>>): void {
    this.#state = { ...this.#state, ...change };
    this.#changed(this.#state);
  }
}
