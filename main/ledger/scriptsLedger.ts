// The person's scripts. One that was deleted is kept for a while, so that it can be brought back.
//
// Race: two windows change one script. Each says which revision it has seen, and the second is told what the first has
// written; nothing of either is lost.

import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";

export interface ScriptRecord {
  scriptId: string;
  name: string;
  source: string;
  /** Counts up from 1 with each change. */
  revision: number;
  createdAtMs: number;
  updatedAtMs: number;
  isDeleted: boolean;
}

interface Row {
  scriptId: string;
  name: string | Uint8Array;
  source: string | Uint8Array;
  revision: number;
  createdAtMs: number;
  updatedAtMs: number;
  deletedAtMs: number | null;
}

const columns = "scriptId, name, source, revision, createdAtMs, updatedAtMs, deletedAtMs";

export class ScriptsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  add(script: { scriptId: string; name: string; source: string }): void {
    const nowMs = this.#clock.nowMs();
    this.#database.run(
      `INSERT INTO scripts (scriptId, name, source, revision, createdAtMs, updatedAtMs) VALUES (?, ?, ?, 1, ?, ?)`,
      script.scriptId,
      storedText(script.name),
      storedText(script.source),
      nowMs,
      nowMs,
    );
  }

  /** Deleted ones too. Null: it has never been, or is gone for good. */
  get(scriptId: string): ScriptRecord | null {
    const row = this.#database.get<Row>(`SELECT ${columns} FROM scripts WHERE scriptId = ?`, scriptId);
    return row && read(row);
  }

  /** Those that are not deleted, in the order in which they were made. */
  list(): ScriptRecord[] {
    return this.#database
      .all<Row>(`SELECT ${columns} FROM scripts WHERE deletedAtMs IS NULL ORDER BY rowid`)
      .map(read);
  }

  /** False: it has been changed since `revision`, and nothing was done. Throws Fault `script_unknown`. */
  save(scriptId: string, change: { name: string; source: string; revision: number }): boolean {
    const changed = this.#database.run(
      `UPDATE scripts SET name = ?, source = ?, revision = revision + 1, updatedAtMs = ?
       WHERE scriptId = ? AND revision = ? AND deletedAtMs IS NULL`,
      storedText(change.name),
      storedText(change.source),
      this.#clock.nowMs(),
      scriptId,
      change.revision,
    );
    if (changed === 1) return true;
    const record = this.get(scriptId);
    if (!record || record.isDeleted) throw unknownScript(scriptId);
    return false;
  }

  /** Deleting what is deleted changes nothing. Throws Fault `script_unknown`. */
  delete(scriptId: string): void {
    this.#known(
      scriptId,
      this.#database.run(
        "UPDATE scripts SET deletedAtMs = coalesce(deletedAtMs, ?) WHERE scriptId = ?",
        this.#clock.nowMs(),
        scriptId,
      ),
    );
  }

  /** Throws Fault `script_unknown`, also for one that was deleted too long ago. */
  restore(scriptId: string): void {
    this.#known(
      scriptId,
      this.#database.run("UPDATE scripts SET deletedAtMs = NULL WHERE scriptId = ?", scriptId),
    );
  }

  #known(scriptId: string, changed: number): void {
    if (changed === 0) throw unknownScript(scriptId);
  }
}

export function unknownScript(scriptId: string): Fault {
  return new Fault("script_unknown", "Holdfast does not know this script.", {
    hint: "It may have been deleted.",
    detail: scriptId,
  });
}

function read({ deletedAtMs, ...row }: Row): ScriptRecord {
  return {
    ...row,
    name: readText(row.name),
    source: readText(row.source),
    isDeleted: deletedAtMs !== null,
  };
}
