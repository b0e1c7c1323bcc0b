// The terminals of a workspace, in words: for what would end them.

import { isInWorkspace, isTerminalOpen, type TerminalRow } from "../../preload/contract/terminals";
import { Fault } from "../fault";

export function openTerminalsOf(terminals: readonly TerminalRow[], workspaceId: string): TerminalRow[] {
  return terminals.filter((row) => isInWorkspace(row, workspaceId) && isTerminalOpen(row));
}

/** Null: none runs there. */
export function terminalsRunFault(
  terminals: readonly TerminalRow[],
  workspaceId: string,
  hint: string,
): Fault | null {
  const { length } = openTerminalsOf(terminals, workspaceId);
  if (length === 0) return null;
  const words = length === 1 ? "A terminal runs" : `${length} terminals run`;
  return new Fault("terminals_run", `${words} in this workspace.`, { hint });
}
