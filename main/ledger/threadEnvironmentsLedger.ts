// Where the commands of each thread run, when that is not on this machine. Nothing else knows it: codex forgets it with its
// process. So it is written for good before anything of the thread may run there, and outlives the environment itself.

import type { Database } from "./database";
import { readText, storedText } from "./exactText";

export interface EnvironmentChoice {
  environmentId: string;
  /** The folder there, in the words of that system. */
  cwd: string;
}

interface Row {
  threadKey: string;
  environmentId: string;
  cwd: string | Uint8Array;
}

export class ThreadEnvironmentsLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By the thread's id, or its provisional key. */
  list(): Map<string, EnvironmentChoice> {
    const rows = this.#database.all<Row>("SELECT threadKey, environmentId, cwd FROM thread_environments");
    return new Map(
      rows.map(({ threadKey, environmentId, cwd }) => [threadKey, { environmentId, cwd: readText(cwd) }]),
    );
  }

  /** Null: on this machine. */
  set(threadKey: string, choice: EnvironmentChoice | null): void {
    if (choice === null) {
      this.#database.run("DELETE FROM thread_environments WHERE threadKey = ?", threadKey);
      return;
    }
    this.#database.run(
      `INSERT INTO thread_environments (threadKey, environmentId, cwd) VALUES (?, ?, ?)
       ON CONFLICT (threadKey) DO UPDATE SET environmentId = excluded.environmentId, cwd = excluded.cwd`,
      threadKey,
      choice.environmentId,
      storedText(choice.cwd),
    );
  }

  /** codex has named the thread: what was chosen under its provisional key is chosen for it. */
  move(fromKey: string, toKey: string): void {
    this.#database.run(
      "UPDATE OR REPLACE thread_environments SET threadKey = ? WHERE threadKey = ?",
      toKey,
      fromKey,
    );
  }
}
