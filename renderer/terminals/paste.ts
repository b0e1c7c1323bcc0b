// What is pasted into a terminal. A program that knows the difference (bracketed paste) gets several lines as text; to any other
// each line is as if it were typed and entered, and is run at once.

import { askFirst } from "../state/confirm";

/**
 * What a key with Ctrl would type, or the end of a bracketed paste, is for the program to obey and not to read: a page could have
 * put it among the words that it gave to be copied. Shown as a picture of itself it does nothing. Pure.
 */
export function plainPaste(text: string): string {
  return text.replace(/(?![\t\r\n])\p{Cc}/gu, (control) => {
    const code = control.charCodeAt(0);
    return String.fromCharCode(code < 0x20 ? 0x2400 + code : 0x2421);
  });
}

/** What turns the direction of the words around it, or takes no room: in a question it would hide what is asked. */
const unseen = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

const shownLines = 6;
const shownCharacters = 400;

/** Null: nothing has to be asked. Pure. */
export function pasteQuestion(text: string, isBracketed: boolean): string | null {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  // One line with an end is run too.
  if (isBracketed || (lines.length < 2 && !/[\r\n]$/.test(text))) return null;
  const all = lines.join("\n");
  const shown = lines.slice(0, shownLines).join("\n").slice(0, shownCharacters);
  const isWhole = shown.length === all.length;
  const words =
    lines.length === 1
      ? "This line is run as soon as it is pasted"
      : `These ${lines.length} lines are run as soon as they are pasted, one after the other`;
  return `${words}:\n\n${shown.replace(unseen, "\u2423")}${isWhole ? "" : " …"}`;
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
