// The question at quit, which is the system's own dialog and on no page: main's call for it is answered in its place.

import type { Holdfast } from "./app";

export interface QuitQuestion {
  message: string;
  detail: string;
  buttons: string[];
}

/** What main's world keeps for the test. */
interface Kept {
  quitQuestions?: QuitQuestion[];
}

export async function answerQuitWith(holdfast: Holdfast, label: string): Promise<void> {
  await holdfast.app.evaluate(({ dialog }, wanted) => {
    const questions: QuitQuestion[] = [];
    (globalThis as Kept).quitQuestions = questions;
    const answer = async (...given: unknown[]) => {
      const { message, detail = "", buttons = [] } = given.at(-1) as Electron.MessageBoxOptions;
      questions.push({ message, detail, buttons });
      return { response: buttons.indexOf(wanted), checkboxChecked: false };
    };
    dialog.showMessageBox = answer;
  }, label);
}

export function quitQuestions(holdfast: Holdfast): Promise<QuitQuestion[]> {
  return holdfast.app.evaluate(() => (globalThis as Kept).quitQuestions ?? []);
}

/** As the menu does. What comes of it, the test looks at by itself. */
export async function pressQuit(holdfast: Holdfast): Promise<void> {
  try {
    await holdfast.app.evaluate(({ app }) => {
      // Not within the call, which would be cut off by the end of the process.
      setImmediate(() => app.quit());
    });
  } catch (error) {
    // It has ended before its answer was there.
    if (!(error instanceof Error && /has been closed/.test(error.message))) throw error;
  }
}

/** The same where the app ends: its exit code. */
export async function quit(holdfast: Holdfast): Promise<number | null> {
  const child = holdfast.app.process();
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await pressQuit(holdfast);
  return ended;
}
