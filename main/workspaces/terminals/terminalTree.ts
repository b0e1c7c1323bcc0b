// Everything that one terminal has started, and how all of it is ended. codex does neither: `process/kill`, the end of the
// connection and its own end reach the shell, and through the hang-up what is in its foreground; what was put in the background,
// was told to ignore a hang-up, or has a process session of its own goes on under pid 1. Nor does codex say which process it has
// started. So each terminal's id is in the environment of all that it starts, and on Linux in its limits, which nothing can give up
// (limitMark.ts); and its shell leads a process session of its own.
//
// Races settled here:
// - The shell has ended before it was looked for: there is no leader then, and the marker finds what it has left.
// - It is hung up, as when the window of any terminal is closed: a shell passes that on to its jobs and keeps its history. What
//   takes no notice is ended as every tree is (processTree.ts).

import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import type { Marker, ProcessRef, ProcessRow, ProcessTable } from "../../supervisor/processTree";
import { endTree, type Ownership, ownedBy } from "../../supervisor/processTree";

export const terminalVariable = "HOLDFAST_TERMINAL";

export interface TerminalTree {
  terminalId: string;
  /** Null: it is not known which process was started first. */
  leader: ProcessRef | null;
}

/** A shell that keeps a long history needs a moment. */
const hangUpMs = 500;

export function markerOf(terminalId: string): Marker {
  return { name: terminalVariable, value: terminalId };
}

function ownershipOf({ terminalId, leader }: TerminalTree): Ownership {
  const hasSessions = process.platform !== "win32";
  return {
    leader,
    processSessionId: hasSessions ? (leader?.pid ?? null) : null,
    marker: markerOf(terminalId),
  };
}

/** The process that codex has started for it; null: it has ended already. */
export async function findLeader(
  terminalId: string,
  codexPid: number,
  table: ProcessTable,
): Promise<ProcessRef | null> {
  const rows = (await table.listProcesses()).filter(({ parentPid }) => parentPid === codexPid);
  const marked = await table.markedWith(markerOf(terminalId), rows);
  const leader = rows.find(({ pid }) => marked.has(pid));
  return leader === undefined ? null : { pid: leader.pid, startTime: leader.startTime };
}

/** What of it runs. Rejects with a Fault when the system's processes cannot be listed. */
export function whatRuns(tree: TerminalTree, table: ProcessTable): Promise<ProcessRow[]> {
  return ownedBy(ownershipOf(tree), table);
}

/** On Linux the system has no more of a name. */
const mostNameUnits = 15;

/**
 * Nothing of it runs but the shell itself, and that waits for a command: whatever the shell has started counts, also in the
 * background, and so does another program in the shell's place. False also where that cannot be known.
 */
export async function isAtPrompt(
  tree: TerminalTree,
  shellName: string,
  table: ProcessTable,
): Promise<boolean> {
  const { leader } = tree;
  if (leader === null) return false;
  const foreground = await table.foregroundGroup(leader.pid);
  if (foreground === null) return false;
  const [shell, ...others] = await whatRuns(tree, table);
  if (shell === undefined || others.length > 0) return false;
  const isLeader = shell.pid === leader.pid && shell.startTime === leader.startTime;
  return isLeader && shell.groupId === foreground && shell.command === shellName.slice(0, mostNameUnits);
}

/** Null: nothing of it is left. Bounded in time. */
export async function endTerminalTree(
  tree: TerminalTree,
  { table, clock }: { table: ProcessTable; clock: Clock },
): Promise<Fault | null> {
  const { leader } = tree;
  const { left } = await endTree(ownershipOf(tree), {
    table,
    clock,
    times: { beforeTermMs: leader === null ? 0 : hangUpMs },
    closeInput() {
      // It may have ended by itself; who is left is told in other ways.
      if (leader !== null) table.signal([leader], "SIGHUP").catch(() => undefined);
    },
  });
  if (left.length === 0) return null;
  const names = left.map(({ pid, command }) => `${pid} (${command.slice(0, 60)})`).join(", ");
  return new Fault("process_not_ended", `Something that was started in a terminal did not end: ${names}.`, {
    hint: "Holdfast tries again by itself. You can also end these processes yourself.",
    retryable: true,
  });
}
