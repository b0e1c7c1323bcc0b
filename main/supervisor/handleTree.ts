// Ends everything that belongs to one handle: its leader, the leader's process session, all that carries its marker, and
// what descends from these.

import type { Clock } from "../clock";
import { Fault } from "../fault";
import { type EndTimes, endTree, systemProcessTable } from "./processTree";

/** The variable that marks everything which codex starts as belonging to a handle. */
export const markerVariable = "HOLDFAST_HANDLE";

export interface HandleTree {
  handleId: string;
  /** Null: Holdfast died before it could write down which process it was. */
  leader: { pid: number; startTime: string } | null;
  /** What a Fault calls it; `codex` if left out. */
  program?: string;
}

/** Null: nothing of it is left. Otherwise the Fault names what is. Bounded in time. */
export async function endHandleTree(
  tree: HandleTree,
  clock: Clock,
  /** Ends its input or connection: called once the tree has been searched, so that nothing slips away before. */
  closeInput?: () => void,
  times?: Partial<EndTimes>,
): Promise<Fault | null> {
  const { left } = await endTree(
    {
      leader: tree.leader,
      // The leader was started as a session leader, so the session goes by its pid.
      processSessionId: tree.leader && process.platform !== "win32" ? tree.leader.pid : null,
      marker: { name: markerVariable, value: tree.handleId },
    },
    {
      table: systemProcessTable(clock),
      clock,
      ...(closeInput ? { closeInput } : {}),
      ...(times ? { times } : {}),
    },
  );
  if (left.length === 0) return null;
  const names = left.map((row) => `${row.pid} (${row.command.slice(0, 60)})`).join(", ");
  return new Fault(
    "process_not_ended",
    `${tree.program ?? "codex"}, or something that it started, did not end: ${names}.`,
    {
      hint: "Holdfast tries again by itself. You can also end these processes yourself.",
      retryable: true,
    },
  );
}
