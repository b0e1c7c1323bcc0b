// Workspaces, in the order in which they were added. Removing one only hides it: drafts, threads and what was sent in it
// refer to it, and opening the same folder again brings all of that back.

import { randomUUID } from "node:crypto";
import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";

export interface WorkspaceRecord {
  id: string;
  /** The real path of the folder, links resolved. */
  path: string;
  name: string;
  /** The workspace that this one is a worktree of. */
  parentId: string | null;
  addedAtMs: number;
  lastOpenedAtMs: number;
  position: number;
}

interface Row extends Omit<WorkspaceRecord, "name"> {
  name: string | Uint8Array;
}

const columns = "id, path, name, parentId, addedAtMs, lastOpenedAtMs, position";

export class WorkspacesLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Finds the workspace of this folder, hidden or not, or makes it, with this id if one is given. It is then listed, and
   * opened just now.
   */
  add(folder: { path: string; name: string; parentId: string | null; id?: string }): WorkspaceRecord {
    return this.#database.transaction(() => {
      const nowMs = this.#clock.nowMs();
      const known = this.#database.get<{ id: string }>(
        "UPDATE workspaces SET hidden = 0, lastOpenedAtMs = ? WHERE path = ? RETURNING id",
        nowMs,
        folder.path,
      );
      if (known) return this.get(known.id);
      const id = folder.id ?? randomUUID();
      this.#database.run(
        `INSERT INTO workspaces (${columns})
         VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM workspaces))`,
        id,
        folder.path,
        storedText(folder.name),
        folder.parentId,
        nowMs,
        nowMs,
      );
      return this.get(id);
    });
  }

  /** Hidden ones too: what refers to a workspace can always ask for it. Throws Fault `workspace_unknown`. */
  get(id: string): WorkspaceRecord {
    const row = this.#database.get<Row>(`SELECT ${columns} FROM workspaces WHERE id = ?`, id);
    if (!row) throw unknown(id);
    return read(row);
  }

  /** The ones that are shown. */
  list(): WorkspaceRecord[] {
    return this.#database
      .all<Row>(`SELECT ${columns} FROM workspaces WHERE hidden = 0 ORDER BY position`)
      .map(read);
  }

  /** Some workspace is or was at this path. */
  knows(path: string): boolean {
    return this.#database.get("SELECT 1 FROM workspaces WHERE path = ?", path) !== null;
  }

  rename(id: string, name: string): void {
    this.#change(id, this.#database.run("UPDATE workspaces SET name = ? WHERE id = ?", storedText(name), id));
  }

  /** Opened just now. */
  touch(id: string): void {
    const nowMs = this.#clock.nowMs();
    this.#change(id, this.#database.run("UPDATE workspaces SET lastOpenedAtMs = ? WHERE id = ?", nowMs, id));
  }

  /** Takes it off the list. */
  remove(id: string): void {
    this.#change(id, this.#database.run("UPDATE workspaces SET hidden = 1 WHERE id = ?", id));
  }

  /** The folder is somewhere else now. Throws Fault `workspace_exists` when a listed workspace is there already. */
  relocate(id: string, path: string): void {
    this.#database.transaction(() => {
      const current = this.get(id);
      const other = this.#database.get<{ id: string; hidden: number }>(
        "SELECT id, hidden FROM workspaces WHERE path = ? AND id <> ?",
        path,
        id,
      );
      if (other?.hidden === 0) {
        throw new Fault("workspace_exists", `The folder ${path} is open as a workspace already.`, {
          hint: "Use that workspace, or remove it from the list first.",
        });
      }
      // A hidden one gives its path up for the one that was left, so that both stay unique.
      if (other) this.#setPath(other.id, `moving ${other.id}`);
      this.#setPath(id, path);
      if (other) this.#setPath(other.id, current.path);
    });
  }

  #setPath(id: string, path: string): void {
    this.#database.run("UPDATE workspaces SET path = ? WHERE id = ?", path, id);
  }

  #change(id: string, changed: number): void {
    if (changed === 0) throw unknown(id);
  }
}

function read(row: Row): WorkspaceRecord {
  return { ...row, name: readText(row.name) };
}

function unknown(id: string): Fault {
  return new Fault("workspace_unknown", "This workspace is not known to Holdfast.", { detail: id });
}
