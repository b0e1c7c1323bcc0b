// The end of what a terminal has started, as work that is owed.

import type { NewCleanup } from "../../ledger/cleanupsLedger";
import type { TerminalTree } from "./terminalTree";

export const terminalCleanupKind = "terminal";

export interface TerminalSubject extends TerminalTree {
  workspaceId: string;
  command: string | null;
}

export function terminalCleanup({ terminalId, leader, workspaceId, command }: TerminalSubject): NewCleanup {
  const subject: TerminalSubject = { terminalId, leader, workspaceId, command };
  return {
    id: `terminal:${terminalId}`,
    kind: terminalCleanupKind,
    subject,
    reason: "The terminal is over, and nothing that was started in it may stay behind.",
  };
}
