// The drafts that are in the window's hands: the one on the screen, and those left behind that are not settled yet (a
// message on its way, a text that could not be kept). Coming back to such a thread finds the same draft again.

import { Draft, type DraftMain, type DraftTimers } from "./draft";

export class DraftBook {
  readonly #main: DraftMain;
  readonly #timers: DraftTimers;
  readonly #drafts = new Map<string, Draft>();
  readonly #holds = new Map<Draft, number>();

  constructor(main: DraftMain, timers: DraftTimers) {
    this.#main = main;
    this.#timers = timers;
  }

  /** The draft of this thread; the same one for as long as somebody holds it or it is not settled. */
  of(threadKey: string): Draft {
    const known = this.#drafts.get(threadKey);
    if (known) return known;
    const draft = new Draft(threadKey, this.#main, this.#timers);
    this.#drafts.set(threadKey, draft);
    draft.subscribe(() => this.#letGo(draft));
    return draft;
  }

  /** Keeps it until what this returns is called, which also hands over what is not kept. */
  hold(draft: Draft): () => void {
    this.#drafts.set(draft.key, draft);
    this.#holds.set(draft, (this.#holds.get(draft) ?? 0) + 1);
    return () => {
      const holds = (this.#holds.get(draft) ?? 1) - 1;
      if (holds > 0) this.#holds.set(draft, holds);
      else this.#holds.delete(draft);
      draft.flush();
      this.#letGo(draft);
    };
  }

  /** The page is going away. */
  flushAll(): void {
    for (const draft of this.#drafts.values()) draft.flushAtEnd();
  }

  /** How many are in hand. */
  get size(): number {
    return this.#drafts.size;
  }

  #letGo(draft: Draft): void {
    if (this.#holds.has(draft) || !draft.isSettled || draft.view.phase === "loading") return;
    if (this.#drafts.get(draft.key) === draft) this.#drafts.delete(draft.key);
  }
}
