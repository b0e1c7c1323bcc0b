import type { ThreadRow } from "../../preload/contract/app";
import type { Rows } from "./appCopy";

/** The threads above this one, from the top. */
export function parentsOf(rows: Rows, threadId: string | null): ThreadRow[] {
  const parents: ThreadRow[] = [];
  let row = threadId === null ? undefined : rows.get(threadId);
  while (row?.parentThreadId && !parents.some((above) => above.threadId === row?.parentThreadId)) {
    row = rows.get(row.parentThreadId);
    if (row) parents.unshift(row);
  }
  return parents;
}
