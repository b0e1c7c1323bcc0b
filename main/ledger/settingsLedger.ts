// Settings by name, each a JSON value. What a name means, and whether an old value still fits, is its reader's business.

import type { Database } from "./database";
import { readJson, storedJson } from "./storedJson";

export class SettingsLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Undefined: never set, which is not the same as set to null. */
  get(key: string): unknown {
    const row = this.#database.get<{ value: string }>("SELECT value FROM settings WHERE key = ?", key);
    return row ? readJson<unknown>(row.value) : undefined;
  }

  set(key: string, value: unknown): void {
    this.#database.run(
      "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      key,
      storedJson(value),
    );
  }

  remove(key: string): void {
    this.#database.run("DELETE FROM settings WHERE key = ?", key);
  }

  all(): Map<string, unknown> {
    const rows = this.#database.all<{ key: string; value: string }>(
      "SELECT key, value FROM settings ORDER BY key",
    );
    return new Map(rows.map(({ key, value }) => [key, readJson<unknown>(value)]));
  }
}
