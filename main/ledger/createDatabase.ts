// Makes a new database file, complete and at once: built under a name of its own and then linked to its place, which only
// one process can do. The one that comes second throws its own away and finds the other's.

import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Database, type DatabaseOptions } from "./database";
import { errorCode } from "./ledgerFault";
import { type Migration, migrate } from "./migrations";

export function createDatabase(path: string, steps: readonly Migration[], options: DatabaseOptions): void {
  const draft = `${path}.new-${randomUUID()}`;
  try {
    // SQLite gives its log and index the mode of the database.
    closeSync(openSync(draft, "wx", 0o600));
    const database = new Database(draft, options);
    try {
      migrate(database, steps);
    } finally {
      // Brings the write-ahead log into the file and removes it.
      database.close();
    }
    linkIfFree(draft, path);
    if (process.platform !== "win32") flushFolder(dirname(path));
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(draft + suffix, { force: true });
  }
}

function linkIfFree(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errorCode(error))) throw error;
    // A file system without hard links. Two first starts at the same instant are then not kept apart.
    if (!existsSync(path)) renameSync(draft, path);
  }
}

/** So that the name is on the disk too. */
function flushFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
