// One setup at a time in one folder.
//
// Races, and what settles each:
// - Two runs want the lock: the file is created with `wx`, so one of them makes it and the other waits.
// - The holder dies: its process id is dead, or belongs to a process that started at another time (ids are reused), so
//   the lock is stale and may be removed.
// - Two waiters both find it stale, and the slower one would remove the lock that the faster one has just taken:
//   removing needs a second file, also made with `wx`, and the lock is read again under it. From there to the removal
//   nothing is awaited. A remover that dies in between leaves that second file; it is void after ten seconds.
// - The holder was killed, but a program that it ran, such as npm, goes on in the same folder: what runs under the lock
//   inherits a marker, so the next holder finds it and ends it first.
// - A reader sees the file between its creation and its first byte: an unreadable lock counts as held until it is ten
//   seconds old.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { end, inherited, listProcesses, readProcess } from "./processes.mjs";
import { isErrorWithCode, setupFolder } from "./project.mjs";
import { SetupError, say } from "./report.mjs";

const markerName = "HOLDFAST_SETUP";
const pollMs = 100;
const longestWaitMs = 20 * 60_000;
const voidAfterMs = 10_000;

/**
 * Does `task` while no other setup runs in this folder.
 * @template Result
 * @param {() => Promise<Result>} task
 * @param {string} [lockFile]
 * @returns {Promise<Result>}
 */
export async function withSetupLock(task, lockFile = path.join(setupFolder, "lock")) {
  await take(lockFile);
  try {
    await endOrphans(lockFile);
    process.env[markerName] = lockFile;
    return await task();
  } finally {
    delete process.env[markerName];
    rmSync(lockFile, { force: true });
  }
}

/** @param {string} lockFile */
async function endOrphans(lockFile) {
  for (;;) {
    const orphans = listProcesses().filter((one) => inherited(one, markerName, lockFile));
    if (orphans.length === 0) return;
    for (const one of orphans)
      say(`ending what an interrupted setup left running: ${one.command.slice(0, 200)}`);
    end(orphans);
    await delay(pollMs);
  }
}

/** @param {string} lockFile */
async function take(lockFile) {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  const content = JSON.stringify({
    pid: process.pid,
    startTime: readProcess(process.pid)?.startTime ?? null,
  });
  const giveUpAtMs = performance.now() + longestWaitMs;
  let told = false;
  while (!createOnly(lockFile, content)) {
    const holder = holderOf(lockFile);
    if (holder === "none") continue;
    if (holder === "dead") {
      if (removeStale(lockFile)) continue;
    } else if (!told) {
      told = true;
      say(`another run (process ${holder.pid ?? "unknown"}) is setting up this folder; waiting for it`);
    }
    if (performance.now() > giveUpAtMs) {
      throw new SetupError("Another run is still setting up this folder after 20 minutes.", {
        remedy: `If none is running, delete ${lockFile} and start again.`,
      });
    }
    await delay(pollMs);
  }
}

/**
 * @param {string} file
 * @param {string} content
 * @returns {boolean} false when it was there already
 */
function createOnly(file, content) {
  try {
    writeFileSync(file, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (isErrorWithCode(error, "EEXIST")) return false;
    throw error;
  }
}

/**
 * @param {string} lockFile
 * @returns {"none" | "dead" | { pid?: number }}
 */
function holderOf(lockFile) {
  let text;
  try {
    text = readFileSync(lockFile, "utf8");
  } catch (error) {
    if (isErrorWithCode(error, "ENOENT")) return "none";
    throw error;
  }
  let holder;
  try {
    holder = JSON.parse(text);
  } catch {
    // Being written this very moment, or cut off while it was: its age tells which.
    return isVoid(lockFile) ? "dead" : {};
  }
  return isAlive(holder.pid, holder.startTime) ? { pid: holder.pid } : "dead";
}

/**
 * @param {string} lockFile
 * @returns {boolean} false when another waiter is at it
 */
function removeStale(lockFile) {
  const claim = `${lockFile}.removing`;
  if (!createOnly(claim, String(process.pid))) {
    if (isVoid(claim)) rmSync(claim, { force: true });
    return false;
  }
  try {
    if (holderOf(lockFile) === "dead") rmSync(lockFile, { force: true });
    return true;
  } finally {
    rmSync(claim, { force: true });
  }
}

/** @param {string} file */
function isVoid(file) {
  try {
    return Date.now() - statSync(file).mtimeMs > voidAfterMs;
  } catch (error) {
    if (isErrorWithCode(error, "ENOENT")) return false;
    throw error;
  }
}

/**
 * @param {number} pid
 * @param {string | null} startTime
 */
function isAlive(pid, startTime) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (isErrorWithCode(error, "ESRCH")) return false;
    if (!isErrorWithCode(error, "EPERM")) throw error;
  }
  const actual = readProcess(pid)?.startTime;
  return startTime === null || actual === undefined || actual === startTime;
}
