// macOS: what `ps` tells.
//
// It does not tell process sessions (its `sess` column is an address), so what codex starts without the marker, in a
// group of its own, is found as a descendant only: by a search that is made while codex still lives.
//
// Races, and what settles each:
// - A pid is given to another process: the start time differs, unless both started within the same second.
// - Between the check and the signal: the check is one `ps` for all, a few milliseconds before the signals.

import { readListing, readListingNow } from "./listing";
import type { Marker, ProcessRef, ProcessRow, ProcessTable } from "./processTable";
import { isUsed, sendSignal, sendSignals } from "./signalling";

const columns = "pid=,ppid=,pgid=,stat=,lstart=,command=";

export const macProcessTable: ProcessTable = {
  canStop: true,

  async listProcesses() {
    return parsePs(await readListing("ps", ["-axww", "-o", columns]));
  },

  async readMarker(pid, name) {
    const [row] = parsePs(await listOnly([pid]));
    return row ? (parseEnvironments(await listEnvironments(), [row], name).get(pid) ?? null) : null;
  },

  async marksOf(name, rows) {
    const values = parseEnvironments(await listEnvironments(), rows, name);
    return new Map([...values].map(([pid, value]) => [pid, { value, limit: null }]));
  },

  async markedWith({ name, value }: Marker, rows) {
    const values = parseEnvironments(await listEnvironments(), rows, name);
    return new Set([...values].filter(([, found]) => found === value).map(([pid]) => pid));
  },

  async foregroundGroup() {
    return null;
  },

  async startTime(pid) {
    return parsePs(await listOnly([pid]))[0]?.startTime ?? null;
  },

  // Whether the pid is in use; whether by the same process is seen by the search that follows.
  async stillThere(refs) {
    return refs.filter(({ pid }) => isUsed(pid));
  },

  startedSince(startTime, since) {
    return Date.parse(`${startTime} UTC`) >= Date.parse(`${since} UTC`);
  },

  async signal(refs, signal) {
    const there = new Set((await checked(refs)).map(({ pid }) => pid));
    return sendSignals(refs, signal, ({ pid }) => there.has(pid));
  },

  async signalGroup(leader, signal) {
    const there = await checked([leader]);
    return sendSignal(-leader.pid, signal, () => there.length > 0);
  },
};

/** In this very tick: see processTree.ts. */
export function macStartTime(pid: number): string | null {
  return parsePs(readListingNow("ps", ["-ww", "-o", columns, "-p", String(pid)]))[0]?.startTime ?? null;
}

/** Those that are still the same process. */
async function checked(refs: readonly ProcessRef[]): Promise<ProcessRef[]> {
  if (refs.length === 0) return [];
  const rows = parsePs(await listOnly(refs.map(({ pid }) => pid)));
  const startTimes = new Map(rows.map((row) => [row.pid, row.startTime]));
  return refs.filter((ref) => startTimes.get(ref.pid) === ref.startTime);
}

/** Lists everything and picks, since `ps -p` fails as a whole when one of the pids is gone. */
async function listOnly(pids: readonly number[]): Promise<string> {
  const wanted = new Set(pids);
  const listing = await readListing("ps", ["-axww", "-o", columns]);
  return listing
    .split("\n")
    .filter((line) => wanted.has(Number.parseInt(line, 10)))
    .join("\n");
}

/** `-E` puts the environment behind the command; only of the user's own processes, and not of Apple's. */
async function listEnvironments(): Promise<string> {
  return readListing("ps", ["-axEww", "-o", "pid=,command="]);
}

const rowPattern =
  /^\s*(?<pid>\d+)\s+(?<parent>\d+)\s+(?<group>\d+)\s+(?<state>\S+)\s+(?<start>\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s(?<command>.*)$/;

export function parsePs(listing: string): ProcessRow[] {
  return listing.split("\n").flatMap((line) => {
    const { pid, parent, group, state, start, command } = rowPattern.exec(line)?.groups ?? {};
    if (start === undefined || command === undefined || state?.startsWith("Z")) return [];
    return {
      pid: Number(pid),
      startTime: start.replace(/\s+/g, " "),
      parentPid: Number(parent),
      groupId: Number(group),
      sessionId: null,
      command: command.trim(),
    };
  });
}

/** The value of the variable `name` for each of `rows` that has it. What is said in a command line does not count. */
export function parseEnvironments(
  listing: string,
  rows: readonly ProcessRow[],
  name: string,
): Map<number, string> {
  const commands = new Map(rows.map((row) => [row.pid, row.command]));
  const values = new Map<number, string>();
  for (const line of listing.split("\n")) {
    const [, pid = "", rest = ""] = /^\s*(\d+)\s(.*)$/.exec(line) ?? [];
    const command = commands.get(Number(pid));
    const text = rest.trim();
    if (command === undefined || !text.startsWith(command)) continue;
    const variables = text.slice(command.length).split(" ");
    const entry = variables.find((variable) => variable.startsWith(`${name}=`));
    if (entry !== undefined) values.set(Number(pid), entry.slice(name.length + 1));
  }
  return values;
}
