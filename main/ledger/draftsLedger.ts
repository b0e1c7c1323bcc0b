// What a person has typed and not sent, one draft for each thread: exact to the last unit, and never thrown away for any
// reason but the person's own.
//
// Race: a new thread gets its id while a draft under that id is there already (two windows). Moving never overwrites:
// the draft that is in the way is parked.

import type { Attachment } from "../../preload/contract/items";
import type { Clock } from "../clock";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";
import { readJson, storedJson } from "./storedJson";

export interface Draft {
  /** A thread's id, or the key of one that codex does not know yet. */
  key: string;
  text: string;
  attachments: Attachment[];
  updatedAtMs: number;
}

export interface ParkedDraft extends Draft {
  parkedId: number;
  parkedAtMs: number;
}

interface Row {
  key: string;
  text: string | Uint8Array;
  attachments: string;
  updatedAtMs: number;
}

interface ParkedRow extends Row {
  parkedId: number;
  parkedAtMs: number;
}

const columns = "key, text, attachments, updatedAtMs";
const parkedColumns = `parkedId, ${columns}, parkedAtMs`;

export class DraftsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  get(key: string): Draft | null {
    const row = this.#database.get<Row>(`SELECT ${columns} FROM drafts WHERE key = ?`, key);
    return row && read(row);
  }

  /** The keys that have a draft. */
  keys(): string[] {
    return this.#database.all<{ key: string }>("SELECT key FROM drafts ORDER BY key").map(({ key }) => key);
  }

  /** Replaces the draft. An empty one is none. */
  put(key: string, text: string, attachments: readonly Attachment[]): void {
    if (text === "" && attachments.length === 0) {
      this.delete(key);
      return;
    }
    this.#database.run(
      `INSERT INTO drafts (${columns}) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET
         text = excluded.text, attachments = excluded.attachments, updatedAtMs = excluded.updatedAtMs`,
      key,
      storedText(text),
      storedJson(attachments),
      this.#clock.nowMs(),
    );
  }

  delete(key: string): void {
    this.#database.run("DELETE FROM drafts WHERE key = ?", key);
  }

  /** The thread has another key now. Nothing happens when there is no draft under `fromKey`. */
  move(fromKey: string, toKey: string): void {
    if (fromKey === toKey) return;
    this.#database.transaction(() => {
      if (!this.get(fromKey)) return;
      this.park(toKey);
      this.#database.run("UPDATE drafts SET key = ? WHERE key = ?", toKey, fromKey);
    });
  }

  /** Puts the draft aside, so that the thread starts with an empty one. Null: there was none. */
  park(key: string): ParkedDraft | null {
    return this.#database.transaction(() => {
      const row = this.#database.get<ParkedRow>(
        `INSERT INTO parked_drafts (${columns}, parkedAtMs)
         SELECT ${columns}, ? FROM drafts WHERE key = ? RETURNING ${parkedColumns}`,
        this.#clock.nowMs(),
        key,
      );
      this.delete(key);
      return row && readParked(row);
    });
  }

  /** Newest first. */
  listParked(): ParkedDraft[] {
    return this.#database
      .all<ParkedRow>(`SELECT ${parkedColumns} FROM parked_drafts ORDER BY parkedId DESC`)
      .map(readParked);
  }

  deleteParked(parkedId: number): void {
    this.#database.run("DELETE FROM parked_drafts WHERE parkedId = ?", parkedId);
  }
}

function read(row: Row): Draft {
  return { ...row, text: readText(row.text), attachments: readJson<Attachment[]>(row.attachments) };
}

function readParked(row: ParkedRow): ParkedDraft {
  return { ...read(row), parkedId: row.parkedId, parkedAtMs: row.parkedAtMs };
}
