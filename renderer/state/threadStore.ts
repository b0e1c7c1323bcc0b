// The thread that this window shows. Components select narrow values: the list of ids, one item, one field of the head.
//
// Races, and what settles each:
// - Someone goes quickly from thread to thread: `show` ends the subscription of the one before first, so its late
//   snapshot reaches nobody (see subscription.ts), and empties the store, so that nothing typed or clicked meanwhile can
//   land in the wrong thread.
// - The thread gets its real id while it is shown under a provisional key: the key stays; only `head.threadId` changes.

import { create } from "zustand";
import type { FaultView } from "../../preload/contract/fault";
import type { Item } from "../../preload/contract/items";
import type { ThreadHead, TurnView } from "../../preload/contract/thread";
import { connection } from "./connection";
import { applyThreadChanges, type ThreadCopy, threadCopyOf } from "./threadCopy";

export type ThreadShown =
  | { phase: "none" }
  | { phase: "loading"; key: string; fault: FaultView | null }
  /** `stale`: the connection to main is gone; what is shown is the last that was known. */
  | { phase: "shown"; key: string; copy: ThreadCopy; stale: boolean }
  | { phase: "failed"; key: string; fault: FaultView };

interface ThreadStore {
  shown: ThreadShown;
}

export const threadStore = create<ThreadStore>(() => ({ shown: { phase: "none" } }));

let subscription: { close(): void; retry(): void } | null = null;

function put(shown: ThreadShown): void {
  threadStore.setState({ shown });
}

/** A thread that was named while it is shown is the same one under both its keys. */
function isShown(shown: ThreadShown, key: string | null): boolean {
  switch (shown.phase) {
    case "none":
      return key === null;
    case "loading":
      return shown.key === key;
    case "shown":
      return shown.key === key || (key !== null && shown.copy.head.threadId === key);
    case "failed":
      return false;
    default: {
      const unknown: never = shown;
      return unknown;
    }
  }
}

/** Shows the thread with this key (a thread id or a provisional key), or none. */
export function showThread(key: string | null): void {
  const { shown } = threadStore.getState();
  if (isShown(shown, key)) return;
  subscription?.close();
  subscription = null;
  if (key === null) {
    put({ phase: "none" });
    return;
  }
  put({ phase: "loading", key, fault: null });
  subscription = connection.subscribe(
    { topic: "thread", key },
    {
      snapshot: (snapshot) => put({ phase: "shown", key, copy: threadCopyOf(snapshot), stale: false }),
      changes(list) {
        const { shown: now } = threadStore.getState();
        if (now.phase !== "shown" || now.key !== key) return;
        put({ ...now, copy: applyThreadChanges(now.copy, list) });
      },
      failed(fault, retrying) {
        const { shown: now } = threadStore.getState();
        if (now.phase === "shown" && now.key === key) put({ ...now, stale: true });
        else put(retrying ? { phase: "loading", key, fault } : { phase: "failed", key, fault });
      },
    },
  );
}

/** Asks main for the thread again after it could not be shown. */
export function retryThread(): void {
  const { shown } = threadStore.getState();
  if (shown.phase !== "failed") return;
  put({ phase: "loading", key: shown.key, fault: null });
  subscription?.retry();
}

function copyOf(store: ThreadStore): ThreadCopy {
  if (store.shown.phase !== "shown") throw new Error("No thread is shown here");
  return store.shown.copy;
}

// The hooks below are for components inside a shown thread; elsewhere they throw, which the pane's error boundary shows.

/** A value out of the head. Select something narrow, or a field as it is: what the selector returns is compared by identity. */
export function useHead<Value>(selector: (head: ThreadHead) => Value): Value {
  return threadStore((store) => selector(copyOf(store).head));
}

/** What the thread is called in every call about it. */
export function useThreadKey(): string {
  return threadStore((store) => copyOf(store).head.key);
}

/** Undefined for an id that has just been removed. */
export function useItem(id: string): Item | undefined {
  return threadStore((store) => copyOf(store).byId[id]);
}

export function useTurn(id: string): TurnView | undefined {
  return threadStore((store) => copyOf(store).turnById[id]);
}

/** A value out of the whole copy, compared by identity. For lists over all items; prefer the narrow hooks. */
export function useThread<Value>(selector: (copy: ThreadCopy) => Value): Value {
  return threadStore((store) => selector(copyOf(store)));
}

/** The copy as it is now, for an event handler. Null when no thread is shown. */
export function shownCopy(): ThreadCopy | null {
  const { shown } = threadStore.getState();
  return shown.phase === "shown" ? shown.copy : null;
}
