// What scripts ask the person. A question lives as long as its run waits for it; none outlives Holdfast.
//
// Races settled here:
// - Two windows answer at once: the first answer counts, the second is told that the question has gone.
// - The run ends, or gives the question up, just when it is answered: whichever comes first has settled it.

import { randomUUID } from "node:crypto";
import type { CellQuestion } from "../../../preload/contract/cells";
import type { Clock } from "../../clock";
import { asFault } from "../../fault";

export interface QuestionsOptions {
  clock: Clock;
  /** All that are open, the oldest first. */
  changed(questions: CellQuestion[]): void;
}

interface Open {
  question: CellQuestion;
  answered(answer: string): void;
}

export class Questions {
  readonly #options: QuestionsOptions;
  readonly #open = new Map<string, Open>();

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  get list(): CellQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** The person's answer. Rejects with the reason of the signal: the question is withdrawn then. */
  ask(
    asked: Pick<CellQuestion, "runId" | "scriptName" | "workspaceId" | "question" | "options">,
    signal: AbortSignal,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(asFault(signal.reason));
        return;
      }
      const questionId = randomUUID();
      const over = () => {
        signal.removeEventListener("abort", withdraw);
        this.#open.delete(questionId);
        this.#options.changed(this.list);
      };
      const withdraw = () => {
        over();
        reject(asFault(signal.reason));
      };
      signal.addEventListener("abort", withdraw);
      this.#open.set(questionId, {
        question: { questionId, ...asked, askedAtMs: this.#options.clock.nowMs() },
        answered: (answer) => {
          over();
          resolve(answer);
        },
      });
      this.#options.changed(this.list);
    });
  }

  /** `gone`: it has been answered or withdrawn, or never was. */
  answer(questionId: string, answer: string): "sent" | "gone" {
    const open = this.#open.get(questionId);
    if (!open) return "gone";
    open.answered(answer);
    return "sent";
  }
}
