// One open SQLite file: statements compiled once, transactions that nest, and every failure a Fault.
//
// Durability. A commit is on the disk itself (synchronous FULL) before the call returns, since an effect may follow it.
// That costs one flush for each commit: measured 0.10 to 0.20 ms on a virtual disk, against 0.015 ms without, and a few
// milliseconds on a laptop's. What can be learned again from codex is written `relaxed`: it survives the death of the app
// at once, and that of the machine with the next full commit or checkpoint. Neither can damage the file.
//
// Races, and what settles each:
// - Two processes write at once: every transaction takes the write lock at its start (IMMEDIATE), so it waits up to the
//   busy timeout and never fails half-way because what it had read is old. After that it is the Fault `ledger_busy`.
// - A transaction inside a transaction joins the outer one: both are kept or neither.

import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { ledgerFault } from "./ledgerFault";

export type SqlValue = null | number | string | Uint8Array;

export interface DatabaseOptions {
  /** How long a statement waits for another process, which blocks this one. */
  busyTimeoutMs: number;
  /** For looking at a file without changing it: its write-ahead log stays as it is, too. */
  readOnly?: boolean;
}

/** On macOS a plain flush leaves the data in the drive's cache, hence `fullfsync`. */
const settings = /* sql */ `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA checkpoint_fullfsync = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;
`;

export class Database {
  readonly path: string;
  readonly #database: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();

  /** Opens the file, or makes an empty one; under WAL unless `readOnly`. Throws a Fault. */
  constructor(path: string, options: DatabaseOptions) {
    this.path = path;
    this.#database = this.#guarded(
      () =>
        new DatabaseSync(path, {
          timeout: options.busyTimeoutMs,
          enableForeignKeyConstraints: true,
          defensive: true,
          readOnly: options.readOnly ?? false,
        }),
    );
    if (options.readOnly) return;
    try {
      this.exec(settings);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** For statements without parameters, several at once if need be. */
  exec(sql: string): void {
    this.#guarded(() => this.#database.exec(sql));
  }

  /** How many rows were inserted, changed or deleted. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#guarded(() => this.#statement(sql).run(...values).changes);
  }

  /** The tables are STRICT, so a row has the types that its columns are declared with: `Row` says which. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | null {
    return this.#guarded(() => (this.#statement(sql).get(...values) as Row | undefined) ?? null);
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#guarded(() => this.#statement(sql).all(...values) as Row[]);
  }

  /** All or nothing. What `task` throws undoes it and is thrown on. `task` must not wait for anything. */
  transaction<Result>(task: () => Result): Result {
    if (this.#inTransaction) return task();
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = task();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  #rollback(): void {
    // SQLite has ended the transaction by itself after some failures, such as a full disk.
    if (!this.#inTransaction) return;
    try {
      this.exec("ROLLBACK");
    } catch {
      // What made it fail is being thrown and says more; closing or the next start undoes what is left.
    }
  }

  /** Like `transaction`, without a flush of its own: only for what can be learned again. */
  relaxed<Result>(task: () => Result): Result {
    if (this.#inTransaction) return task();
    this.exec("PRAGMA synchronous = NORMAL");
    try {
      return this.transaction(task);
    } finally {
      if (this.#database.isOpen) this.exec("PRAGMA synchronous = FULL");
    }
  }

  /**
   * Like `transaction`, and what it deletes or replaces is nowhere in the database's files afterwards: freed space is filled with
   * zeros, and the write-ahead log is emptied. Another process that reads meanwhile can delay that until the next time the log
   * is emptied. Not for use inside a transaction.
   */
  erasing<Result>(task: () => Result): Result {
    this.exec("PRAGMA secure_delete = ON");
    try {
      return this.transaction(task);
    } finally {
      if (this.#database.isOpen) {
        this.exec("PRAGMA secure_delete = OFF");
        this.#emptyLog();
      }
    }
  }

  #emptyLog(): void {
    try {
      this.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // What was done is done and on the disk. The log is emptied later, at the latest when the database is closed.
    }
  }

  get #inTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction;
  }

  get isOpen(): boolean {
    return this.#database.isOpen;
  }

  /** Safe to call twice. */
  close(): void {
    if (!this.#database.isOpen) return;
    this.#statements.clear();
    this.#guarded(() => this.#database.close());
  }

  #statement(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guarded<Result>(task: () => Result): Result {
    try {
      return task();
    } catch (error) {
      throw ledgerFault(error, this.path);
    }
  }
}
