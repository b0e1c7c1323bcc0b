// What is owed, as it is written down and as a window shows it.

import type { CleanupView } from "../../preload/contract/app";
import { type CellSubject, cellCleanupKind } from "../cells/runtime/cellClosing";
import { type ExecServerSubject, execServerCleanupKind } from "../environments/local/execServerCleanup";
import { toFaultView } from "../faultView";
import type { NewCleanup } from "../ledger/cleanupsLedger";
import type { OwedCleanup } from "../supervisor/cleanups";
import type { ProcessFacts } from "../supervisor/codexProcess";
import { type ActionSubject, threadActionKind } from "../threads/owedActions";
import { discardCleanupKind } from "../workspaces/changes/cutOffDiscards";
import { type JobSubject, jobCleanupKind } from "../workspaces/changes/cutOffJobs";
import { type TerminalSubject, terminalCleanupKind } from "../workspaces/terminals/terminalCleanup";
import { mergeKind, recreateKind, removalKind } from "../workspaces/worktrees/owed";
import { setupCleanupKind } from "../workspaces/worktrees/starting/setupScript";

export interface ProcessSubject {
  handleId: string;
  workspaceId: string | null;
  pid: number | null;
  logPath: string | null;
}

export function processCleanup(process: { handleId: string; facts?: ProcessFacts }): NewCleanup {
  const { handleId, facts } = process;
  const subject: ProcessSubject = {
    handleId,
    workspaceId: facts?.workspaceId ?? null,
    pid: facts?.leader?.pid ?? null,
    logPath: facts?.logPath ?? null,
  };
  return {
    id: `process:${handleId}`,
    kind: "process",
    subject,
    reason: "codex is not used any more, and nothing that it has started may stay behind.",
  };
}

export function teardownCleanup(handleId: string, profileId: string, owed: unknown): NewCleanup {
  return {
    id: `teardown:${handleId}`,
    kind: "launch teardown",
    subject: { handleId, profileId, owed },
    reason: `What the launch profile ${profileId} has prepared for a codex is not needed any more.`,
  };
}

/** From its first failure on: what is being ended right now, and has not failed, is no news. */
export function viewCleanups(
  owed: readonly OwedCleanup[],
  isListed: (workspaceId: string) => boolean,
): CleanupView[] {
  return owed
    .filter((cleanup) => cleanup.attempts > 0)
    .map((cleanup) => {
      const { workspaceId, logPath } = cleanup.subject as Partial<ProcessSubject>;
      return {
        id: cleanup.id,
        title: titleOf(cleanup),
        reason: cleanup.reason,
        workspaceId: workspaceId && isListed(workspaceId) ? workspaceId : null,
        sinceMs: cleanup.createdAtMs,
        attempts: cleanup.attempts,
        lastAttemptAtMs: cleanup.lastAttemptAtMs,
        fault: cleanup.lastError && toFaultView(cleanup.lastError),
        nextAttemptAtMs: cleanup.nextAttemptAtMs,
        trying: cleanup.trying,
        hasLog: Boolean(logPath),
      };
    });
}

function titleOf({ kind, subject }: OwedCleanup): string {
  switch (kind) {
    case "process": {
      const { pid } = subject as Partial<ProcessSubject>;
      return pid ? `End codex (process ${pid})` : "End what is left of a codex";
    }
    case execServerCleanupKind: {
      const { pid, environmentName } = subject as Partial<ExecServerSubject>;
      const what = environmentName ? `the exec-server of “${environmentName}”` : "an exec-server";
      return pid ? `End ${what} (process ${pid})` : `End what is left of ${what}`;
    }
    case cellCleanupKind: {
      const { scriptName } = subject as Partial<CellSubject>;
      return scriptName ? `End what the script “${scriptName}” has begun` : "End what a script has begun";
    }
    case setupCleanupKind: {
      const { pid } = subject as Partial<ProcessSubject>;
      return pid ? `End a worktree set-up (process ${pid})` : "End what is left of a worktree set-up";
    }
    case terminalCleanupKind: {
      const { command } = subject as Partial<TerminalSubject>;
      const what = command ? `“${command.slice(0, 60)}”` : "a shell";
      return `End what ${what} has started in a terminal`;
    }
    case removalKind:
      return `Remove the worktree ${(subject as { branch: string }).branch}`;
    case mergeKind:
      return `Settle the merge of ${(subject as { branch: string }).branch}`;
    case recreateKind:
      return `Make the folder of ${(subject as { branch: string }).branch} again`;
    case threadActionKind: {
      const { action, title } = subject as ActionSubject;
      return `${action.replace(/^./, (first) => first.toUpperCase())} “${title}”`;
    }
    case discardCleanupKind:
      return "Settle a discard of changes";
    case jobCleanupKind: {
      const { kind: job } = subject as Pick<JobSubject, "kind">;
      return `End what is left of a ${job}`;
    }
    default:
      return "Undo what a launch has prepared";
  }
}
