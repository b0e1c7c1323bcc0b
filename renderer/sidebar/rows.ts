// The list of workspaces and threads as flat rows, in the order in which they are drawn. Pure: what is on screen follows
// from what is known and what was asked for.

import type { ThreadRow, WorkspaceView } from "../../preload/contract/app";
import type { ThreadHit } from "../../preload/contract/thread";
import type { WorktreeStartView } from "../../preload/contract/worktrees";
import type { Rows } from "../state/appCopy";

export interface RowPlace {
  /** Depth, place among its siblings and their number: what a screen reader says about a row of a tree. */
  level: number;
  position: number;
  setSize: number;
}

export type ListRow =
  | ({ kind: "workspace"; key: string; workspaceId: string; expanded: boolean; threads: number } & RowPlace)
  | ({ kind: "thread"; key: string; threadId: string; workspaceId: string; children: number } & RowPlace)
  /** A thread that is still to begin in a worktree of its own. */
  | ({ kind: "start"; key: string; startId: string; workspaceId: string; threadKey: string } & RowPlace)
  | ({ kind: "hit"; key: string; hit: ThreadHit } & RowPlace)
  /** The way on: the same words on the page that searches in everything that was said. */
  | ({ kind: "search"; key: string; query: string } & RowPlace)
  | { kind: "more"; key: string; workspaceId: string; archived: boolean }
  /** A word about a workspace: it is empty, its threads could not be listed, its folder has gone. */
  | { kind: "note"; key: string; workspaceId: string; note: "empty" | "listing" | "fault" | "gone" }
  | { kind: "heading"; key: string; heading: "archived" | "content" | "nothing"; workspaceId: string | null };

export interface ListInput {
  workspaces: readonly WorkspaceView[];
  rows: Rows;
  starts: readonly WorktreeStartView[];
  collapsed: readonly string[];
  archivedOf: ReadonlySet<string>;
  filter: string;
  /** codex's own search; null while there is none. */
  hits: readonly ThreadHit[] | null;
  /** When each thread was last changed, for the order; may be held back while someone points at the list. */
  orderMs: (row: ThreadRow) => number;
}

interface Grouped {
  tops: ThreadRow[];
  archived: ThreadRow[];
  children: Map<string, ThreadRow[]>;
}

function emptyGroup(): Grouped {
  return { tops: [], archived: [], children: new Map() };
}

/** Threads by workspace; a child whose parent is not known (yet) is left out: it is never a thread of its own. */
function group(rows: Rows): Map<string, Grouped> {
  const groups = new Map<string, Grouped>();
  for (const row of rows.values()) {
    let held = groups.get(row.workspaceId);
    if (!held) {
      held = emptyGroup();
      groups.set(row.workspaceId, held);
    }
    if (row.parentThreadId === null) (row.archived ? held.archived : held.tops).push(row);
    else {
      const siblings = held.children.get(row.parentThreadId);
      if (siblings) siblings.push(row);
      else held.children.set(row.parentThreadId, [row]);
    }
  }
  return groups;
}

/** For many threads: the filter is taken apart once, and once more for each place with its words. */
export function matcher(filter: string): (placeWords?: string) => (words: string) => boolean {
  const wanted = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (placeWords = "") => {
    const place = placeWords.toLowerCase();
    // What the place says already, its threads need not say.
    const left = wanted.filter((word) => !place.includes(word));
    return (words) => {
      if (left.length === 0) return true;
      const held = words.toLowerCase();
      return left.every((word) => held.includes(word));
    };
  };
}

/** All that the list knows of a thread. */
function wordsOf({ title, agent }: ThreadRow): string {
  return agent === null ? title : [title, agent.name, agent.task, agent.lastMessage].join("\n");
}

/** What a workspace is found by. A worktree is named after its branch: so it is found by its repository as well. */
function placeWords({ name, path, git }: WorkspaceView, parent: WorkspaceView | undefined): string {
  const folder = path.split(/[\\/]/).findLast(Boolean);
  return [name, folder, git?.branch, parent?.name].filter(Boolean).join("\n");
}

/** Where the words of the filter are in a title, as [start, end) pairs in order and without overlap. */
export function matchRanges(title: string, filter: string): [number, number][] {
  const held = title.toLowerCase();
  const found: [number, number][] = [];
  for (const word of filter.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = held.indexOf(word);
    if (at !== -1) found.push([at, at + word.length]);
  }
  found.sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const range of found) {
    const last = merged.at(-1);
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else merged.push(range);
  }
  return merged;
}

/** Worktrees come right after the workspace that they belong to, if that is listed, and are folded away together with it. */
function inFamilies(
  workspaces: readonly WorkspaceView[],
  isFolded: (workspaceId: string) => boolean,
): WorkspaceView[] {
  const listed = new Map(workspaces.map((each) => [each.id, each]));
  const parentOf = ({ parentWorkspaceId }: WorkspaceView) =>
    (parentWorkspaceId === null ? undefined : listed.get(parentWorkspaceId)) ?? null;
  // Only below one that stands in its own place, so that none is left out whatever is said of their parents.
  const placeOf = (workspace: WorkspaceView) => {
    const parent = parentOf(workspace);
    return parent && parentOf(parent) === null ? parent : null;
  };
  return workspaces.flatMap((workspace) =>
    placeOf(workspace) === null
      ? [
          workspace,
          ...(isFolded(workspace.id) ? [] : workspaces.filter((each) => placeOf(each) === workspace)),
        ]
      : [],
  );
}

