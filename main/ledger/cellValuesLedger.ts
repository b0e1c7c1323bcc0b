// What scripts have stored for later ones of their workspace.

import { Fault } from "../fault";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";

export class CellValuesLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By key, as JSON. */
  all(workspaceId: string): Map<string, string> {
    const rows = this.#database.all<{ key: string | Uint8Array; value: string }>(
      "SELECT key, value FROM cell_values WHERE workspaceId = ? ORDER BY key",
      workspaceId,
    );
    return new Map(rows.map(({ key, value }) => [readText(key), value]));
  }

  /**
   * Adds these, or replaces those of the same keys: all of them or none. `most`: what all of the workspace may have
   * together. Throws Fault `stored_full`.
   */
  keep(
    workspaceId: string,
    values: ReadonlyMap<string, string>,
    { most, sizeOf }: { most: number; sizeOf(key: string, value: string): number },
  ): void {
    this.#database.transaction(() => {
      for (const [key, value] of values) {
        this.#database.run(
          `INSERT INTO cell_values (workspaceId, key, value) VALUES (?, ?, ?)
           ON CONFLICT (workspaceId, key) DO UPDATE SET value = excluded.value`,
          workspaceId,
          storedText(key),
          value,
        );
      }
      let size = 0;
      for (const [key, value] of this.all(workspaceId)) size += sizeOf(key, value);
      if (size > most) throw new Fault("stored_full", "There is no more room for stored values.");
    });
  }
}
