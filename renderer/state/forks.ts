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

const mostTitleUnits = 50;

/** For a sentence that names a thread. */
export function shortTitle(title: string): string {
  const { base, mark } = splitTitle(title);
  const short = base.length > mostTitleUnits ? `${base.slice(0, mostTitleUnits - 1).trimEnd()}…` : base;
  return mark === null ? short : `${short} ${mark}`;
}

/** Whether a thread is named as a fork, as Holdfast names one: the mark at the end may be out of sight in a long title. */
export function isForkTitle(title: string): boolean {
  return /\(fork(?: \d+)?\)$/.test(title);
}
