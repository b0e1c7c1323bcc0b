// Threads that are to begin in a worktree of their own, each with its message, from before anything is made until the thread
// has the message or the person has it back.

import type { Attachment } from "../../preload/contract/items";
import type { ThreadSettings } from "../../preload/contract/thread";
import type { Clock } from "../clock";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";
import { readJson, storedJson } from "./storedJson";

export interface NewWorktreeStart {
  startId: string;
  /** Of the message; made once, by whoever the person pressed Send in. */
  clientId: string;
  /** The key that the thread will have. */
  threadKey: string;
  /** Where the message was written. */
  workspaceId: string;
  /** The id that the worktree's workspace will have. */
  worktreeWorkspaceId: string;
  branch: string;
  base: string | null;
  text: string;
  attachments: Attachment[];
  settings: ThreadSettings;
}

export interface WorktreeStartRecord<State> extends NewWorktreeStart {
  /** The worktree's folder; null: git has not been asked for it yet. */
  path: string | null;
  state: State;
  createdAtMs: number;
}

interface Row {
  startId: string;
  clientId: string;
  threadKey: string;
  workspaceId: string;
  worktreeWorkspaceId: string;
  path: string | null;
  branch: string;
  base: string | null;
  text: string | Uint8Array;
  attachments: string;
  settings: string;
  state: string;
  createdAtMs: number;
}

const columns = `startId, clientId, threadKey, workspaceId, worktreeWorkspaceId, path, branch, base, text, attachments,
  settings, state, createdAtMs`;

/** The shape of a state is the business of whoever decides on it. */
export class WorktreeStartsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** On the disk when this returns. */
  record(start: NewWorktreeStart, state: unknown): void {
    this.#database.run(
      `INSERT INTO worktree_starts (${columns}) VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?)`,
      start.startId,
      start.clientId,
      start.threadKey,
      start.workspaceId,
      start.worktreeWorkspaceId,
      start.branch,
      start.base,
      storedText(start.text),
      storedJson(start.attachments),
      storedJson(start.settings),
      storedJson(state),
      this.#clock.nowMs(),
    );
  }

  /** Its worktree is being made here, on this branch. */
  placed(startId: string, path: string, branch: string): void {
    this.#database.run(
      "UPDATE worktree_starts SET path = ?, branch = ? WHERE startId = ?",
      path,
      branch,
      startId,
    );
  }

  move(startId: string, state: unknown): void {
    this.#database.run("UPDATE worktree_starts SET state = ? WHERE startId = ?", storedJson(state), startId);
  }

  /** Its message is somewhere else now. */
  emptied(startId: string): void {
    this.#database.run("UPDATE worktree_starts SET text = '', attachments = '[]' WHERE startId = ?", startId);
  }

  gone(startId: string): void {
    this.#database.run("DELETE FROM worktree_starts WHERE startId = ?", startId);
  }

  get<State>(startId: string): WorktreeStartRecord<State> | null {
    return this.#find("startId", startId);
  }

  ofMessage<State>(clientId: string): WorktreeStartRecord<State> | null {
    return this.#find("clientId", clientId);
  }

  ofPath<State>(path: string): WorktreeStartRecord<State> | null {
    return this.#find("path", path);
  }

  /** The oldest first. */
  list<State>(): WorktreeStartRecord<State>[] {
    return this.#database
      .all<Row>(`SELECT ${columns} FROM worktree_starts ORDER BY createdAtMs, rowid`)
      .map((row) => read<State>(row));
  }

  #find<State>(column: "startId" | "clientId" | "path", value: string): WorktreeStartRecord<State> | null {
    const row = this.#database.get<Row>(`SELECT ${columns} FROM worktree_starts WHERE ${column} = ?`, value);
    return row && read<State>(row);
  }
}

function read<State>(row: Row): WorktreeStartRecord<State> {
  return {
    ...row,
    text: readText(row.text),
    attachments: readJson<Attachment[]>(row.attachments),
    settings: readJson<ThreadSettings>(row.settings),
    state: readJson<State>(row.state),
  };
}
