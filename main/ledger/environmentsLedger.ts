// The environments that the person has set. What a registry means, and whether an old one still fits, is its reader's business.

import { randomUUID } from "node:crypto";
import type { Clock } from "../clock";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";
import { readJson, storedJson } from "./storedJson";

export interface EnvironmentRecord {
  environmentId: string;
  name: string;
  /** Undefined: it is damaged. */
  registry: unknown;
}

interface Row {
  environmentId: string;
  name: string | Uint8Array;
  registry: string;
}

export class EnvironmentsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** In the order in which they were added. */
  list(): EnvironmentRecord[] {
    return this.#database
      .all<Row>("SELECT environmentId, name, registry FROM environments ORDER BY createdAtMs, rowid")
      .map(({ environmentId, name, registry }) => ({
        environmentId,
        name: readText(name),
        registry: readOrUndefined(registry),
      }));
  }

  /** `registry` holds no token. Returns its id. */
  add({ name, registry }: { name: string; registry: unknown }): string {
    const environmentId = randomUUID();
    this.#database.run(
      "INSERT INTO environments (environmentId, name, registry, createdAtMs) VALUES (?, ?, ?, ?)",
      environmentId,
      storedText(name),
      storedJson(registry),
      this.#clock.nowMs(),
    );
    return environmentId;
  }

  change({ environmentId, name, registry }: EnvironmentRecord): void {
    this.#database.run(
      "UPDATE environments SET name = ?, registry = ? WHERE environmentId = ?",
      storedText(name),
      storedJson(registry),
      environmentId,
    );
  }

  /** With its tokens, of which nothing is left in the database's files. */
  remove(environmentId: string): void {
    this.#database.erasing(() => {
      this.#database.run("DELETE FROM environments WHERE environmentId = ?", environmentId);
    });
  }
}

/** One that cannot be read must not take the others with it. */
function readOrUndefined(text: string): unknown {
  try {
    return readJson<unknown>(text);
  } catch {
    return undefined;
  }
}
