// The end of everything that is not the shell: scripts are ended, no session starts any more, running turns are interrupted
// and given a moment to end, every session is closed, then the ledger. Each step is bounded, and none keeps the next ones from
// being taken: whatever fails (the ledger cannot be read, the whole home has gone), the processes are ended.

import type { FaultView } from "../../preload/contract/fault";
import type { Account } from "../accounts/account";
import type { Cells } from "../cells/cells";
import type { Clock } from "../clock";
import type { Environments } from "../environments/environments";
import { asFault, type Fault } from "../fault";
import { toFaultView } from "../faultView";
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
/** A codex that has not answered by then is closed without having been asked what it does. */
const foundMs = 2_500;
/** More than a part takes that keeps its own bounds. */
const partMs = 8_000;

/**
 * `keep`: what is at work goes on without Holdfast, where it can. Everything else is stopped and closed; bounded, but for
 * what the parts take, which is bounded too. Resolves to false when something of this process would wait for ever at an
 * orderly end.
 */
export async function shutDownInOrder(core: Ending, work: "keep" | "stop", log: Log): Promise<boolean> {
  const { threads, clock } = core;
  const step = (part: string, end: () => unknown) =>
    endWithin(partMs, part, async () => void (await end()), { clock, log });
  log.info("shutting down", { work });
  // Otherwise it would go on with nobody to watch over it: its watchdog ends when Holdfast comes.
  await endWithin(foundMs, "what an earlier run has left", () => core.supervision.found, { clock, log });
  await step("cleanups", () => core.supervision.prepareToClose());
  await step("ledger's pace", () => core.ledger.hurry());
  // First of all, so that no script acts on what is stopped below it.
  await step("scripts", () => core.cells.shutDown());
  await step("worktree set-ups", () => core.starts.shutDown());
  const kept = new Set<string>();
  await step("what is kept", () => {
    for (const workspaceId of (work === "keep" && core.openWork()?.kept) || []) kept.add(workspaceId);
  });
  // Should the time be over in the middle of what follows.
  if (kept.size === 0) await step("watchdog", () => core.supervision.launches.keepNothing());
  await step("turns", () => stopTurns(core, kept, stoppedAtQuit, log));
  await step("account", () => core.account.close());
  await step("exports", () => core.exports.shutDown());
  await step("terminals", () => core.terminals.shutDown());
  await step("changes", () => core.changes.shutDown());
  await step("environments", () => core.environments.shutDown());
  await step("sessions", () => core.supervision.close(kept));
  await step("threads", () => threads.dispose());
  await step("ledger", () => core.ledger.close());
  const canEndInOrder = await core.cells.threadsEnded();
  if (!canEndInOrder) log.warn("a thread of a script does not end");
  return canEndInOrder;
}

/** Ends all that Holdfast has started, while it goes on itself: nothing starts any more, for the reason `why`. */
export async function endWhatRuns(core: Ending, why: Fault, log: Log): Promise<void> {
  const { clock } = core;
  const step = (part: string, end: () => unknown) =>
    endWithin(partMs, part, async () => void (await end()), { clock, log });
  await step("scripts", () => core.cells.shutDown());
  await step("worktree set-ups", () => core.starts.shutDown());
  await step("turns", () => stopTurns(core, new Set(), toFaultView(why), log));
  await step("terminals", () => core.terminals.shutDown());
  await step("environments", () => core.environments.shutDown());
  await step("sessions", () => core.supervision.close(new Set(), why));
}

async function stopTurns(core: Ending, kept: ReadonlySet<string>, why: FaultView, log: Log): Promise<void> {
  const ending = core.threads.all.filter((thread) => !kept.has(thread.workspaceId));
  for (const { leftRunning } of ending) leftRunning.allStopped();
  const stopping = ending.filter((thread) => thread.state.running);
  for (const { cutTurns, state } of stopping) cutTurns.note(state.runningTurnId, why);
  // A turn that cannot be stopped in order is no reason not to end its process.
  for (const stopped of await Promise.allSettled(stopping.map(async (thread) => thread.stop()))) {
    if (stopped.status === "rejected")
      log.warn("a turn was not stopped", { error: asFault(stopped.reason).code });
  }
  if (stopping.length > 0) await untilQuiet(core, new Set(stopping.map((thread) => thread.key)));
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
