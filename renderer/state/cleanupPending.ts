// A start that main has refused because something of an earlier process is still owed.

import type { FaultView } from "../../preload/contract/fault";

export function isCleanupPending(fault: Pick<FaultView, "code"> | null | undefined): boolean {
  return fault?.code === "process_cleanup_pending";
}
