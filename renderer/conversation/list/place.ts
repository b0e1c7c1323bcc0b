// Where someone was in each thread, for when they come back: the row at the top and how far it was scrolled, the sizes
// that rows had, and what was unfolded. Kept while the window lives, for the threads that were shown last.

export interface Place {
  following: boolean;
  /** The row at the top edge, and how far its start was above that edge. */
  anchorKey: string | null;
  anchorOffsetPx: number;
  /** Key and height of the rows around it that were drawn. */
  sizes: readonly (readonly [key: string, px: number])[];
}

const mostThreads = 40;
const mostFolds = 3_000;
const mostRevealed = 200;
/** To either side of the row at the top edge: some screens. A row further away finds its size when it is drawn again. */
const mostSizes = 50;

export class Places {
  readonly #places = new Map<string, Place>();

  get(threadKey: string): Place | undefined {
    return this.#places.get(threadKey);
  }

  forget(threadKey: string): void {
    this.#places.delete(threadKey);
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
  /** Everything below these is unfolded, but for what was folded by hand since. */
  readonly #revealed = new Set<string>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** `part` of what is drawn in `scope`. */
  get(scope: string, part: string): boolean | undefined {
    return this.#open.get(`${scope}/${part}`) ?? (this.#revealed.has(scope) ? true : undefined);
  }

  isRevealed(scope: string): boolean {
    return this.#revealed.has(scope);
  }

  /** Something in it is to be seen. */
  reveal(scope: string): void {
    for (const [key, open] of [...this.#open]) {
      if (!open && key.startsWith(`${scope}/`)) this.#open.delete(key);
    }
    this.#revealed.delete(scope);
    this.#revealed.add(scope);
    for (const oldest of this.#revealed) {
      if (this.#revealed.size <= mostRevealed) break;
      this.#revealed.delete(oldest);
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  set(scope: string, part: string, open: boolean): void {
    const key = `${scope}/${part}`;
    this.#open.delete(key);
    this.#open.set(key, open);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= mostFolds) break;
      this.#open.delete(oldest);
    }
    this.#tell();
  }
}

/** A row, and how far its start is above the top edge of the view. */
export interface Anchor {
  key: string;
  offsetPx: number;
}

/** What to come back to; null when that is the end. */
export function anchorOf(place: Place | undefined): Anchor | null {
  if (!place || place.following || place.anchorKey === null) return null;
  return { key: place.anchorKey, offsetPx: place.anchorOffsetPx };
}

/**
 * The row that the top edge goes through. While the one that was come back to stands where it stood, that is it still: what
 * is scrolled is rounded, and it would move a little with each time.
 */
export function anchorAt(rows: readonly DrawnRow[], cameBackTo: Anchor | null): Anchor | null {
  const same = rows.find(({ key }) => key === cameBackTo?.key);
  if (same && cameBackTo && Math.abs(same.topPx + cameBackTo.offsetPx) < 1) return cameBackTo;
  const row = rows.find(({ bottomPx }) => bottomPx > 0) ?? rows.at(-1);
  return row ? { key: row.key, offsetPx: -row.topPx } : null;
}

/** Both from the top edge of the view. */
export interface DrawnRow {
  key: string;
  topPx: number;
  bottomPx: number;
}

/**
 * The sizes to keep for a place: those of rows around the one at `at`, and of the first ones, which the list draws before it
 * is brought to the place; were they found to be higher then, what comes after them would move.
 */
export function sizesAround(
  keys: readonly string[],
  at: number,
  sizeOf: (key: string) => number | undefined,
): Place["sizes"] {
  const from = Math.max(mostSizes, at - mostSizes);
  const near = [...keys.slice(0, mostSizes), ...keys.slice(from, Math.max(from, at + mostSizes))];
  return near.flatMap((key) => {
    const px = sizeOf(key);
    return px === undefined ? [] : [[key, px] as const];
  });
}

export const places = new Places();
export const folds = new Folds();
