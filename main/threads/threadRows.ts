// The rows of the sidebar: threads as codex lists them, as the ledger remembers them, and as they are right now.
//
// Race: a listing that was asked before something happened arrives after it. A thread that is alive in main therefore
// speaks for itself (`live` rows); a listing only adds and updates the others.

import type { AppChange, ThreadRow } from "../../preload/contract/app";
import type { ThreadHead } from "../../preload/contract/thread";
import type { Thread } from "../codex/protocol/v2/Thread";
import type { SeenThread, ThreadRecord, ThreadsLedger } from "../ledger/threadsLedger";
import { wordsOrNull } from "./loose";

const longestTitle = 200;

export class ThreadRows {
  readonly #rows = new Map<string, ThreadRow>();
  readonly #ledger: ThreadsLedger;
  readonly #publish: (changes: AppChange[], urgent: boolean) => void;

  constructor(ledger: ThreadsLedger, publish: (changes: AppChange[], urgent: boolean) => void) {
    this.#ledger = ledger;
    this.#publish = publish;
  }

  get all(): ThreadRow[] {
    return [...this.#rows.values()];
  }

  get(threadId: string): ThreadRow | null {
    return this.#rows.get(threadId) ?? null;
  }

  ofWorkspace(workspaceId: string): ThreadRow[] {
    return this.all.filter((row) => row.workspaceId === workspaceId);
  }

  /** What is remembered of a workspace's threads, before codex has answered. Nothing of it counts as running. */
  remember(workspaceId: string): void {
    this.#put(
      this.#ledger
        .list(workspaceId)
        .filter((record) => !this.#rows.has(record.threadId))
        .map((record) => rememberedRow(record)),
    );
  }

  /** A page of codex's list. `isLive`: this thread speaks for itself. */
  listed(
    workspaceId: string,
    profileId: string,
    threads: Thread[],
    archived: boolean,
    isLive: (threadId: string) => boolean,
  ): void {
    const seen = threads.map((thread) => seenThread(workspaceId, profileId, thread, archived));
    this.#ledger.upsert(seen);
    this.#put(
      seen.map((thread) => {
        const known = this.#rows.get(thread.threadId);
        return {
          threadId: thread.threadId,
          workspaceId,
          title: thread.title,
          state: known && isLive(thread.threadId) ? known.state : "not loaded",
          archived,
          unread: known?.unread ?? this.#ledger.get(thread.threadId)?.unread ?? false,
          updatedAtMs: thread.updatedAtMs,
          parentThreadId: thread.parentThreadId,
          source: thread.source,
          hasDraft: known?.hasDraft ?? false,
        };
      }),
    );
  }

  /** A thread that is alive in main. One without an id yet is listed once something was sent to it. */
  live(head: ThreadHead, atMs: number): void {
    const id = head.threadId ?? head.key;
    const known = this.#rows.get(id);
    if (head.threadId === null && head.submissions.length === 0 && !known) return;
    const started = head.run !== null && known?.state !== "running";
    this.#put([
      {
        threadId: id,
        workspaceId: head.workspaceId,
        title: head.title || (known?.title ?? "New thread"),
        state: head.state,
        archived: head.archived,
        unread: known?.unread ?? false,
        updatedAtMs: started || !known ? atMs : known.updatedAtMs,
        parentThreadId: known?.parentThreadId ?? null,
        source: known?.source ?? "app",
        hasDraft: known?.hasDraft ?? false,
      },
    ]);
  }

  /** codex has made the thread that was only a key until now. */
  promoted(key: string, head: ThreadHead, profileId: string, atMs: number): void {
    if (head.threadId === null) return;
    this.remove(key);
    this.#ledger.upsert([
      {
        threadId: head.threadId,
        workspaceId: head.workspaceId,
        profileId,
        title: head.title,
        preview: "",
        createdAtMs: atMs,
        updatedAtMs: atMs,
        archived: false,
        lastKnownState: head.state,
        parentThreadId: null,
        source: "app",
      },
    ]);
    this.live(head, atMs);
  }

  update(threadId: string, change: Partial<Omit<ThreadRow, "threadId">>): void {
    const known = this.#rows.get(threadId);
    if (!known) return;
    if (change.title !== undefined) this.#ledger.setTitle(threadId, change.title);
    if (change.archived !== undefined) this.#ledger.setArchived(threadId, change.archived);
    if (change.unread !== undefined) this.#ledger.setUnread(threadId, change.unread);
    this.#put([{ ...known, ...change }]);
  }

  remove(threadId: string): void {
    if (this.#rows.delete(threadId))
      this.#publish([{ type: "threads", upsert: [], remove: [threadId] }], true);
  }

  forgetWorkspace(workspaceId: string): void {
    const remove = this.ofWorkspace(workspaceId).map((row) => row.threadId);
    for (const threadId of remove) this.#rows.delete(threadId);
    if (remove.length > 0) this.#publish([{ type: "threads", upsert: [], remove }], true);
  }

  #put(rows: ThreadRow[]): void {
    const upsert = rows.filter((row) => !sameRow(this.#rows.get(row.threadId), row));
    for (const row of upsert) this.#rows.set(row.threadId, row);
    if (upsert.length > 0) this.#publish([{ type: "threads", upsert, remove: [] }], true);
  }
}

function sameRow(a: ThreadRow | undefined, b: ThreadRow): boolean {
  if (!a) return false;
  return (Object.keys(b) as (keyof ThreadRow)[]).every((name) => a[name] === b[name]);
}

function rememberedRow(record: ThreadRecord): ThreadRow {
  return {
    threadId: record.threadId,
    workspaceId: record.workspaceId,
    title: record.title,
    state: "not loaded",
    archived: record.archived,
    unread: record.unread,
    updatedAtMs: record.updatedAtMs,
    parentThreadId: record.parentThreadId,
    source: record.source,
    hasDraft: false,
  };
}

function seenThread(workspaceId: string, profileId: string, thread: Thread, archived: boolean): SeenThread {
  return {
    threadId: thread.id,
    workspaceId,
    profileId,
    title: titleOf(thread),
    preview: thread.preview ?? "",
    createdAtMs: (thread.createdAt ?? 0) * 1000,
    updatedAtMs: (thread.recencyAt ?? thread.updatedAt ?? 0) * 1000,
    archived,
    lastKnownState: "not loaded",
    parentThreadId: thread.parentThreadId ?? null,
    source: sourceWord(thread),
  };
}

/** The name that the person gave, else the first line of what they asked. */
export function titleOf(thread: { name?: string | null; preview?: string | null }): string {
  return titleFrom(thread.name ?? thread.preview ?? "") || "Untitled thread";
}

export function titleFrom(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}

/** codex calls threads of its app-server "vscode", whoever asked; the originator says who. */
function sourceWord(thread: Thread): string {
  if (thread.originator === "holdfast") return "app";
  if (typeof thread.source === "string") return thread.source;
  return wordsOrNull(Object.keys(thread.source ?? {})[0]) ?? "unknown";
}
