// Where each window was and what it showed. Two JSON values a window, whose shape is the shell's business.

import type { Database } from "./database";
import { readJson, storedJson } from "./storedJson";

export interface StoredWindow {
  id: string;
  place: unknown;
  layout: unknown;
}

export class WindowsLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the order in which they were first put. */
  list(): StoredWindow[] {
    return this.#database
      .all<{ id: string; place: string; layout: string }>(
        "SELECT id, place, layout FROM windows ORDER BY position",
      )
      .map(({ id, place, layout }) => ({ id, place: readJson(place), layout: readJson(layout) }));
  }

  put(window: StoredWindow): void {
    this.#database.relaxed(() =>
      this.#database.run(
        `INSERT INTO windows (id, place, layout) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET place = excluded.place, layout = excluded.layout`,
        window.id,
        storedJson(window.place),
        storedJson(window.layout),
      ),
    );
  }

  remove(id: string): void {
    this.#database.relaxed(() => this.#database.run("DELETE FROM windows WHERE id = ?", id));
  }
}
