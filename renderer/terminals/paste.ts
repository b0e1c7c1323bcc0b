// What is pasted into a terminal. A program that knows the difference (bracketed paste) gets several lines as text; to any other
// each line is as if it were typed and entered, and is run at once.

import { askFirst } from "../state/confirm";

const shownLines = 6;
const shownCharacters = 400;

/** Null: nothing has to be asked. Pure. */
export function pasteQuestion(text: string, isBracketed: boolean): string | null {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  // One line with an end is run too.
  if (isBracketed || (lines.length < 2 && !/[\r\n]$/.test(text))) return null;
  const shown = lines.slice(0, shownLines).join("\n").slice(0, shownCharacters);
  const isWhole = shown.length === lines.join("\n").length;
  const words =
    lines.length === 1
      ? "This line is run as soon as it is pasted"
      : `These ${lines.length} lines are run as soon as they are pasted, one after the other`;
  return `${words}:\n\n${shown}${isWhole ? "" : " …"}`;
}

export async function mayPaste(text: string, isBracketed: boolean): Promise<boolean> {
  const question = pasteQuestion(text, isBracketed);
  if (question === null) return true;
  return askFirst({
    title: "Paste into the terminal?",
    text: question,
    confirmLabel: "Paste",
    tone: "default",
  });
}
