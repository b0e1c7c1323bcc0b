// The steps from an empty file to today's tables, numbered from 1. A step that has been released is never changed, only
// followed by another. All missing steps are taken in one transaction: a file is at its old version or at the new one.
//
// Race: two processes migrate at once. The version is read again under the write lock, so the second finds nothing to do.

import { cellTables } from "./cellTables";
import type { Database } from "./database";
import { discardTables } from "./discardTables";
import { environmentTables } from "./environmentTables";
import { firstTables } from "./firstTables";
import { followUpTables } from "./followUpTables";
import { processColumns } from "./processColumns";
import { reviewCommentTables } from "./reviewCommentTables";
import { terminalTables } from "./terminalTables";
import { worktreeStartTables } from "./worktreeStartTables";
import { worktreeTables } from "./worktreeTables";

export interface Migration {
  version: number;
  sql: string;
}

export const migrations: readonly Migration[] = [
  { version: 1, sql: firstTables },
  { version: 2, sql: processColumns },
  { version: 3, sql: followUpTables },
  { version: 4, sql: cellTables + worktreeTables },
  { version: 5, sql: environmentTables },
  { version: 6, sql: discardTables },
  { version: 7, sql: terminalTables },
  { version: 8, sql: worktreeStartTables },
  { version: 9, sql: reviewCommentTables },
];

/** In the file's header: says that it is Holdfast's ("HFst"). */
export const applicationId = 0x48_46_73_74;

export function latestVersion(steps: readonly Migration[]): number {
  return steps.at(-1)?.version ?? 0;
}

export function versionOf(database: Database): number {
  return database.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}

export function applicationIdOf(database: Database): number {
  return database.get<{ application_id: number }>("PRAGMA application_id")?.application_id ?? 0;
}

/** Brings the file to the latest version; returns the version that it had. */
export function migrate(database: Database, steps: readonly Migration[] = migrations): number {
  const before = versionOf(database);
  if (before >= latestVersion(steps)) return before;
  database.transaction(() => {
    const current = versionOf(database);
    for (const { version, sql } of steps) {
      if (version <= current) continue;
      database.exec(sql);
      database.exec(`PRAGMA user_version = ${version}`);
    }
    database.exec(`PRAGMA application_id = ${applicationId}`);
  });
  return before;
}
