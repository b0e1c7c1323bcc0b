// Threads as they were last seen, so that the sidebar can be drawn before codex answers; and what the person chose for
// each. codex owns the threads: what it says replaces what is here, except for what only Holdfast knows (unread, last
// turn seen). All of that can be learned again and is written relaxed; the person's choices are not.

import type { ThreadSettings } from "../../preload/contract/thread";
import type { Clock } from "../clock";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";
import { readJson, storedJson } from "./storedJson";

/** What codex says of a thread. */
export interface SeenThread {
  threadId: string;
  workspaceId: string;
  profileId: string;
  title: string;
  preview: string;
  createdAtMs: number;
  updatedAtMs: number;
  archived: boolean;
  /** As it was when last heard of; never proof that it is so now. */
  lastKnownState: string;
  parentThreadId: string | null;
  source: string;
}

export interface ThreadRecord extends SeenThread {
  lastSeenTurnId: string | null;
  unread: boolean;
}

interface Row extends Omit<ThreadRecord, "title" | "preview" | "archived" | "unread"> {
  title: string | Uint8Array;
  preview: string | Uint8Array;
  archived: number;
  unread: number;
}

const seenColumns = `threadId, workspaceId, profileId, title, preview, createdAtMs, updatedAtMs, archived,
  lastKnownState, parentThreadId, source`;
const columns = `${seenColumns}, lastSeenTurnId, unread`;

export class ThreadsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Adds threads, or replaces what codex says of them. */
  upsert(threads: readonly SeenThread[]): void {
    if (threads.length === 0) return;
    this.#database.relaxed(() => {
      for (const thread of threads) this.#upsertOne(thread);
    });
  }

  #upsertOne(thread: SeenThread): void {
    this.#database.run(
      `INSERT INTO threads (${seenColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (threadId) DO UPDATE SET
         workspaceId = excluded.workspaceId, profileId = excluded.profileId, title = excluded.title,
         preview = excluded.preview, createdAtMs = excluded.createdAtMs, updatedAtMs = excluded.updatedAtMs,
         archived = excluded.archived, lastKnownState = excluded.lastKnownState,
         parentThreadId = excluded.parentThreadId, source = excluded.source`,
      thread.threadId,
      thread.workspaceId,
      thread.profileId,
      storedText(thread.title),
      storedText(thread.preview),
      thread.createdAtMs,
      thread.updatedAtMs,
      thread.archived ? 1 : 0,
      thread.lastKnownState,
      thread.parentThreadId,
      thread.source,
    );
  }

  get(threadId: string): ThreadRecord | null {
    const row = this.#database.get<Row>(`SELECT ${columns} FROM threads WHERE threadId = ?`, threadId);
    return row && read(row);
  }

  /** Newest first; archived ones and child agents' threads among them. */
  list(workspaceId: string): ThreadRecord[] {
    return this.#database
      .all<Row>(
        `SELECT ${columns} FROM threads WHERE workspaceId = ? ORDER BY updatedAtMs DESC, threadId DESC`,
        workspaceId,
      )
      .map(read);
  }

  setState(threadId: string, lastKnownState: string): void {
    this.#database.relaxed(() =>
      this.#database.run(
        "UPDATE threads SET lastKnownState = ? WHERE threadId = ?",
        lastKnownState,
        threadId,
      ),
    );
  }

  setTitle(threadId: string, title: string): void {
    this.#database.relaxed(() =>
      this.#database.run("UPDATE threads SET title = ? WHERE threadId = ?", storedText(title), threadId),
    );
  }

  setArchived(threadId: string, archived: boolean): void {
    this.#database.relaxed(() =>
      this.#database.run("UPDATE threads SET archived = ? WHERE threadId = ?", archived ? 1 : 0, threadId),
    );
  }

  setUnread(threadId: string, unread: boolean): void {
    this.#database.relaxed(() =>
      this.#database.run("UPDATE threads SET unread = ? WHERE threadId = ?", unread ? 1 : 0, threadId),
    );
  }

  /** The person has seen the thread as it was at the end of this turn. */
  markSeen(threadId: string, turnId: string | null): void {
    this.#database.relaxed(() =>
      this.#database.run(
        "UPDATE threads SET lastSeenTurnId = coalesce(?, lastSeenTurnId), unread = 0 WHERE threadId = ?",
        turnId,
        threadId,
      ),
    );
  }

  /** codex has it no more. Its draft and what was sent to it stay. */
  forget(threadId: string): void {
    this.#database.relaxed(() => this.#database.run("DELETE FROM threads WHERE threadId = ?", threadId));
  }

  /** What the person chose for the thread of this key (its id, or its provisional key); null: nothing yet. */
  getSettings(threadKey: string): ThreadSettings | null {
    const row = this.#database.get<{ settings: string }>(
      "SELECT settings FROM thread_settings WHERE threadKey = ?",
      threadKey,
    );
    return row && readJson<ThreadSettings>(row.settings);
  }

  setSettings(threadKey: string, settings: ThreadSettings): void {
    this.#database.run(
      `INSERT INTO thread_settings (threadKey, settings, updatedAtMs) VALUES (?, ?, ?)
       ON CONFLICT (threadKey) DO UPDATE SET settings = excluded.settings, updatedAtMs = excluded.updatedAtMs`,
      threadKey,
      storedJson(settings),
      this.#clock.nowMs(),
    );
  }

  /** codex has named the thread: what was chosen under its provisional key is chosen for it. */
  moveSettings(fromKey: string, toKey: string): void {
    this.#database.run(
      "UPDATE OR REPLACE thread_settings SET threadKey = ? WHERE threadKey = ?",
      toKey,
      fromKey,
    );
  }
}

function read(row: Row): ThreadRecord {
  return {
    ...row,
    title: readText(row.title),
    preview: readText(row.preview),
    archived: row.archived === 1,
    unread: row.unread === 1,
  };
}
