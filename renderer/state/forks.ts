import type { Rows } from "./appCopy";

/** The title of a fork of this thread: codex does not delete a thread while there is one. Null: none is known. */
export function forkOf(rows: Rows, threadId: string): string | null {
  for (const row of rows.values()) if (row.forkedFromId === threadId) return row.title;
  return null;
}

/** A title in two parts, of which the second one, that tells forks apart, is to be seen however little room there is. */
export function splitTitle(title: string): { base: string; mark: string | null } {
  const mark = /\(fork(?: \d+)?\)$/.exec(title)?.[0] ?? null;
  return mark === null ? { base: title, mark } : { base: title.slice(0, -mark.length).trimEnd(), mark };
}

/** Whether a thread is named as a fork, as Holdfast names one: the mark at the end may be out of sight in a long title. */
export function isForkTitle(title: string): boolean {
  return /\(fork(?: \d+)?\)$/.test(title);
}
