// What is done in each new worktree of a workspace's repository: only ever what the person has typed.

import type { Database } from "./database";
import { readText, storedText } from "./exactText";
import { readJson, storedJson } from "./storedJson";

export interface WorktreeSetup {
  /** For the person's own shell; empty: there is none. */
  script: string;
  /** Files that git ignores, by their paths in the repository. */
  copies: string[];
}

export class WorktreeSetupsLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** `workspaceId`: the one that the worktrees belong to. */
  get(workspaceId: string): WorktreeSetup {
    const row = this.#database.get<{ script: string | Uint8Array; copies: string }>(
      "SELECT script, copies FROM worktree_setups WHERE workspaceId = ?",
      workspaceId,
    );
    return row
      ? { script: readText(row.script), copies: readJson<string[]>(row.copies) }
      : { script: "", copies: [] };
  }

  set(workspaceId: string, { script, copies }: WorktreeSetup): void {
    this.#database.run(
      `INSERT INTO worktree_setups (workspaceId, script, copies) VALUES (?, ?, ?)
       ON CONFLICT (workspaceId) DO UPDATE SET script = excluded.script, copies = excluded.copies`,
      workspaceId,
      storedText(script),
      storedJson(copies),
    );
  }
}