export function listRows(input: ListInput): ListRow[] {
  const { rows, collapsed, archivedOf, orderMs } = input;
  const filter = input.filter.trim();
  const filtering = filter !== "";
  const workspaces = inFamilies(input.workspaces, (id) => !filtering && collapsed.includes(id));
  const matcherIn = matcher(filter);
  const groups = group(rows);
  const newestFirst = (a: ThreadRow, b: ThreadRow) =>
    orderMs(b) - orderMs(a) || (a.threadId < b.threadId ? 1 : -1);
  const listed: ListRow[] = [];
  const shownThreads = new Set<string>();

  const putThreads = (tops: ThreadRow[], held: Grouped, starts: readonly WorktreeStartView[] = []) => {
    tops.sort(newestFirst);
    const setSize = starts.length + tops.length;
    starts.forEach(({ startId, threadKey, workspaceId }, index) => {
      const place = { level: 2, position: index + 1, setSize };
      listed.push({ kind: "start", key: `start ${startId}`, startId, threadKey, workspaceId, ...place });
    });
    tops.forEach((row, index) => {
      putThread(row, held, { level: 2, position: starts.length + index + 1, setSize });
    });
  };
  const isListed = new Set(input.workspaces.map(({ id }) => id));
  /** Below its worktree once that is listed; before, where the message was written. */
  const startsIn = (workspaceId: string, fits: (words: string) => boolean) =>
    input.starts.filter(({ state, worktreeWorkspaceId, workspaceId: from, title, branch }) => {
      if (state.phase === "returned" || (filtering && !fits(`${title}\n${branch}`))) return false;
      return (isListed.has(worktreeWorkspaceId) ? worktreeWorkspaceId : from) === workspaceId;
    });
  const putThread = (row: ThreadRow, held: Grouped, place: RowPlace) => {
    if (shownThreads.has(row.threadId)) return;
    shownThreads.add(row.threadId);
    const children = held.children.get(row.threadId) ?? [];
    listed.push({
      kind: "thread",
      key: row.threadId,
      threadId: row.threadId,
      workspaceId: row.workspaceId,
      children: children.length,
      ...place,
    });
    // Children keep the order in which they were made: their parent called them one after the other.
    children.sort((a, b) => (a.threadId < b.threadId ? -1 : 1));
    children.forEach((child, index) => {
      putThread(child, held, { level: place.level + 1, position: index + 1, setSize: children.length });
    });
  };

  /** A thread stays in a filtered list when it or any of its descendants matches. */
  const matches = (row: ThreadRow, held: Grouped, fits: (words: string) => boolean): boolean =>
    fits(wordsOf(row)) || (held.children.get(row.threadId) ?? []).some((child) => matches(child, held, fits));
  const byId = new Map(input.workspaces.map((each) => [each.id, each]));

  workspaces.forEach((workspace, index) => {
    const held = groups.get(workspace.id) ?? emptyGroup();
    const fits = matcherIn(placeWords(workspace, byId.get(workspace.parentWorkspaceId ?? "")));
    const tops = filtering ? held.tops.filter((row) => matches(row, held, fits)) : held.tops;
    const archived = filtering ? held.archived.filter((row) => matches(row, held, fits)) : held.archived;
    const starts = startsIn(workspace.id, fits);
    if (filtering && starts.length + tops.length + archived.length === 0 && !fits("")) return;
    const expanded = filtering || !collapsed.includes(workspace.id);
    const { id: workspaceId } = workspace;
    listed.push({
      kind: "workspace",
      key: `workspace ${workspaceId}`,
      workspaceId,
      expanded,
      threads: tops.length,
      level: 1,
      position: index + 1,
      setSize: workspaces.length,
    });
    if (!expanded) return;
    const note = (which: Extract<ListRow, { kind: "note" }>["note"]) =>
      listed.push({ kind: "note", key: `${which} ${workspaceId}`, workspaceId, note: which });
    if (workspace.gone) note("gone");
    putThreads(tops, held, starts);
    if (!filtering) {
      if (workspace.listFault) note("fault");
      else if (tops.length === 0 && workspace.listing) note("listing");
      else if (tops.length + starts.length === 0 && !workspace.gone && !workspace.hasMore) note("empty");
      if (workspace.hasMore)
        listed.push({ kind: "more", key: `more ${workspaceId}`, workspaceId, archived: false });
    }
    if (filtering ? archived.length > 0 : archivedOf.has(workspaceId)) {
      listed.push({ kind: "heading", key: `archived ${workspaceId}`, heading: "archived", workspaceId });
      putThreads(archived, held);
      if (!filtering && workspace.hasMoreArchived !== false) {
        listed.push({ kind: "more", key: `more archived ${workspaceId}`, workspaceId, archived: true });
      }
    }
  });

  if (filtering) {
    const hits = (input.hits ?? []).filter((hit) => !shownThreads.has(hit.threadId));
    if (hits.length > 0) {
      listed.push({ kind: "heading", key: "content", heading: "content", workspaceId: null });
      hits.forEach((hit, index) => {
        const place = { level: 1, position: index + 1, setSize: hits.length };
        listed.push({ kind: "hit", key: `hit ${hit.threadId}`, hit, ...place });
      });
    } else if (listed.length === 0 && input.hits !== null) {
      listed.push({ kind: "heading", key: "nothing", heading: "nothing", workspaceId: null });
    }
    const place = { level: 1, position: 1, setSize: 1 };
    listed.push({ kind: "search", key: "search in all messages", query: filter, ...place });
  }
  return listed;
}

/** Rows that the keyboard stops at. */
export function isStop(row: ListRow): boolean {
  return row.kind !== "note" && row.kind !== "heading";
}
