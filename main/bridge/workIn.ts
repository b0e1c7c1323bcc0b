// What is at work in a workspace right now, by the names that a person knows it by.

import type { Cells } from "../cells/cells";
import { firstWords, oneLine } from "../plainText";
import type { Terminals } from "../terminals/terminals";
import type { Threads } from "../threads/threads";
import type { WorktreeStarts } from "../workspaces/worktrees/starting/worktreeStarts";
import { openTerminals } from "./environmentUse";
import { openTerminalsOf } from "./workspaceTerminals";

const mostCommandUnits = 80;

export interface WorkSource {
  threads: Threads;
  cells: Pick<Cells, "needsSession" | "scriptsIn">;
  terminals: Pick<Terminals, "rows">;
  /** Something would be cut off if its process ended now. */
  isAtWork(workspaceId: string): boolean;
}

/** Empty: nothing is. */
export function workIn(
  source: WorkSource,
  starts: Pick<WorktreeStarts, "workIn">,
  workspaceId: string,
): string[] {
  const { threads, cells, terminals } = source;
  const scripts = cells.scriptsIn(workspaceId).map((name) => `the script “${name}”`);
  return [
    ...(source.isAtWork(workspaceId) ? busyThreads(threads, workspaceId) : []),
    ...(cells.needsSession(workspaceId) && scripts.length === 0 ? ["a script"] : scripts),
    ...starts.workIn(workspaceId),
    ...openTerminals(openTerminalsOf(terminals.rows, workspaceId)).map((name) => `the terminal “${name}”`),
  ];
}

function busyThreads(threads: Threads, workspaceId: string): string[] {
  const busy = threads.all.flatMap(({ state, workspaceId: own }) => {
    const { title, requests, followUps, leftRunning } = state.facts;
    if (own !== workspaceId) return [];
    const isBusy = requests.length > 0 || state.running || followUps.entries.length > 0;
    return [
      ...(isBusy ? [`the thread “${title || "New thread"}”`] : []),
      ...leftRunning.map(({ command }) => `the command “${firstWords(oneLine(command), mostCommandUnits)}”`),
    ];
  });
  return busy.length > 0 ? busy : ["codex"];
}
