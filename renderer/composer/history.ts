// Earlier messages of the thread, called up with the arrow keys. Pure.

import type { ThreadCopy } from "../state/threadCopy";

/** What the person has written in this thread, newest first, each text once in a row. */
export function sentTexts(copy: Pick<ThreadCopy, "order" | "byId">): string[] {
  const texts: string[] = [];
  for (let at = copy.order.length - 1; at >= 0; at--) {
    const item = copy.byId[copy.order[at] ?? ""];
    if (item?.kind === "user" && item.text.trim() !== "" && item.text !== texts.at(-1)) texts.push(item.text);
  }
  return texts;
}

/** Which message is called up: its place among the sent ones, and its text to tell whether it was changed since. */
export interface Recall {
  place: number;
  text: string;
}

export function isRecalled(recall: Recall | null, text: string): boolean {
  return recall !== null && recall.text === text;
}

/** One message further back, or forward to the empty field (null). */
export function stepRecall(
  texts: readonly string[],
  recall: Recall | null,
  direction: "older" | "newer",
): Recall | null {
  const from = recall?.place ?? -1;
  const place = direction === "older" ? Math.min(from + 1, texts.length - 1) : from - 1;
  const text = texts[place];
  return text === undefined ? null : { place, text };
}
