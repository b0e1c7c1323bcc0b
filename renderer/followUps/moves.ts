// Moves that main has not confirmed: the list shows them at once, and never jumps back and forth over them.
//
// Races, and what settles each:
// - Main's answer and main's new list come in either order, and a list of before can still come after the answer: a move is
//   shown until a list has it, and for a moment after the answer where none does (another window has moved it since).
// - Several moves are on their way (a key pressed quickly): each is shown on top of the ones before it. Main takes them in
//   order, so one that is confirmed confirms those before it, which would otherwise be shown on top of their own outcome.
// - The entry before which it was to come is taken up first: it is asked again for the same place among those that are left.
//   The moved one itself has gone: there is nothing to move, and it is said.

import { create } from "zustand";
import type { CallParams, CallResult } from "../../preload/contract";
import { type Entry, type Move, type Place, samePlace, standsThere } from "./order";

export interface MovesMain {
  move(move: CallParams<"followUps.move">): Promise<CallResult<"followUps.move">>;
}

export interface PendingMove extends Move {
  threadKey: string;
  answered: boolean;
}

export interface MovesOptions {
  main: MovesMain;
  /** What main last told of a thread's follow-ups; null: the thread is not shown any more. */
  entriesOf(threadKey: string): readonly Entry[] | null;
  after(ms: number, run: () => void): void;
}

/** A list that never comes, or has it elsewhere, does not keep a move on screen for ever. */
export const shownAfterAnswerMs = 1_000;
const mostTries = 3;

export class FollowUpMoves {
  readonly store = create<{ pending: readonly PendingMove[] }>(() => ({ pending: [] }));
  readonly #options: MovesOptions;

  constructor(options: MovesOptions) {
    this.#options = options;
  }

  /**
   * `ids`: the order that the person saw. Resolves with what became of it; rejects as the call does, and the move is then
   * not shown any more.
   */
  async move(
    threadKey: string,
    ids: readonly string[],
    clientId: string,
    before: Place,
  ): Promise<"changed" | "gone"> {
    const wanted = wantedOrder(ids, clientId, before);
    let place = before;
    for (let tried = 1; ; tried += 1) {
      const outcome = await this.#ask(threadKey, clientId, place);
      if (outcome === "changed") return outcome;
      const left = this.#options.entriesOf(threadKey)?.map((each) => each.clientId) ?? [];
      if (tried === mostTries || place === null || !left.includes(clientId)) return "gone";
      const next = samePlace(wanted, clientId, left);
      if (next === place) return "gone";
      place = next;
    }
  }

  /** Main has told a new list. */
  heard(threadKey: string): void {
    const ids = this.#options.entriesOf(threadKey)?.map((each) => each.clientId) ?? [];
    const last = this.#pending.findLast(
      (each) => each.threadKey === threadKey && each.answered && standsThere(ids, each.clientId, each.before),
    );
    if (last) this.#end(last);
  }

  async #ask(threadKey: string, clientId: string, before: Place): Promise<"changed" | "gone"> {
    const pending: PendingMove = { threadKey, clientId, before, answered: false };
    this.#put([...this.#pending, pending]);
    try {
      const { outcome } = await this.#options.main.move({ threadKey, clientId, beforeClientId: before });
      if (outcome === "changed") this.#confirm(pending);
      else this.#drop(pending);
      return outcome;
    } catch (error) {
      this.#drop(pending);
      throw error;
    }
  }

  #confirm(move: PendingMove): void {
    const ids = this.#options.entriesOf(move.threadKey)?.map((each) => each.clientId) ?? [];
    if (standsThere(ids, move.clientId, move.before)) {
      this.#end(move);
      return;
    }
    const confirmed = { ...move, answered: true };
    this.#put(this.#pending.map((each) => (each === move ? confirmed : each)));
    this.#options.after(shownAfterAnswerMs, () => this.#end(confirmed));
  }

  /** It is in main's list, and so are the ones before it. */
  #end(move: PendingMove): void {
    const at = this.#pending.indexOf(move);
    if (at < 0) return;
    this.#put(this.#pending.filter((each, index) => index > at || each.threadKey !== move.threadKey));
  }

  #drop(move: PendingMove): void {
    this.#put(this.#pending.filter((each) => each !== move));
  }

  get #pending(): readonly PendingMove[] {
    return this.store.getState().pending;
  }

  #put(pending: readonly PendingMove[]): void {
    this.store.setState({ pending });
  }
}

function wantedOrder(ids: readonly string[], clientId: string, before: Place): readonly string[] {
  const others = ids.filter((id) => id !== clientId);
  const at = before === null ? others.length : others.indexOf(before);
  return [...others.slice(0, at), clientId, ...others.slice(at)];
}
