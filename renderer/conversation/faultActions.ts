// What a person can do about a thread that cannot be used as usual, by the code of its fault. Pure.

import type { FaultView } from "../../preload/contract/fault";

export type FaultAction =
  | "locate"
  | "recreate"
  | "retry"
  | "fork"
  | "unarchive"
  | "new thread"
  | "clean up"
  | "show cleanup";

const byCode: Record<string, readonly FaultAction[]> = {
  folder_gone: ["locate", "retry"],
  open_elsewhere: ["retry", "fork"],
  thread_archived: ["unarchive"],
  history_lost: ["new thread"],
  thread_deleted: ["new thread"],
  agent_of_agent: [],
  process_cleanup_pending: ["clean up", "show cleanup"],
};

/** The first is the one to start with. `inWorktree`: of a thread in a worktree that Holdfast has made. */
export function faultActions(fault: FaultView, inWorktree = false): readonly FaultAction[] {
  if (fault.code === "folder_gone" && inWorktree) return ["recreate", "locate", "retry"];
  return byCode[fault.code] ?? (fault.retryable ? ["retry"] : ["retry", "new thread"]);
}
