// The one run of a script that this window shows, and how main's changes are applied to its copy. What did not change keeps
// its identity.
//
// Races, and what settles each:
// - Someone goes quickly from run to run: the subscription of the one before is ended first, and the store is emptied.
// - A new snapshot comes while earlier output is held here: output is only ever added to, so what is held before the
//   snapshot's own part is still true and stays. The place that one reads at does not go away.
// - Earlier output is asked for twice, or the answer comes after another snapshot: it is taken only where it ends exactly at
//   the first item that is held.

import { create } from "zustand";
import type { RunCall, RunChange, RunHead, RunOutputItem, RunSnapshot } from "../../preload/contract/cells";
import type { FaultView } from "../../preload/contract/fault";
import { call, connection } from "./connection";

export interface RunCopy {
  head: RunHead;
  output: readonly RunOutputItem[];
  /** How many items of the output come before those held here. */
  earlierOutput: number;
  calls: readonly RunCall[];
  earlierCalls: number;
}

export type RunShown =
  | { phase: "none" }
  | { phase: "loading"; runId: string; fault: FaultView | null }
  /** `stale`: the connection to main is gone; what is shown is the last that was known. */
  | { phase: "shown"; runId: string; copy: RunCopy; stale: boolean }
  | { phase: "failed"; runId: string; fault: FaultView };

interface RunStore {
  shown: RunShown;
}

export const runStore = create<RunStore>(() => ({ shown: { phase: "none" } }));

/** So many calls are held here; of a run that has made more, the oldest that are answered are only counted. */
export const mostCalls = 2_000;

let subscription: { close(): void; retry(): void } | null = null;

function put(shown: RunShown): void {
  runStore.setState({ shown });
}

/** `held`: the copy that is replaced, of the same run. */
export function runCopyOf(snapshot: RunSnapshot, held: RunCopy | null = null): RunCopy {
  const { head, output, earlierOutput, calls, earlierCalls } = snapshot;
  const before = held === null ? 0 : earlierOutput - held.earlierOutput;
  const fits = held !== null && before > 0 && before <= held.output.length;
  return {
    head,
    output: fits ? [...held.output.slice(0, before), ...output] : output,
    earlierOutput: fits ? held.earlierOutput : earlierOutput,
    ...boundCalls(calls, earlierCalls),
  };
}

export function applyRunChanges(copy: RunCopy, changes: readonly RunChange[]): RunCopy {
  return changes.reduce(applyOne, copy);
}

function applyOne(copy: RunCopy, change: RunChange): RunCopy {
  switch (change.type) {
    case "head":
      return { ...copy, head: { ...copy.head, ...change.value } };
    case "output":
      return { ...copy, output: copy.output.concat(change.items) };
    case "calls": {
      const changed = new Map(change.calls.map((each) => [each.callId, each]));
      const calls = copy.calls.map((each) => {
        const next = changed.get(each.callId);
        changed.delete(each.callId);
        return next ?? each;
      });
      return { ...copy, ...boundCalls([...calls, ...changed.values()], copy.earlierCalls) };
    }
    default:
      throw new Error(`A change of a type that is not known: ${JSON.stringify(change satisfies never)}`);
  }
}

function boundCalls(
  calls: readonly RunCall[],
  earlierCalls: number,
): Pick<RunCopy, "calls" | "earlierCalls"> {
  let left = calls.length - mostCalls;
  if (left <= 0) return { calls, earlierCalls };
  const kept = calls.filter((each) => {
    if (left <= 0 || each.state === "pending") return true;
    left -= 1;
    return false;
  });
  return { calls: kept, earlierCalls: earlierCalls + calls.length - kept.length };
}

/** Puts earlier output before what is held. The same copy: it does not belong there (any more). */
export function withEarlierOutput(
  copy: RunCopy,
  { items, from }: { items: readonly RunOutputItem[]; from: number },
): RunCopy {
  if (items.length === 0 || from + items.length !== copy.earlierOutput) return copy;
  return { ...copy, output: items.concat(copy.output), earlierOutput: from };
}

/** Shows this run, or none. */
export function showRun(runId: string | null): void {
  const { shown } = runStore.getState();
  if (shown.phase === "none" ? runId === null : shown.runId === runId && shown.phase !== "failed") return;
  subscription?.close();
  subscription = null;
  if (runId === null) {
    put({ phase: "none" });
    return;
  }
  put({ phase: "loading", runId, fault: null });
  subscription = connection.subscribe(
    { topic: "run", runId },
    {
      snapshot(snapshot) {
        const { shown: now } = runStore.getState();
        const held = now.phase === "shown" && now.runId === runId ? now.copy : null;
        put({ phase: "shown", runId, copy: runCopyOf(snapshot, held), stale: false });
      },
      changes(list) {
        const { shown: now } = runStore.getState();
        if (now.phase !== "shown" || now.runId !== runId) return;
        put({ ...now, copy: applyRunChanges(now.copy, list) });
      },
      failed(fault, retrying) {
        const { shown: now } = runStore.getState();
        // One that was forgotten has nothing left that could be shown.
        if (now.phase === "shown" && now.runId === runId && fault.code !== "run_unknown") {
          put({ ...now, stale: true });
        } else put(retrying ? { phase: "loading", runId, fault } : { phase: "failed", runId, fault });
      },
    },
  );
}

/** Asks main for the run again after it could not be shown. */
export function retryRun(): void {
  const { shown } = runStore.getState();
  if (shown.phase !== "failed") return;
  put({ phase: "loading", runId: shown.runId, fault: null });
  subscription?.retry();
}

/** Fetches the part of the output before what is held. Rejects with CallFault. */
export async function loadEarlierOutput(): Promise<void> {
  const { shown } = runStore.getState();
  if (shown.phase !== "shown" || shown.copy.earlierOutput === 0) return;
  const { runId } = shown;
  const earlier = await call("cells.earlierOutput", { runId, before: shown.copy.earlierOutput });
  const { shown: now } = runStore.getState();
  if (now.phase === "shown" && now.runId === runId) {
    put({ ...now, copy: withEarlierOutput(now.copy, earlier) });
  }
}

/** The copy as it is now, for an event handler. Null when no run is shown. */
export function shownRun(): RunCopy | null {
  const { shown } = runStore.getState();
  return shown.phase === "shown" ? shown.copy : null;
}

function copyOf(store: RunStore): RunCopy {
  if (store.shown.phase !== "shown") throw new Error("No run is shown here");
  return store.shown.copy;
}

// The hooks below are for components inside a shown run; elsewhere they throw, which the pane's error boundary shows.

/** A value out of the copy, compared by identity. Select something narrow. */
export function useRun<Value>(selector: (copy: RunCopy) => Value): Value {
  return runStore((store) => selector(copyOf(store)));
}
