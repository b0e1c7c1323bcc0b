// Where someone was in each thread, for when they come back: the row at the top and how far it was scrolled, the sizes
// that rows had, and what was unfolded. Kept while the window lives, for the threads that were shown last.

export interface Place {
  following: boolean;
  /** The row at the top edge, and how far its start was above that edge. */
  anchorKey: string | null;
  anchorOffsetPx: number;
  /** Key and height of each row that was drawn. */
  sizes: readonly (readonly [key: string, px: number])[];
}

const mostThreads = 40;
const mostFolds = 3_000;

export class Places {
  readonly #places = new Map<string, Place>();

  get(threadKey: string): Place | undefined {
    return this.#places.get(threadKey);
  }

  put(threadKey: string, place: Place): void {
    this.#places.delete(threadKey);
    this.#places.set(threadKey, place);
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= mostThreads) break;
      this.#places.delete(oldest);
    }
  }
}

/** What was folded or unfolded by hand. A row that is scrolled away is not drawn: it cannot remember by itself. */
export class Folds {
  readonly #open = new Map<string, boolean>();

  get(key: string): boolean | undefined {
    return this.#open.get(key);
  }

  set(key: string, open: boolean): void {
    this.#open.delete(key);
    this.#open.set(key, open);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= mostFolds) break;
      this.#open.delete(oldest);
    }
  }
}

export interface LaidOutRow {
  key: string;
  start: number;
  end: number;
}

/** The row that the top edge goes through. */
export function anchorAt(
  rows: readonly LaidOutRow[],
  top: number,
): Pick<Place, "anchorKey" | "anchorOffsetPx"> {
  const row = rows.find((each) => each.end > top) ?? rows.at(-1);
  return row
    ? { anchorKey: row.key, anchorOffsetPx: top - row.start }
    : { anchorKey: null, anchorOffsetPx: 0 };
}

/** The scroll position that brings the anchor back to where it was; null when its row is gone. */
export function topFor(place: Place, startOf: (key: string) => number | null): number | null {
  if (place.anchorKey === null) return null;
  const start = startOf(place.anchorKey);
  return start === null ? null : Math.max(0, start + place.anchorOffsetPx);
}

export const places = new Places();
export const folds = new Folds();
