// The end of an exec-server as work that is owed.

import type { NewCleanup } from "../../ledger/cleanupsLedger";

export const execServerCleanupKind = "exec-server";

export interface ExecServerSubject {
  handleId: string;
  /** What its environment was called. */
  environmentName: string | null;
  pid: number | null;
  logPath: string | null;
}

export function execServerCleanup(subject: ExecServerSubject): NewCleanup {
  return {
    id: `process:${subject.handleId}`,
    kind: execServerCleanupKind,
    subject,
    reason: "The exec-server is not used any more, and nothing that it has started may stay behind.",
  };
}
