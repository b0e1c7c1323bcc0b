// Windows: what the management interface tells through PowerShell. There are no groups, sessions or readable environments
// here: a tree is its leader and the leader's descendants, found while the links to the parents are still there.
//
// Race: Windows gives pids away again at once. So a process is known by the moment of its creation (to 100 ns), a parent
// must be older than its child, and a process is looked up and ended by the same command.

import { z } from "zod";
import { Fault } from "../../fault";
import { readListing, readListingNow } from "./listing";
import type { ProcessRef, ProcessRow, ProcessTable, SignalOutcome } from "./processTable";
import { isUsed } from "./signalling";

const created = "$_.CreationDate.ToUniversalTime().ToString('o')";
const listCommand = [
  "ConvertTo-Json -Compress -InputObject @(Get-CimInstance Win32_Process |",
  "Where-Object { $_.CreationDate } | ForEach-Object { @{",
  "pid = $_.ProcessId; parent = $_.ParentProcessId; command = [string]$_.CommandLine; name = $_.Name;",
  `start = ${created} } })`,
].join(" ");

export const windowsProcessTable: ProcessTable = {
  // A stopped process could not be told from a hung one, and nothing but a debugger stops one.
  canStop: false,

  async listProcesses() {
    return parseCim(await runPowerShell(listCommand));
  },

  // The environment of another process cannot be read without a debugger's rights.
  async readMarker() {
    return null;
  },
  async marksOf() {
    return new Map();
  },

  async markedWith() {
    return new Set();
  },

  async foregroundGroup() {
    return null;
  },

  async startTime(pid) {
    const rows = parseCim(await runPowerShell(listCommand));
    return rows.find((row) => row.pid === pid)?.startTime ?? null;
  },

  // Whether the pid is in use; whether by the same process is seen by the search that follows.
  async stillThere(refs) {
    return refs.filter(({ pid }) => isUsed(pid));
  },

  startedSince(startTime, since) {
    return startTime >= since;
  },

  // Whatever the signal: Windows can only end a process.
  async signal(refs) {
    return endAll(refs);
  },
  async signalGroup(leader) {
    return (await endAll([leader])).get(leader.pid) ?? "gone";
  },
};

/** In this very tick: see processTree.ts. */
export function windowsStartTime(pid: number): string | null {
  const command = `Get-CimInstance Win32_Process -Filter "ProcessId = ${pid}" | ForEach-Object { ${created} }`;
  return readListingNow("powershell.exe", powerShellArguments(command)).trim() || null;
}

async function runPowerShell(command: string): Promise<string> {
  return readListing("powershell.exe", powerShellArguments(command));
}

function powerShellArguments(command: string): string[] {
  return ["-NoProfile", "-NonInteractive", "-Command", command];
}

async function endAll(refs: readonly ProcessRef[]): Promise<Map<number, SignalOutcome>> {
  if (refs.length === 0) return new Map();
  return parseEnded(await runPowerShell(endCommand(refs)), refs);
}

/** Prints `PID sent`, `PID gone` or `PID refused` for each. Holds digits and times only, nothing that needs quoting. */
export function endCommand(refs: readonly ProcessRef[]): string {
  const list = refs.map(({ pid, startTime }) => `@(${pid}, '${checkedTime(startTime)}')`).join(", ");
  return [
    `foreach ($ref in @(${list.includes("), @(") ? list : `,${list}`})) {`,
    `$found = Get-CimInstance Win32_Process -Filter "ProcessId = $($ref[0])" |`,
    `Where-Object { ${created} -eq $ref[1] };`,
    `if (-not $found) { "$($ref[0]) gone" }`,
    `else { try { Stop-Process -Id $ref[0] -Force -ErrorAction Stop; "$($ref[0]) sent" }`,
    `catch { "$($ref[0]) refused" } } }`,
  ].join(" ");
}

function checkedTime(startTime: string): string {
  if (!/^[\dTZ:.+-]+$/.test(startTime)) {
    throw new Fault("process_unknown", "This is not the start time of a Windows process.", {
      detail: startTime,
    });
  }
  return startTime;
}

export function parseEnded(output: string, refs: readonly ProcessRef[]): Map<number, SignalOutcome> {
  const outcomes = new Map<number, SignalOutcome>(refs.map(({ pid }) => [pid, "refused"]));
  for (const [, pid, outcome] of output.matchAll(/^(\d+) (sent|gone|refused)\s*$/gm)) {
    if (outcomes.has(Number(pid))) outcomes.set(Number(pid), outcome as SignalOutcome);
  }
  return outcomes;
}

const cimSchema = z.array(
  z.object({
    pid: z.number().int(),
    parent: z.number().int(),
    command: z.string().nullable(),
    name: z.string().nullable(),
    start: z.string(),
  }),
);

export function parseCim(output: string): ProcessRow[] {
  let json: unknown;
  try {
    json = JSON.parse(output.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw unreadable(error);
  }
  const parsed = cimSchema.safeParse(json);
  if (!parsed.success) throw unreadable(parsed.error);
  return parsed.data.map(({ pid, parent, command, name, start }) => ({
    pid,
    startTime: start,
    parentPid: parent,
    groupId: null,
    sessionId: null,
    command: command || name || "",
  }));
}

function unreadable(cause: unknown): Fault {
  return new Fault("process_list_failed", "The list of running processes cannot be read.", {
    detail: String(cause),
    retryable: true,
    cause,
  });
}
