// What a test asks of the main process is done at once, but its answer can get lost when memory is cleared away meanwhile, as on
// a busy machine while Holdfast starts.

const lost = "Resulting promise was garbage collected";
const mostTimes = 5;

/** Asks once more where the answer got lost: `ask` must do no harm twice. */
export async function askedAgain<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let times = 1; ; times += 1) {
    try {
      return await ask();
    } catch (error) {
      if (times === mostTimes || !(error instanceof Error && error.message.includes(lost))) throw error;
    }
  }
}
