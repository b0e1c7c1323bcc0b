// The worktrees that Holdfast has made, each from before git was asked for it until nothing is left of it. What is not in
// here is not Holdfast's to remove.

import type { Clock } from "../clock";
import type { Database } from "./database";

export interface NewWorktree {
  /** The real path of its folder. */
  path: string;
  parentWorkspaceId: string;
  /** The real path of the folder that all worktrees of its repository have in common. */
  repository: string;
  branch: string;
  /** The commit that the branch began at. */
  base: string;
}

export type WorktreeRecord = NewWorktree & { createdAtMs: number } & (
    | { state: "making"; workspaceId: null; folderIdentity: null }
    | { state: "made"; workspaceId: string; folderIdentity: null }
    /** What is in it has been seen and kept; from now on parts of it may be missing. */
    | { state: "deleting"; workspaceId: string; folderIdentity: string }
  );

const columns =
  "path, state, workspaceId, parentWorkspaceId, repository, branch, base, folderIdentity, createdAtMs";

export class WorktreesLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** On the disk when this returns. */
  making(worktree: NewWorktree): void {
    this.#database.run(
      `INSERT INTO worktrees (path, state, parentWorkspaceId, repository, branch, base, createdAtMs)
       VALUES (?, 'making', ?, ?, ?, ?, ?)`,
      worktree.path,
      worktree.parentWorkspaceId,
      worktree.repository,
      worktree.branch,
      worktree.base,
      this.#clock.nowMs(),
    );
  }

  made(path: string, workspaceId: string): void {
    this.#database.run(
      "UPDATE worktrees SET state = 'made', workspaceId = ? WHERE path = ? AND state = 'making'",
      workspaceId,
      path,
    );
  }

  /** On the disk when this returns. */
  deleting(path: string, folderIdentity: string): void {
    this.#database.run(
      "UPDATE worktrees SET state = 'deleting', folderIdentity = ? WHERE path = ? AND state <> 'making'",
      folderIdentity,
      path,
    );
  }

  /** Nothing of it was deleted, or what was left is whole again. */
  kept(path: string): void {
    this.#database.run(
      "UPDATE worktrees SET state = 'made', folderIdentity = NULL WHERE path = ? AND state = 'deleting'",
      path,
    );
  }

  gone(path: string): void {
    this.#database.run("DELETE FROM worktrees WHERE path = ?", path);
  }

  get(path: string): WorktreeRecord | null {
    return this.#database.get<WorktreeRecord>(`SELECT ${columns} FROM worktrees WHERE path = ?`, path);
  }

  ofWorkspace(workspaceId: string): WorktreeRecord | null {
    return this.#database.get<WorktreeRecord>(
      `SELECT ${columns} FROM worktrees WHERE workspaceId = ?`,
      workspaceId,
    );
  }

  list(): WorktreeRecord[] {
    return this.#database.all<WorktreeRecord>(`SELECT ${columns} FROM worktrees ORDER BY createdAtMs, path`);
  }
}
