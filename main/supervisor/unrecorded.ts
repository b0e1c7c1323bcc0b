// Processes of this Holdfast of which its ledger knows nothing: the ledger was damaged, or was taken away, while they ran. They
// are found by a variable that everything of one Holdfast carries, and written down, so that they are ended like all that an
// earlier run has left.
//
// Race: such a process ends while it is looked at: it is then on record, and found gone.

import type { Clock } from "../clock";
import type { HandlesLedger } from "../ledger/handlesLedger";
import { markerVariable } from "./handleTree";
import { type ProcessRow, type ProcessTable, systemProcessTable } from "./processTree";

/** In the environment of everything that a Holdfast starts; its value is that Holdfast's home. */
export const ownerVariable = "HOLDFAST_OWNER";

/** How many handles were found. Rejects with a Fault when the processes cannot be listed. */
export async function recordUnrecorded(options: {
  home: string;
  handles: HandlesLedger;
  clock: Clock;
  table?: ProcessTable;
}): Promise<number> {
  const { home, handles, clock, table = systemProcessTable(clock) } = options;
  const rows = await table.listProcesses();
  const owned = await table.markedWith({ name: ownerVariable, value: home }, rows);
  const byHandle = new Map<string, ProcessRow[]>();
  for (const row of rows) {
    if (!owned.has(row.pid)) continue;
    const handleId = await table.readMarker(row.pid, markerVariable);
    if (handleId === null || handles.get(handleId) !== null) continue;
    byHandle.set(handleId, [...(byHandle.get(handleId) ?? []), row]);
  }
  for (const [handleId, found] of byHandle) {
    handles.intend({
      handleId,
      sessionId: "unrecorded",
      workspaceId: "",
      profileId: "unrecorded",
      marker: handleId,
      command: { file: found[0]?.command ?? "", args: [], workingDirectory: home },
      // How it was reached is not known any more.
      channel: { kind: "stdio" },
      teardown: null,
      logPath: null,
    });
    const leader = found.find(({ pid, sessionId }) => pid === sessionId);
    if (leader) {
      handles.started(handleId, {
        pid: leader.pid,
        startTime: leader.startTime,
        processGroup: leader.groupId,
      });
    }
  }
  return byHandle.size;
}
