// Opens the ledger, whatever state its file is in. The outcomes:
// - There is none: a new one is made.
// - It is sound: missing migrations are applied.
// - It was written by a newer Holdfast: Fault `ledger_newer`; the file is left as it is.
// - It is damaged (not a database, cut off, filled with NULs, broken pages, not Holdfast's): it is set aside under another
//   name, never deleted, a new one is made, and the result says where the old one is.
// - The disk is full, or the folder cannot be used: a Fault; the file is left as it is.
//
// Races, and what settles each:
// - Two processes make the file: it is built complete under another name and then linked to its own, which only one of
//   them can do; the other opens that one. So an empty or half-made file is never a new one but a damaged one.
// - Two processes find it damaged: it is set aside only while it is the very file that was found damaged, and whoever
//   finds that it has vanished meanwhile looks again.
// - The app dies while it sets the file aside: the write-ahead log goes first, and one that lies there without its
//   database is set aside too. It never comes beside a new database, which would take it for its own.

import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { Log } from "../log";
import { createDatabase } from "./createDatabase";
import { Database } from "./database";
import { examineHeader } from "./databaseHeader";
import { Ledger } from "./ledger";
import { isVanished, ledgerFault } from "./ledgerFault";
import {
  applicationId,
  applicationIdOf,
  latestVersion,
  type Migration,
  migrate,
  migrations,
  versionOf,
} from "./migrations";
import { pruneSettled } from "./pruneSettled";
import { setAside } from "./setAside";

export interface OpenLedgerOptions {
  /** The file; its folder is made if need be. */
  path: string;
  clock: Clock;
  log: Log;
  /** For tests of what a later version will do. */
  steps?: readonly Migration[];
  busyTimeoutMs?: number;
}

export interface OpenedLedger {
  ledger: Ledger;
  /** Where the damaged file is that was there before. Set: what Holdfast remembered is lost, and the person is told. */
  damagedFile?: string;
}

type FileState =
  /** Open and up to date; `version` is the one that it had. */
  | { state: "sound"; database: Database; version: number }
  | { state: "nothing" }
  | { state: "damaged"; why: string };

interface FileIdentity {
  device: bigint;
  inode: bigint;
}

const usualBusyTimeoutMs = 2_000;
/** Each round either opens the file or finds that another process has just changed it. */
const mostRounds = 5;
const isWindows = process.platform === "win32";

/** Throws a Fault: `ledger_newer`, `ledger_full`, `ledger_busy`, `ledger_unusable`. */
export function openLedger(options: OpenLedgerOptions): OpenedLedger {
  try {
    prepareFolder(dirname(options.path));
    return open(options);
  } catch (error) {
    throw ledgerFault(error, options.path);
  }
}

function open(options: OpenLedgerOptions): OpenedLedger {
  let damagedFile: string | undefined;
  for (let round = 1; round <= mostRounds; round++) {
    try {
      const done = tryOnce(options);
      if (done.step === "open") return damagedFile === undefined ? done : { ...done, damagedFile };
      if (done.step === "set aside") damagedFile = done.damagedFile;
    } catch (error) {
      // Another process has just set it aside.
      if (!isVanished(error) || round === mostRounds) throw error;
    }
  }
  throw new Fault("ledger_unusable", `Holdfast cannot make its database ${options.path}.`, {
    hint: "Close every other Holdfast that uses this folder, then try again.",
    retryable: true,
  });
}

type Step =
  | { step: "open"; ledger: Ledger }
  | { step: "set aside"; damagedFile: string }
  /** It was made, or was another one a moment ago: look again. */
  | { step: "look again" };

