// What a test asks of the main process is done at once, but its answer can get lost when memory is cleared away meanwhile, as on
// a busy machine while Holdfast starts: the driver holds the promise of it weakly. So main's world keeps what it was asked and
// what came of it, and is asked again for the same: nothing is done twice.

import { randomUUID } from "node:crypto";
import type { ElectronApplication } from "@playwright/test";

const lost = "Resulting promise was garbage collected";
/** It can be so for as long as memory is being cleared away, and each question takes a few milliseconds. */
const mostTimes = 100;

type Evaluate = ElectronApplication["evaluate"];

/** From now on, for all that is asked of it. What is asked of its objects by handles is not. */
export function keepAnswers(app: ElectronApplication): void {
  const evaluate = app.evaluate.bind(app);
  const kept = (asked: unknown, given: unknown): Promise<unknown> => {
    const question = { id: randomUUID(), source: `(${String(asked)})`, given };
    return askedAgain(() => evaluate(answer, question));
  };
  app.evaluate = kept as Evaluate;
  const browserWindow = app.browserWindow.bind(app);
  app.browserWindow = (page) => askedAgain(() => browserWindow(page));
}

/** For what goes by handles: asks once more where the answer got lost. `ask` must do no harm twice. */
export async function askedAgain<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let times = 1; ; times += 1) {
    try {
      return await ask();
    } catch (error) {
      if (times === mostTimes || !(error instanceof Error && error.message.includes(lost))) throw error;
    }
  }
}

/** Runs in main. */
function answer(
  electron: unknown,
  { id, source, given }: { id: string; source: string; given: unknown },
): unknown {
  const world = globalThis as { answersForTests?: Map<string, unknown> };
  world.answersForTests ??= new Map();
  const answers = world.answersForTests;
  if (!answers.has(id)) {
    // biome-ignore lint/security/noGlobalEval: it is how the driver itself hands a function over.
    const ask = globalThis.eval(source) as (electron: unknown, given: unknown) => unknown;
    answers.set(id, ask(electron, given));
  }
  return answers.get(id);
}
