// Worktrees, and the threads that are to begin in them, with what they need of the rest of main.

import { realpathSync } from "node:fs";
import type { Cells } from "../cells/cells";
import type { Clock } from "../clock";
import type { Ledger } from "../ledger/ledger";
import type { Log } from "../log";
import type { Terminals } from "../terminals/terminals";
import type { Threads } from "../threads/threads";
import type { Workspaces } from "../workspaces/workspaces";
import { WorktreeStarts } from "../workspaces/worktrees/starting/worktreeStarts";
import { Worktrees } from "../workspaces/worktrees/worktrees";
import type { AppTopic } from "./appTopic";
import type { CodexLocator } from "./codexLocator";
import { startingThreads } from "./startingThreads";
import type { Supervision } from "./supervision";
import { workIn } from "./workIn";

/** The rest of main, as far as it is needed for that. */
export interface WorktreeSource {
  clock: Clock;
  ledger: Ledger;
  app: AppTopic;
  threads: Threads;
  workspaces: Workspaces;
  locator: CodexLocator;
  supervision: Supervision;
  /** There only later. */
  cells: Pick<Cells, "needsSession" | "scriptsIn">;
  terminals: Pick<Terminals, "rows">;
  isAtWork(workspaceId: string): boolean;
}

export function worktreeParts(
  core: WorktreeSource,
  { home, logs, log }: { home: string; logs: string; log: Log },
  forgetThreads: (workspaceId: string) => void,
): { worktrees: Worktrees; starts: WorktreeStarts } {
  const { clock, ledger, workspaces, threads, app, locator } = core;
  const { cleanups, sessions } = core.supervision;
  const worktrees = new Worktrees({
    home: realpathSync(home),
    clock,
    log,
    ledger,
    workspaces,
    cleanups,
    workIn: (id) => workIn(core, starts, id),
    hasSession: (id) => (sessions.state(id)?.phase ?? "stopped") !== "stopped",
    closeSession: (id) => sessions.close(id),
    opened: (id) => threads.rows.remember(id),
    closed: forgetThreads,
    settled: (path) => starts.worktreeSettled(path),
    tell: (about, notice) => app.notice(about, notice),
  });
  const starts = new WorktreeStarts({
    clock,
    log,
    ledger,
    handles: ledger.handles,
    cleanups,
    owner: home,
    logs,
    variables: () => locator.variables(),
    workspaces,
    worktrees,
    threads: startingThreads(threads, ledger),
    changed: (worktreeStarts) => app.update({ worktreeStarts }),
  });
  app.update({ worktreeStarts: starts.views });
  return { worktrees, starts };
}
