// What a person can do about a thread that cannot be used as usual, by the code of its fault. Pure.

import type { FaultView } from "../../preload/contract/fault";

export type FaultAction = "locate" | "retry" | "fork" | "unarchive" | "new thread";

const byCode: Record<string, readonly FaultAction[]> = {
  folder_gone: ["locate", "retry"],
  open_elsewhere: ["retry", "fork"],
  thread_archived: ["unarchive"],
  history_lost: ["new thread"],
  agent_of_agent: [],
};

/** The first is the one to start with. */
export function faultActions(fault: FaultView): readonly FaultAction[] {
  return byCode[fault.code] ?? (fault.retryable ? ["retry"] : ["retry", "new thread"]);
}
