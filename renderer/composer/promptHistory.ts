// What was said in this thread before, brought back with the arrow keys. Pure.

import type { ThreadCopy } from "../state/threadCopy";

export interface HistoryPlace {
  /** Into the prompts, newest first; -1: what is typed now. */
  index: number;
  /** What the field showed when it was brought there: once it is changed, the arrows belong to the text again. */
  shown: string;
}

export const atNow: HistoryPlace = { index: -1, shown: "" };

/** In their order, with what is on its way or waits. What a script has sent was never typed by anybody. */
export function saidByPerson({
  order,
  byId,
  head: { submissions, followUps },
}: Pick<ThreadCopy, "order" | "byId" | "head">): string[] {
  const said = order.flatMap((id) => {
    const item = byId[id];
    return item?.kind === "user" ? [item] : [];
  });
  return [...said, ...submissions, ...followUps.entries].flatMap(({ text, byRun }) => (byRun ? [] : text));
}

/** Newest first, each once. */
export function promptsOf(texts: readonly string[]): string[] {
  return [...new Set([...texts].reverse().filter((text) => text.trim() !== ""))];
}

/** Null: the arrow moves the caret as usual. */
export function stepHistory(
  place: HistoryPlace,
  text: string,
  prompts: readonly string[],
  by: 1 | -1,
): HistoryPlace | null {
  const from = place.index >= 0 && text === place.shown ? place.index : -1;
  if (from === -1 && (text !== "" || by === -1)) return null;
  const index = from + by;
  if (index < 0) return atNow;
  const shown = prompts[index];
  return shown === undefined ? null : { index, shown };
}