function tryOnce(options: OpenLedgerOptions): Step {
  const { path, clock, log, steps = migrations, busyTimeoutMs = usualBusyTimeoutMs } = options;
  const file = identify(path);
  const found = examine(path, file !== null, steps, busyTimeoutMs);
  switch (found.state) {
    case "sound":
      log.info("The ledger is open", { version: latestVersion(steps), before: found.version });
      pruneOrTell(found.database, clock, log);
      return { step: "open", ledger: new Ledger(found.database, clock) };
    case "damaged": {
      if (!isSame(identify(path), file)) return { step: "look again" };
      const damagedFile = setAside(path, clock.nowMs());
      log.error("The ledger was damaged and is set aside", { damagedFile, why: found.why });
      return { step: "set aside", damagedFile };
    }
    case "nothing":
      createDatabase(path, steps, { busyTimeoutMs });
      return { step: "look again" };
    default:
      throw new Error(`not a state of the file: ${JSON.stringify(found satisfies never)}`);
  }
}

/** Private from the start: what is made in it is nobody else's to read. A folder that all may use is left as it is. */
function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (isWindows) return;
  const { mode } = statSync(folder);
  if ((mode & 0o077) !== 0 && (mode & 0o1000) === 0) chmodSync(folder, 0o700);
}

function examine(
  path: string,
  exists: boolean,
  steps: readonly Migration[],
  busyTimeoutMs: number,
): FileState {
  if (!exists) {
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    if (log && log.size > 0) return { state: "damaged", why: "a write-ahead log without its database" };
    return { state: "nothing" };
  }
  const header = examineHeader(path);
  if (header.kind === "not a database") return { state: "damaged", why: "not a database" };
  if (header.applicationId === applicationId) refuseNewer(path, header.version, steps);
  if (!isWindows) chmodSync(path, 0o600);
  try {
    const problem = examineContent(path, steps, busyTimeoutMs);
    if (problem !== null) return { state: "damaged", why: problem };
    return { state: "sound", ...openUpgraded(path, steps, busyTimeoutMs) };
  } catch (error) {
    const fault = ledgerFault(error, path);
    if (fault.code !== "ledger_damaged") throw fault;
    return { state: "damaged", why: fault.detail ?? fault.message };
  }
}

/** What is wrong with it; null: nothing. Read only, so that the file and its log stay as they are whatever it is. */
function examineContent(path: string, steps: readonly Migration[], busyTimeoutMs: number): string | null {
  const database = new Database(path, { busyTimeoutMs, readOnly: true });
  try {
    const problems = database
      .all<{ quick_check: string }>("PRAGMA quick_check(5)")
      .map((row) => row.quick_check);
    if (problems.length !== 1 || problems[0] !== "ok") return problems.join("; ");
    const version = versionOf(database);
    refuseNewer(path, version, steps);
    const isOurs = applicationIdOf(database) === applicationId && version >= 1;
    return isOurs ? null : "a database, but not Holdfast's";
  } finally {
    database.close();
  }
}

function refuseNewer(path: string, version: number, steps: readonly Migration[]): void {
  if (version <= latestVersion(steps)) return;
  throw new Fault("ledger_newer", "Holdfast's database was written by a newer version of Holdfast.", {
    hint: "Start that newer version, or name another folder in HOLDFAST_HOME. The database is left as it is.",
    detail: `${path} has version ${version}; this Holdfast knows versions up to ${latestVersion(steps)}.`,
  });
}

function openUpgraded(
  path: string,
  steps: readonly Migration[],
  busyTimeoutMs: number,
): { database: Database; version: number } {
  const database = new Database(path, { busyTimeoutMs });
  try {
    const version = migrate(database, steps);
    // The header then tells an older Holdfast the version, without the write-ahead log.
    if (version !== latestVersion(steps)) database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    return { database, version };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Being tidy can wait: a full disk or a busy file is no reason not to start. */
function pruneOrTell(database: Database, clock: Clock, log: Log): void {
  try {
    pruneSettled(database, clock.nowMs());
  } catch (error) {
    log.warn("Settled records could not be removed", { error });
  }
}

function identify(path: string): FileIdentity | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? { device: stats.dev, inode: stats.ino } : null;
}

function isSame(one: FileIdentity | null, other: FileIdentity | null): boolean {
  return one?.inode === other?.inode && one?.device === other?.device;
}
