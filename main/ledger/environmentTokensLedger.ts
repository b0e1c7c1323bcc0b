// The tokens of environments as the platform's key store has sealed them. What is replaced or removed is gone from the files.

import type { Database } from "./database";
import { readText, storedText } from "./exactText";

export interface TokenRecord {
  environmentId: string;
  name: string;
  /** Null: there was no key store to seal it, so it was kept for one run only. */
  sealed: Uint8Array | null;
}

export class EnvironmentTokensLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(): TokenRecord[] {
    return this.#database
      .all<Omit<TokenRecord, "name"> & { name: string | Uint8Array }>(
        "SELECT environmentId, name, sealed FROM environment_tokens ORDER BY rowid",
      )
      .map((row) => ({ ...row, name: readText(row.name) }));
  }

  /** One that was not there. */
  add({ environmentId, name, sealed }: TokenRecord): void {
    this.#database.run(
      "INSERT INTO environment_tokens (environmentId, name, sealed) VALUES (?, ?, ?)",
      environmentId,
      storedText(name),
      sealed,
    );
  }

  replace(token: TokenRecord): void {
    this.#database.erasing(() => {
      this.#delete(token.environmentId, token.name);
      this.add(token);
    });
  }

  remove(environmentId: string, name: string): void {
    this.#database.erasing(() => this.#delete(environmentId, name));
  }

  #delete(environmentId: string, name: string): void {
    this.#database.run(
      "DELETE FROM environment_tokens WHERE environmentId = ? AND name = ?",
      environmentId,
      storedText(name),
    );
  }
}
