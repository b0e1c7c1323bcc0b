// What the page of cells shows. Pure.

import type { RunRow, ScriptRow } from "../../preload/contract/cells";
import type { Layout } from "../../preload/contract/layout";
import { isUnderWay } from "../state/words";

export type CellsShown =
  /** Nothing was chosen yet. */
  | { kind: "start" }
  /** `runId`: the run of this script that is shown below it. */
  | { kind: "script"; scriptId: string; runId: string | null }
  /** A run without its script. */
  | { kind: "run"; runId: string; scriptId: string | null };

export function cellsShown(cells: Layout["cells"], runs: readonly RunRow[]): CellsShown {
  const { scriptId, runId } = cells;
  const run = runs.find((each) => each.runId === runId);
  if (run && (scriptId === null || run.scriptId !== scriptId)) {
    return { kind: "run", runId: run.runId, scriptId: run.scriptId };
  }
  // One that has only just begun is not in the list yet.
  if (scriptId !== null) return { kind: "script", scriptId, runId };
  return runId === null ? { kind: "start" } : { kind: "run", runId, scriptId: null };
}

/** The newest run of a script. */
export function lastRunOf(scriptId: string, runs: readonly RunRow[]): RunRow | undefined {
  return runs.find((run) => run.scriptId === scriptId);
}

/** Where the keyboard goes when this script is gone: the one below it, or else above it. */
export function neighbourOf(scriptId: string, scripts: readonly ScriptRow[]): string | null {
  const own = scripts.filter((script) => script.origin === "own");
  const index = own.findIndex((script) => script.scriptId === scriptId);
  return own[index + 1]?.scriptId ?? own[index - 1]?.scriptId ?? null;
}

export interface RunCounts {
  live: number;
  waiting: number;
}

export function runCounts(runs: readonly RunRow[]): RunCounts {
  return {
    live: runs.filter((run) => isUnderWay(run.state)).length,
    waiting: runs.filter((run) => run.state === "waiting for answer").length,
  };
}
