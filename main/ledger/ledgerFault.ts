// What SQLite and the file system report, as Faults that a person can act on.

import { constants } from "node:os";
import { dirname } from "node:path";
import { Fault } from "../fault";

/** SQLite's primary result codes; the extended ones have these in their low byte. */
const sqlite = {
  error: 1,
  permission: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const;

/** What SQLite says, under its general code, of a header that it cannot make sense of. */
const brokenHeader = "unsupported file format";

const fullDiskErrors = new Set(["ENOSPC", "EDQUOT"]);

/** Turns what was thrown while the ledger at `path` was used into a Fault. */
export function ledgerFault(error: unknown, path: string): Fault {
  if (error instanceof Fault) return error;
  const reason: Reason = { detail: detailOf(error, path), cause: error };
  if (errorCode(error) === "ERR_INVALID_STATE") {
    return new Fault("ledger_closed", "Holdfast's database is closed.", reason);
  }
  if (fullDiskErrors.has(errorCode(error))) return fullFault(path, reason);
  switch (sqliteCode(error)) {
    case sqlite.full:
      return fullFault(path, reason);
    case sqlite.busy:
    case sqlite.locked:
      return new Fault("ledger_busy", "Another program is using Holdfast's database.", {
        ...reason,
        hint: `Close whatever else has ${path} open, then try again.`,
        retryable: true,
      });
    case sqlite.corrupt:
    case sqlite.notADatabase:
      return damagedFault(reason);
    case sqlite.error:
      if (reason.detail.includes(brokenHeader)) return damagedFault(reason);
      return failedFault(reason);
    case sqlite.constraint:
      return new Fault("ledger_constraint", "Holdfast's database refused a record.", reason);
    case sqlite.readOnly:
    case sqlite.permission:
    case sqlite.cannotOpen:
    case sqlite.io:
      return unusableFault(path, reason);
    case null:
      return isSystemError(error) ? unusableFault(path, reason) : failedFault(reason);
    default:
      return failedFault(reason);
  }
}

interface Reason {
  detail: string;
  cause: unknown;
}

function damagedFault(reason: Reason): Fault {
  return new Fault("ledger_damaged", "Holdfast's database is damaged.", {
    ...reason,
    hint: "Start Holdfast again: it then sets the damaged file aside and begins a new one.",
  });
}

function failedFault(reason: Reason): Fault {
  return new Fault("ledger_failed", "Holdfast's database cannot do this.", reason);
}

function fullFault(path: string, reason: Reason): Fault {
  return new Fault("ledger_full", "The disk is full: Holdfast cannot write its database.", {
    ...reason,
    hint: `Free some space on the disk that holds ${dirname(path)}, then try again.`,
    retryable: true,
  });
}

function unusableFault(path: string, reason: Reason): Fault {
  return new Fault("ledger_unusable", `Holdfast cannot read and write its database ${path}.`, {
    ...reason,
    hint: `Make sure that ${dirname(path)} is a folder that you can write to, or name another in HOLDFAST_HOME.`,
    retryable: true,
  });
}

function sqliteCode(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return null;
  return typeof error.errcode === "number" ? error.errcode & 0xff : null;
}

export function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

function isSystemError(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(errorCode(error)) && !errorCode(error).startsWith("ERR_");
}

function detailOf(error: unknown, path: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = sqliteCode(error);
  return `${path}: ${message}${code === null ? "" : ` (SQLite ${code})`}`;
}

/** Whether something was not there that had been there a moment before. */
export function isVanished(error: unknown): boolean {
  if (error instanceof Fault) return isVanished(error.cause);
  if (errorCode(error) === "ENOENT") return true;
  return (
    typeof error === "object" &&
    error !== null &&
    "systemErrno" in error &&
    error.systemErrno === constants.errno.ENOENT
  );
}
