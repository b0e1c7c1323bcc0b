// What a person has discarded of their changes: written down before the first file is moved away, so that it can be brought
// back also after a crash in the middle.

import type { Clock } from "../clock";
import type { Database } from "./database";
import { readJson, storedJson } from "./storedJson";

export interface DiscardedFile {
  path: string;
  /** Under which name it is kept in the store; null: there was no file, and discarding has made one. */
  kept: string | null;
  /** What was there when it was done: which file exactly. null: it was not written down to the end. */
  left: string | "nothing" | null;
}

export interface NewDiscard {
  discardId: string;
  workspaceId: string;
  /** The top folder of the working tree. */
  root: string;
  store: string;
  isPart: boolean;
  entries: DiscardedFile[];
}

export type DiscardRecord = NewDiscard & { atMs: number };

type Row = Omit<DiscardRecord, "isPart" | "entries"> & { isPart: number; entries: string };

const columns = "discardId, workspaceId, root, store, isPart, entries, atMs";

export class DiscardsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** On the disk when this returns. */
  add(discard: NewDiscard): void {
    this.#database.run(
      `INSERT INTO discards (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      discard.discardId,
      discard.workspaceId,
      discard.root,
      discard.store,
      discard.isPart ? 1 : 0,
      storedJson(discard.entries),
      this.#clock.nowMs(),
    );
  }

  setEntries(discardId: string, entries: readonly DiscardedFile[]): void {
    this.#database.run("UPDATE discards SET entries = ? WHERE discardId = ?", storedJson(entries), discardId);
  }

  get(discardId: string): DiscardRecord | null {
    const row = this.#database.get<Row>(`SELECT ${columns} FROM discards WHERE discardId = ?`, discardId);
    return row ? read(row) : null;
  }

  /** Of one working tree, the newest first. */
  ofRoot(root: string): DiscardRecord[] {
    return this.#database
      .all<Row>(`SELECT ${columns} FROM discards WHERE root = ? ORDER BY atMs DESC, rowid DESC`, root)
      .map(read);
  }

  /** Of all working trees. */
  before(atMs: number): DiscardRecord[] {
    return this.#database.all<Row>(`SELECT ${columns} FROM discards WHERE atMs < ?`, atMs).map(read);
  }

  forget(discardId: string): void {
    this.#database.run("DELETE FROM discards WHERE discardId = ?", discardId);
  }
}

function read(row: Row): DiscardRecord {
  return { ...row, isPart: row.isPart === 1, entries: readJson<DiscardedFile[]>(row.entries) };
}
