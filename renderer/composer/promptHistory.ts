// What was said in this thread before, brought back with the arrow keys. Pure.

export interface HistoryPlace {
  /** Into the prompts, newest first; -1: what is typed now. */
  index: number;
  /** What the field showed when it was brought there: once it is changed, the arrows belong to the text again. */
  shown: string;
}

export const atNow: HistoryPlace = { index: -1, shown: "" };

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
