// The processes of this machine, as far as they are ours to look into. Linux only; elsewhere there are none to see.
//
// A process id is used again after its process has gone; with its start time it names one process for ever.

import { readdirSync, readFileSync } from "node:fs";
import { isErrorWithCode } from "./project.mjs";

/**
 * @typedef {object} Process
 * @property {number} pid
 * @property {number} parent
 * @property {number} session the process session, named by the id of the process that made it
 * @property {string} startTime in clock ticks since boot
 * @property {string} command
 */

/**
 * Every process but this one.
 * @returns {Process[]}
 */
export function listProcesses() {
  if (process.platform !== "linux") return [];
  const processes = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const one = readProcess(pid);
    if (one) processes.push(one);
  }
  return processes;
}

/**
 * @param {number} pid
 * @returns {Process | undefined} undefined when it has ended, collected by its parent or not
 */
export function readProcess(pid) {
  if (process.platform !== "linux") return undefined;
  const stat = readProc(pid, "stat");
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses and may hold anything, so count from its end.
  const nameEnd = stat.lastIndexOf(")");
  const [state, parent, , session, ...rest] = stat.slice(nameEnd + 2).split(" ");
  if (state === "Z" || state === "X") return undefined;
  const command = readProc(pid, "cmdline")?.replaceAll("\0", " ").trim();
  return {
    pid,
    parent: Number(parent),
    session: Number(session),
    startTime: rest[15] ?? "",
    command: command || stat.slice(stat.indexOf("(") + 1, nameEnd),
  };
}

/**
 * Whether a process was started with this variable, by itself or through those before it.
 * @param {Process} one
 * @param {string} name
 * @param {string} value
 */
export function inherited(one, name, value) {
  return readProc(one.pid, "environ")?.split("\0").includes(`${name}=${value}`) ?? false;
}

/**
 * Ends processes for good, each by its id, if it is still the process that was found.
 * @param {Process[]} processes
 */
export function end(processes) {
  for (const one of processes) {
    if (readProcess(one.pid)?.startTime !== one.startTime) continue;
    try {
      process.kill(one.pid, "SIGKILL");
    } catch (error) {
      if (!isErrorWithCode(error, "ESRCH")) throw error;
    }
  }
}

/**
 * @param {number} pid
 * @param {string} file
 * @returns {string | undefined} undefined when the process has ended or is not ours to look into
 */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    if (isErrorWithCode(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}
