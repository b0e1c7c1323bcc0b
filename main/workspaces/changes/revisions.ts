// When a window looks again: each workspace has a revision, which grows whenever something may have changed in its
// repository. Nobody polls; a window asks for the next one and is answered when it is there.
//
// Races, and what settles each:
// - Something changes between a window's look and its question: the question names the revision of that look, so that it is
//   answered at once.
// - An agent changes a hundred files in a second: what it does is told `quietMs` after the last of it, and every `mostMs`
//   while it goes on. What a person does here is told at once.
// - A page that has gone leaves its question behind: it ends by its time, and a page has one.

import type { Clock, Timer } from "../../clock";

interface Question {
  workspaceId: string;
  revision: number;
  timer: Timer;
  answer(revision: number | null): void;
}

export const questionLastsMs = 25_000;
const quietMs = 300;
const mostMs = 2_000;

export class Revisions {
  readonly #clock: Clock;
  readonly #current = new Map<string, number>();
  /** By page. */
  readonly #questions = new Map<string, Question>();
  readonly #soon = new Map<string, { timer: Timer; sinceMs: number }>();
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(workspaceId: string): number {
    return this.#current.get(workspaceId) ?? 0;
  }

  changed(workspaceId: string): void {
    this.#soon.get(workspaceId)?.timer.cancel();
    this.#soon.delete(workspaceId);
    this.#last += 1;
    this.#current.set(workspaceId, this.#last);
    for (const question of [...this.#questions.values()]) {
      if (question.workspaceId === workspaceId) question.answer(this.#last);
    }
  }

  /** There may be more of it in a moment. */
  changedSoon(workspaceId: string): void {
    const nowMs = this.#clock.nowMs();
    const before = this.#soon.get(workspaceId);
    before?.timer.cancel();
    const sinceMs = before?.sinceMs ?? nowMs;
    const delayMs = Math.max(0, Math.min(quietMs, sinceMs + mostMs - nowMs));
    const timer = this.#clock.after(delayMs, () => this.changed(workspaceId));
    this.#soon.set(workspaceId, { timer, sinceMs });
  }

  /** null: nothing for `questionLastsMs`, or the page asked again. */
  next(workspaceId: string, revision: number, page: string): Promise<number | null> {
    this.#questions.get(page)?.answer(null);
    const current = this.of(workspaceId);
    if (current > revision) return Promise.resolve(current);
    return new Promise((resolve) => {
      const question: Question = {
        workspaceId,
        revision,
        timer: this.#clock.after(questionLastsMs, () => question.answer(null)),
        answer: (next) => {
          question.timer.cancel();
          if (this.#questions.get(page) === question) this.#questions.delete(page);
          resolve(next);
        },
      };
      this.#questions.set(page, question);
    });
  }

  dispose(): void {
    for (const { timer } of this.#soon.values()) timer.cancel();
    this.#soon.clear();
    for (const question of [...this.#questions.values()]) question.answer(null);
  }
}
