// The end of everything that is not the shell: scripts are ended, no session starts any more, running turns are interrupted
// and given a moment to end, every session is closed, then the ledger. Each step is bounded.

import type { Account } from "../accounts/account";
import type { Cells } from "../cells/cells";
import type { Clock } from "../clock";
import type { Environments } from "../environments/environments";
import { asFault } from "../fault";
import type { Ledger } from "../ledger/ledger";
import type { Log } from "../log";
import type { Terminals } from "../terminals/terminals";
import type { Exports } from "../threads/exporting/exports";
import { stoppedAtQuit } from "../threads/keptCuts";
import type { Threads } from "../threads/threads";
import type { Changes } from "../workspaces/changes/changes";
import type { WorktreeStarts } from "../workspaces/worktrees/starting/worktreeStarts";
import { endWithin } from "./endWithin";
import type { OpenWork } from "./openWork";
import type { Supervision } from "./supervision";

export interface Ending {
  threads: Threads;
  cells: Cells;
  starts: WorktreeStarts;
  terminals: Terminals;
  environments: Environments;
  changes: Changes;
  exports: Exports;
  supervision: Supervision;
  account: Account;
  ledger: Ledger;
  clock: Clock;
  openWork(): OpenWork | null;
}

const interruptGraceMs = 1_500;
/** More than a part takes that keeps its own bounds. */
const partMs = 8_000;

/**
 * `keep`: what is at work goes on without Holdfast, where it can. Everything else is stopped and closed; bounded, but for
 * what the parts take, which is bounded too. Resolves to false when something of this process would wait for ever at an
 * orderly end.
 */
export async function shutDownInOrder(core: Ending, work: "keep" | "stop", log: Log): Promise<boolean> {
  const { threads, clock } = core;
  log.info("shutting down", { work });
  core.supervision.prepareToClose();
  core.ledger.hurry();
  // First of all, so that no script acts on what is stopped below it.
  await core.cells.shutDown();
  await endWithin(partMs, "worktree set-ups", () => core.starts.shutDown(), { clock, log });
  const kept = new Set(work === "keep" ? core.openWork()?.kept : []);
  const stopping = threads.all.filter((thread) => thread.state.running && !kept.has(thread.workspaceId));
  for (const { cutTurns, state } of stopping) cutTurns.note(state.runningTurnId, stoppedAtQuit);
  // A turn that cannot be stopped in order is no reason not to end its process.
  for (const stopped of await Promise.allSettled(stopping.map((thread) => thread.stop()))) {
    if (stopped.status === "rejected")
      log.warn("a turn was not stopped", { error: asFault(stopped.reason).code });
  }
  if (stopping.length > 0) await untilQuiet(core, new Set(stopping.map((thread) => thread.key)));
  core.account.close();
  await endWithin(partMs, "exports", () => core.exports.shutDown(), { clock, log });
  await endWithin(partMs, "terminals", () => core.terminals.shutDown(), { clock, log });
  await endWithin(partMs, "changes", () => core.changes.shutDown(), { clock, log });
  await endWithin(partMs, "environments", () => core.environments.shutDown(), { clock, log });
  await core.supervision.close(kept);
  threads.dispose();
  core.ledger.close();
  const canEndInOrder = await core.cells.threadsEnded();
  if (!canEndInOrder) log.warn("a thread of a script does not end");
  return canEndInOrder;
}

function untilQuiet({ threads, clock }: Ending, keys: ReadonlySet<string>): Promise<void> {
  return new Promise((resolve) => {
    const untilMs = clock.nowMs() + interruptGraceMs;
    const look = () => {
      const still = threads.all.some((thread) => keys.has(thread.key) && thread.state.running);
      if (!still || clock.nowMs() >= untilMs) resolve();
      else clock.after(25, look);
    };
    look();
  });
}
