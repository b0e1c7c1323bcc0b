// Threads that a search finds by what codex does not have on record: text and commands that run, or that were cut off.

import type { ThreadHit } from "../../preload/contract/thread";
import type { RunningItemsLedger } from "../ledger/runningItemsLedger";
import type { ThreadsLedger } from "../ledger/threadsLedger";
import { plainPiece } from "../plainText";

const mostFound = 100;
const unitsBefore = 40;
const unitsOfSnippet = 200;

interface KeptHitsOptions {
  items: Pick<RunningItemsLedger, "search">;
  threads: Pick<ThreadsLedger, "get">;
  /** Null: it is not on the list any more. */
  folder(workspaceId: string): string | null;
}

/** Each thread once. Agents are found by the thread that they belong to, so they are left out. */
export function keptHits(options: KeptHitsOptions, query: string, archived: boolean): ThreadHit[] {
  const hits = new Map<string, ThreadHit>();
  for (const { threadId, text } of options.items.search(query, mostFound)) {
    const thread = options.threads.get(threadId);
    if (!thread || hits.has(threadId) || thread.archived !== archived || thread.parentThreadId !== null)
      continue;
    const cwd = options.folder(thread.workspaceId);
    if (cwd === null) continue;
    const { workspaceId, title, updatedAtMs } = thread;
    hits.set(threadId, {
      threadId,
      workspaceId,
      title,
      snippet: snippetOf(text, query),
      cwd,
      updatedAtMs,
      archived,
    });
  }
  return [...hits.values()];
}

/** With what codex has found: that names where, so it goes first where both have found a thread. */
export function withKeptHits(found: readonly ThreadHit[], kept: readonly ThreadHit[]): ThreadHit[] {
  const known = new Set(found.map(({ threadId }) => threadId));
  const added = kept.filter(({ threadId }) => !known.has(threadId));
  return [...found, ...added].sort((a, b) => b.updatedAtMs - a.updatedAtMs);
}

function snippetOf(text: string, query: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(query.toLowerCase()) - unitsBefore);
  const part = plainPiece(text.slice(at, at + unitsOfSnippet), query);
  return `${at > 0 ? "…" : ""}${part}${at + unitsOfSnippet < text.length ? "…" : ""}`;
}
