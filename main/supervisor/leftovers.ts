// What an earlier run of Holdfast left behind: ended at start-up, before anything new is started.
//
// Race: Holdfast died between writing down the intent and learning the pid: such a handle has no leader on record, and what
// there is of it is found by its marker.

import type { Clock } from "../clock";
import type { HandlesLedger } from "../ledger/handlesLedger";
import type { Log } from "../log";
import { endHandleTree } from "./handleTree";
import { removeSocket } from "./socketFolder";

export async function reapLeftovers(options: {
  handles: HandlesLedger;
  clock: Clock;
  log: Log;
}): Promise<void> {
  const { handles, clock, log } = options;
  await Promise.all(
    handles.listNotGone().map(async (handle) => {
      const { handleId, facts } = handle;
      const leader = facts && { pid: facts.pid, startTime: facts.startTime };
      if (handle.state !== "retired") handles.closing(handleId);
      const left = await endHandleTree({ handleId, leader }, clock);
      if (left) {
        handles.retired(handleId);
        log.error("a process of an earlier run did not end", { handleId, message: left.message });
        return;
      }
      handles.gone(handleId, null);
      if (handle.socketPath !== null) removeSocket(handle.socketPath, null);
      log.info("what an earlier run left behind is gone", { handleId, pid: facts?.pid ?? null });
    }),
  );
}
