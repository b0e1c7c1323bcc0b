// Linux: everything is in /proc.
//
// Races, and what settles each:
// - A process ends while it is read: it is left out.
// - A pid is given to another process: the start time differs. It is told in clock ticks since the boot, so it is kept
//   together with the id of the boot; a record from before a reboot fits no process.
// - A process whose memory is locked (it waits for a disk that does not answer) can hold up whoever reads its
//   environment: that is read beside the main thread, and not waited for longer than `environmentMs`.

import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import { limitIn } from "./limitMark";
import { markedWith } from "./markedWith";
import type { Marks, ProcessRef, ProcessRow, ProcessTable } from "./processTable";
import { sendSignal, sendSignals } from "./signalling";

const environmentMs = 2_000;
/** How many files are open at once. */
const atOnce = 64;

export function linuxProcessTable(clock: Clock): ProcessTable {
  const boot = readBootId();
  const now = (pid: number) => runningStat(readStatNow(pid), boot);
  const isRunning = (ref: ProcessRef) => now(ref.pid)?.startTime === ref.startTime;

  async function readMarker(pid: number, name: string): Promise<string | null> {
    const environment = await within(clock, environmentMs, readOrNull(`/proc/${pid}/environ`));
    return environment === null ? null : valueIn(environment, name);
  }

  async function marksOf(name: string, rows: readonly ProcessRow[]): Promise<Map<number, Marks>> {
    const found = await inBatches(rows, async ({ pid }) => {
      const [value, limits] = await Promise.all([readMarker(pid, name), readOrNull(`/proc/${pid}/limits`)]);
      return [pid, { value, limit: limits === null ? null : limitIn(limits) }] as const;
    });
    return new Map(found.filter(([, { value, limit }]) => value !== null || limit !== null));
  }

  return {
    canStop: true,

    async listProcesses() {
      const pids = (await listPids()).filter((name) => /^\d+$/.test(name));
      const rows = await inBatches(pids, async (pid) =>
        runningStat(await readOrNull(`/proc/${pid}/stat`), boot),
      );
      return rows.filter((row) => row !== null);
    },

    readMarker,

    marksOf,

    async markedWith({ name, value }, rows) {
      return markedWith(value, await marksOf(name, rows));
    },

    async foregroundGroup(pid) {
      return foregroundIn(await readOrNull(`/proc/${pid}/stat`));
    },

    async startTime(pid) {
      return now(pid)?.startTime ?? null;
    },

    async stillThere(refs) {
      return refs.filter(isRunning);
    },

    startedSince,

    async signal(refs, signal) {
      return sendSignals(refs, signal, isRunning);
    },

    async signalGroup(leader, signal) {
      return sendSignal(-leader.pid, signal, () => isRunning(leader));
    },
  };
}

/** In this very tick: see processTree.ts. */
export function linuxStartTime(pid: number): string | null {
  return runningStat(readStatNow(pid), readBootId())?.startTime ?? null;
}

async function listPids(): Promise<string[]> {
  try {
    return await readdir("/proc");
  } catch (error) {
    throw new Fault("process_list_failed", "The list of running processes cannot be read.", {
      detail: "/proc",
      retryable: true,
      cause: error,
    });
  }
}

function startedSince(startTime: string, since: string): boolean {
  const [boot, ticks] = startTime.split("/");
  const [sinceBoot, sinceTicks] = since.split("/");
  return boot === sinceBoot && Number(ticks) >= Number(sinceTicks);
}

/**
 * Reads /proc/PID/stat: `pid (name) state ppid group session ... starttime ...`. The name may hold spaces and brackets.
 * Null for what is no process any more: a zombie, unless only its first thread has ended.
 */
export function runningStat(stat: string | null, boot: string): ProcessRow | null {
  if (stat === null) return null;
  const nameStart = stat.indexOf("(");
  const nameEnd = stat.lastIndexOf(")");
  if (nameStart < 0 || nameEnd < nameStart) return null;
  const fields = fieldsAfterName(stat);
  const [state, parentPid, groupId, sessionId] = fields;
  const threads = Number(fields[17]);
  const ticks = fields[19];
  if (ticks === undefined || state === "X" || (state === "Z" && threads <= 1)) return null;
  return {
    pid: Number.parseInt(stat, 10),
    startTime: `${boot}/${ticks}`,
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    sessionId: Number(sessionId),
    command: stat.slice(nameStart + 1, nameEnd),
  };
}

function fieldsAfterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Of the same line: `... session terminal foreground ...`, where -1 stands for none. */
export function foregroundIn(stat: string | null): number | null {
  const group = Number(stat === null ? undefined : fieldsAfterName(stat)[5]);
  return group > 0 ? group : null;
}

function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    // Some sandboxes hide it. Processes are then told apart by their ticks alone.
    return "boot";
  }
}

/** In this very tick, for the check before a signal. `stat` needs no lock that another process could hold. */
function readStatNow(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    // It has ended.
    return null;
  }
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, "latin1");
  } catch {
    // It has ended, or belongs to another user.
    return null;
  }
}

function valueIn(environment: string, name: string): string | null {
  const start = `${name}=`;
  const entry = environment.split("\0").find((candidate) => candidate.startsWith(start));
  // The file was read byte for byte; the value is UTF-8.
  return entry === undefined ? null : Buffer.from(entry.slice(start.length), "latin1").toString("utf8");
}

async function within<Value>(
  clock: Clock,
  limitMs: number,
  reading: Promise<Value | null>,
): Promise<Value | null> {
  return new Promise((resolve) => {
    const timer = clock.after(limitMs, () => resolve(null));
    void reading.then((value) => {
      timer.cancel();
      resolve(value);
    });
  });
}

async function inBatches<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(task))));
  }
  return results;
}
