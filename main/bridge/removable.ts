// Why a workspace cannot be taken off the list right now.

import { Fault } from "../fault";
import type { Terminals } from "../terminals/terminals";
import type { WorktreeStarts } from "../workspaces/worktrees/starting/worktreeStarts";
import { terminalsRunFault } from "./workspaceTerminals";

interface AtWork {
  isAtWork(workspaceId: string): boolean;
}

/** Throws Fault `script_running`, `start_under_way`, `turn_running` or `terminals_run`. */
export function checkRemovable(
  core: AtWork & {
    cells: AtWork;
    starts: Pick<WorktreeStarts, "workIn">;
    terminals: Pick<Terminals, "rows">;
  },
  workspaceId: string,
): void {
  if (core.cells.isAtWork(workspaceId)) {
    throw new Fault("script_running", "A script is running in this workspace.", {
      hint: "Stop it first, then remove the workspace from the list.",
    });
  }
  const starting = core.starts.workIn(workspaceId);
  if (starting.length > 0) {
    throw new Fault("start_under_way", `Not done yet in this workspace: ${starting.join("; ")}.`, {
      hint: "Wait until it is, or end it where it is shown, then remove the workspace from the list.",
    });
  }
  if (core.isAtWork(workspaceId)) {
    throw new Fault("turn_running", "Something still runs in this workspace, or waits for you.", {
      hint: "Stop it first, then remove the workspace from the list.",
    });
  }
  const hint = "Close them first, then remove the workspace from the list.";
  const terminalsRun = terminalsRunFault(core.terminals.rows, workspaceId, hint);
  if (terminalsRun) throw terminalsRun;
}
