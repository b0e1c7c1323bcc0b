// What an earlier run of Holdfast has left, as the ledger says it against the real world: living app-servers to be adopted,
// everything else to be ended. Nothing is started or ended here.
//
// Races settled here:
// - Holdfast died between writing down the intent and learning the pid: such a handle has no leader on record. It is not
//   adopted; what there is of it is found by its marker.
// - The pid has been given to another process since: the start time differs, so the process is dead.
// - Holdfast died while it replaced a process: two of one session live. The older one has the threads, unless it was being
//   closed already, and is adopted; the other is ended.

import { Fault } from "../fault";
import type { HandleRecord } from "../ledger/handlesLedger";
import { CodexProcess, type ProcessContext } from "./codexProcess";
import { recordedChannel } from "./listening";
import { processStartTime } from "./processTree";

export interface Recovered {
  /** By workspace: the process that its session is to go on with. */
  adoptable: Map<string, CodexProcess>;
  /** By workspace: what has to be ended. */
  retired: Map<string, { process: CodexProcess; fault: Fault }[]>;
}

export function recover(options: {
  /** Handles of app-servers that are not gone, oldest first. */
  records: readonly HandleRecord[];
  context: ProcessContext;
  /** There is a session that could go on with it. */
  canAdopt(record: HandleRecord): boolean;
}): Recovered {
  const adoptable = new Map<string, CodexProcess>();
  const retired: Recovered["retired"] = new Map();
  for (const record of options.records) {
    const process = recordedProcess(options.context, record);
    const { workspaceId } = record;
    if (isAlive(record) && options.canAdopt(record) && !adoptable.has(workspaceId)) {
      adoptable.set(workspaceId, process);
    } else {
      const owed = retired.get(workspaceId) ?? [];
      retired.set(workspaceId, [...owed, { process, fault: leftFault(record) }]);
    }
  }
  return { adoptable, retired };
}

export function recordedProcess(context: ProcessContext, record: HandleRecord): CodexProcess {
  const { handleId, workspaceId, profileId, facts, channel, logPath, teardown } = record;
  return new CodexProcess(context, {
    handleId,
    workspaceId,
    profileId,
    leader: facts && { pid: facts.pid, startTime: facts.startTime },
    startedAtMs: record.startedAtMs ?? record.intendedAtMs,
    logPath: logPath ?? "",
    channel: recordedChannel(channel),
    child: null,
    teardown,
  });
}

/** The process on record runs, and can be reached by another Holdfast than the one that has started it. */
export function isAlive({ state, facts, channel }: HandleRecord): boolean {
  if (state !== "running" || facts === null || channel.kind === "stdio") return false;
  try {
    return processStartTime(facts.pid) === facts.startTime;
  } catch {
    // Without knowing which process it is it cannot be used; ending it looks again, and says what is wrong.
    return false;
  }
}

export function leftFault({ facts }: HandleRecord, program = "codex"): Fault {
  const which = facts ? ` (process ${facts.pid})` : "";
  return new Fault(
    "process_left_over",
    `${program}${which} of an earlier run of Holdfast has not been ended yet.`,
    {
      retryable: true,
    },
  );
}
