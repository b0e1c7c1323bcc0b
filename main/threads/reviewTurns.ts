// One review is two turns to codex: the one that was asked for, which has its beginning, its outcome and its end, and one
// within it that does the work. Here they become one, the one that was asked for, for everybody else.
//
//   review/start -> turn R          item/started enteredReviewMode in R
//                   turn/started X (rootTurnId R); what it does is told as done in R, but recorded in X
//                   item/completed exitedReviewMode in R, and the same again in R as an agent's message, for the model
//                   turn/completed R; X is never completed, and listed as running for as long as anything runs
//
// Only X can be interrupted, or be where the history is cut; only R can be where a fork ends. While the review runs, codex
// lists X alone.
//
// Races settled here:
// - The answer of review/start, the beginning of R and the start of X come in any order: the beginning says that R is a
//   review, and it always comes before X.
// - Holdfast comes back in the middle of a review: X is the newest turn, runs, and belongs to one that codex does not list.
//   A child agent's turns belong to those of its parent's, and look the same: there nothing is taken for a review.

import type { ThreadItem } from "../codex/protocol/v2/ThreadItem";
import type { Turn } from "../codex/protocol/v2/Turn";
import { recordOf, wordsOrNull } from "./loose";
import type { TurnPage } from "./transcriptMerge";

export class ReviewTurns {
  readonly #reviews = new Set<string>();
  /** By the turn that does the work, the review that it belongs to. */
  readonly #reviewOf = new Map<string, string>();
  readonly #workOf = new Map<string, string>();
  /** Reviews that have said what they found. */
  readonly #exited = new Set<string>();

  /** What codex says, as said of the review itself; null: it says nothing to a person. */
  heard(method: string, params: unknown): unknown {
    const fields = recordOf(params);
    if (method === "turn/started") {
      const turn = recordOf(fields.turn);
      const id = wordsOrNull(turn.id);
      const root = wordsOrNull(turn.rootTurnId);
      if (id === null || root === null || root === id || !this.#reviews.has(root)) return params;
      this.#belongs(id, root);
      return { ...fields, turn: { ...turn, id: root } };
    }
    const turnId = wordsOrNull(fields.turnId);
    if (turnId === null) return params;
    const reviewId = this.#reviewOf.get(turnId) ?? turnId;
    const said = reviewId === turnId ? fields : { ...fields, turnId: reviewId };
    if (method !== "item/started" && method !== "item/completed") return said;
    const { type } = recordOf(fields.item);
    if (type === "enteredReviewMode") this.#reviews.add(reviewId);
    if (!this.#reviews.has(reviewId)) return said;
    if (type === "exitedReviewMode") this.#exited.add(reviewId);
    // The task as codex words it, and the outcome a second time.
    const isForTheModel = type === "userMessage" || (type === "agentMessage" && this.#exited.has(reviewId));
    // What the reviewer says on the way: codex tells that it begins, and then neither its words nor its end.
    const staysEmpty = type === "agentMessage" && method === "item/started";
    return isForTheModel || staysEmpty ? null : said;
  }

  /** The turn that codex interrupts, or cuts its history before, when this one is meant. */
  workOf(turnId: string): string {
    return this.#workOf.get(turnId) ?? turnId;
  }

  /** A page of codex's record with each review as one turn. `hasEnded`: of a turn that has been listed or heard before. */
  inOne(page: TurnPage, hasEnded: (turnId: string) => boolean, isAgent: boolean): TurnPage {
    const listed = new Set(page.turns.map((turn) => turn.id));
    const works = new Map<string, Turn>();
    const turns: Turn[] = [];
    for (const turn of page.turns) {
      const reviewId = turn.rootTurnId ?? turn.id;
      const isOurs = reviewId === turn.id || isAgent;
      const isOfEnded = listed.has(reviewId) || hasEnded(reviewId);
      // codex never says of the work that it is completed. What is, was copied from an agent's thread.
      if (isOurs || (!isOfEnded && turn.status === "completed")) {
        turns.push(turn);
        continue;
      }
      this.#belongs(turn.id, reviewId);
      if (listed.has(reviewId)) works.set(reviewId, turn);
      // It runs, or was cut off with codex: then this is all that is listed of it.
      else if (!isOfEnded) turns.push({ ...turn, id: reviewId, items: turn.items.filter(isDone) });
    }
    return { ...page, turns: turns.map((turn) => withWork(turn, works.get(turn.id))) };
  }

  #belongs(workId: string, reviewId: string): void {
    this.#reviews.add(reviewId);
    this.#reviewOf.set(workId, reviewId);
    this.#workOf.set(reviewId, workId);
  }
}

/** The review as it was told: its beginning, what was done, its outcome. */
function withWork(turn: Turn, work: Turn | undefined): Turn {
  const exit = turn.items.findIndex(({ type }) => type === "exitedReviewMode");
  if (exit < 0 && work === undefined) return turn;
  const said = exit < 0 ? turn.items : turn.items.slice(0, exit + 1);
  const entered = said.findIndex(({ type }) => type === "enteredReviewMode") + 1;
  return {
    ...turn,
    items: [...said.slice(0, entered), ...(work?.items ?? []).filter(isDone), ...said.slice(entered)],
  };
}

/** The task is worded by codex, not by the person. */
function isDone({ type }: ThreadItem): boolean {
  return type !== "userMessage";
}
