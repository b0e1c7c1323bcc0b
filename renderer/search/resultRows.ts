// What the page of all threads shows, from top to bottom: what a search has found, or every thread by its folder. Pure.

import type { FaultView } from "../../preload/contract/fault";
import type { ThreadHit } from "../../preload/contract/thread";
import type { Paged } from "./pagedList";

export type Which = "active" | "archived";

export type ResultRow =
  | { kind: "heading"; key: string; words: string }
  | {
      kind: "folder";
      key: string;
      cwd: string;
      name: string;
      workspaceId: string | null;
      count: number;
      /** There may be more of its threads than are counted. */
      atLeast: boolean;
      expanded: boolean;
    }
  | { kind: "hit"; key: string; hit: ThreadHit; where: string }
  | { kind: "thread"; key: string; hit: ThreadHit }
  | { kind: "more"; key: string; which: Which; loading: boolean }
  | { kind: "fault"; key: string; which: Which; fault: FaultView }
  | { kind: "nothing"; key: string; words: string };

export interface ResultInput {
  query: string;
  active: Paged<ThreadHit>;
  archived: Paged<ThreadHit>;
  folded: ReadonlySet<string>;
  nameOf(workspaceId: string): string | null;
}

export function resultRows(input: ResultInput): ResultRow[] {
  return input.query === "" ? byFolder(input) : found(input);
}

function found({ active, archived, nameOf }: ResultInput): ResultRow[] {
  const rows: ResultRow[] = [];
  const list = (which: Which, paged: Paged<ThreadHit>) => {
    if (which === "archived" && paged.items.length > 0)
      rows.push({ kind: "heading", key: which, words: "In the archive" });
    for (const hit of paged.items) {
      const where = (hit.workspaceId && nameOf(hit.workspaceId)) ?? folderName(hit.cwd);
      rows.push({ kind: "hit", key: `hit ${hit.threadId}`, hit, where });
    }
    rows.push(...ends(which, paged));
  };
  list("active", active);
  list("archived", archived);
  if (rows.length === 0 && !active.loading && !archived.loading)
    rows.push({ kind: "nothing", key: "nothing", words: "No thread has these words." });
  return rows;
}

function byFolder({ active, archived, folded, nameOf }: ResultInput): ResultRow[] {
  const groups = new Map<string, ThreadHit[]>();
  const all = [...active.items, ...archived.items].sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  for (const hit of all) {
    const held = groups.get(hit.cwd);
    if (held) held.push(hit);
    else groups.set(hit.cwd, [hit]);
  }
  const atLeast = active.hasMore || archived.hasMore || active.loading || archived.loading;
  const rows: ResultRow[] = [];
  for (const [cwd, hits] of groups) {
    const workspaceId = hits[0]?.workspaceId ?? null;
    const name = (workspaceId && nameOf(workspaceId)) ?? folderName(cwd);
    const expanded = !folded.has(cwd);
    const key = `folder ${cwd}`;
    rows.push({ kind: "folder", key, cwd, name, workspaceId, count: hits.length, atLeast, expanded });
    if (expanded) for (const hit of hits) rows.push({ kind: "thread", key: `thread ${hit.threadId}`, hit });
  }
  rows.push(...ends("active", active), ...ends("archived", archived));
  if (rows.length === 0 && !active.loading && !archived.loading)
    rows.push({ kind: "nothing", key: "nothing", words: "codex has no threads yet." });
  return rows;
}

function ends(which: Which, { fault, hasMore, loading, items }: Paged<ThreadHit>): ResultRow[] {
  if (fault) return [{ kind: "fault", key: `fault ${which}`, which, fault }];
  if (hasMore && items.length > 0) return [{ kind: "more", key: `more ${which}`, which, loading }];
  return [];
}

export function folderName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

/** Rows that the keyboard stops at. */
export function isResultStop({ kind }: ResultRow): boolean {
  return kind !== "heading" && kind !== "nothing";
}

/** The next one to stop at, in this direction; the same where there is none. */
export function nextStop(rows: readonly ResultRow[], from: number, by: 1 | -1): number {
  for (let at = from + by; at >= 0 && at < rows.length; at += by) {
    const row = rows[at];
    if (row && isResultStop(row)) return at;
  }
  return from;
}
