// The drafts that are in the window's hands: the one on the screen, and those left behind that are not settled yet (a
// message on its way, a text that could not be kept). Coming back to such a thread finds the same draft again.
//
// Race: two are held for a moment while the window goes from thread to thread. Only the newest follows what other windows
// do: main answers one question of a page at a time, and two that ask in turn would never wait.

import { Draft } from "./draft";
import type { DraftIds, DraftMain, DraftTimers } from "./draftMain";

export class DraftBook {
  readonly #main: DraftMain;
  readonly #timers: DraftTimers;
  readonly #ids: DraftIds;
  #followed: Draft | null = null;
  readonly #drafts = new Map<string, Draft>();
  readonly #holds = new Map<Draft, number>();

  constructor(main: DraftMain, timers: DraftTimers, ids: DraftIds) {
    this.#main = main;
    this.#timers = timers;
    this.#ids = ids;
  }

  /** The draft of this thread; the same one for as long as somebody holds it or it is not settled. */
  of(threadKey: string): Draft {
    const known = this.#drafts.get(threadKey);
    if (known) return known;
    const draft = new Draft(threadKey, this.#main, this.#timers, this.#ids);
    this.#drafts.set(threadKey, draft);
    draft.subscribe(() => this.#letGo(draft));
    return draft;
  }

  /** Keeps it, and lets it follow other windows, until what this returns is called, which also hands over what is not kept. */
  hold(draft: Draft): () => void {
    this.#drafts.set(draft.key, draft);
    this.#holds.set(draft, (this.#holds.get(draft) ?? 0) + 1);
    if (this.#followed !== draft) {
      this.#followed?.unfollow();
      this.#followed = draft;
      draft.follow();
    }
    return () => {
      const holds = (this.#holds.get(draft) ?? 1) - 1;
      if (holds > 0) this.#holds.set(draft, holds);
      else {
        this.#holds.delete(draft);
        draft.unfollow();
        if (this.#followed === draft) this.#followed = null;
      }
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
