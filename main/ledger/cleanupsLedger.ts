// Work that is owed: written down before it starts, gone only when it has succeeded.

import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { Database } from "./database";
import { readFault, readJson, storedFault, storedJson } from "./storedJson";

export interface NewCleanup {
  /** The caller's, so that owing the same thing twice is owing it once. */
  id: string;
  /** What kind of work; says what `subject` looks like. */
  kind: string;
  subject: unknown;
  /** Why it is owed, in words. */
  reason: string;
}

export interface CleanupRecord extends NewCleanup {
  attempts: number;
  createdAtMs: number;
  lastAttemptAtMs: number | null;
  lastError: Fault | null;
  /** Not to be tried by itself before then. */
  nextAttemptAtMs: number;
}

interface Row extends Omit<CleanupRecord, "subject" | "lastError"> {
  subject: string;
  lastError: string | null;
}

const columns =
  "id, kind, subject, reason, attempts, createdAtMs, lastAttemptAtMs, lastError, nextAttemptAtMs";

export class CleanupsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** On the disk when this returns, and due at once. False: it is owed already. One that was done is owed again. */
  record(cleanup: NewCleanup): boolean {
    const nowMs = this.#clock.nowMs();
    return (
      this.#database.run(
        `INSERT INTO cleanups (id, kind, subject, reason, state, createdAtMs, nextAttemptAtMs)
         VALUES (?, ?, ?, ?, 'open', ?, ?)
         ON CONFLICT (id) DO UPDATE SET
           kind = excluded.kind, subject = excluded.subject, reason = excluded.reason, state = 'open',
           createdAtMs = excluded.createdAtMs, nextAttemptAtMs = excluded.nextAttemptAtMs,
           attempts = 0, lastAttemptAtMs = NULL, lastError = NULL, doneAtMs = NULL
         WHERE cleanups.state = 'done'`,
        cleanup.id,
        cleanup.kind,
        storedJson(cleanup.subject),
        cleanup.reason,
        nowMs,
        nowMs,
      ) === 1
    );
  }

  /** It was tried and has failed. Throws Fault `cleanup_unknown` when it is not owed. */
  attempted(id: string, error: Fault, nextAttemptAtMs: number): void {
    this.#change(
      id,
      this.#database.run(
        `UPDATE cleanups SET attempts = attempts + 1, lastAttemptAtMs = ?, lastError = ?, nextAttemptAtMs = ?
         WHERE id = ? AND state = 'open'`,
        this.#clock.nowMs(),
        storedFault(error),
        nextAttemptAtMs,
        id,
      ),
    );
  }

  /** It is owed no more. Throws Fault `cleanup_unknown` when it is not owed. */
  succeeded(id: string): void {
    const nowMs = this.#clock.nowMs();
    this.#change(
      id,
      this.#database.run(
        `UPDATE cleanups SET state = 'done', attempts = attempts + 1, lastAttemptAtMs = ?, doneAtMs = ?
         WHERE id = ? AND state = 'open'`,
        nowMs,
        nowMs,
        id,
      ),
    );
  }

  /** Null when it is not owed. */
  get(id: string): CleanupRecord | null {
    const row = this.#database.get<Row>(
      `SELECT ${columns} FROM cleanups WHERE id = ? AND state = 'open'`,
      id,
    );
    return row && read(row);
  }

  /** The one that is due first, first. */
  listOpen(): CleanupRecord[] {
    return this.#database
      .all<Row>(
        `SELECT ${columns} FROM cleanups WHERE state = 'open' ORDER BY nextAttemptAtMs, createdAtMs, id`,
      )
      .map(read);
  }

  #change(id: string, changed: number): void {
    if (changed === 0) {
      throw new Fault("cleanup_unknown", "This cleanup is not owed any more.", { detail: id });
    }
  }
}

function read(row: Row): CleanupRecord {
  return {
    ...row,
    subject: readJson<unknown>(row.subject),
    lastError: row.lastError === null ? null : readFault(row.lastError),
  };
}
