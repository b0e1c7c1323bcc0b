// What a page has asked main for, by what was asked. It is asked for when somebody looks, and what is known stays on the screen
// while it is asked for again, and when that fails.
//
// Races settled here:
// - It is asked for while the same is under way: once more after that, since the answer under way may be older than the reason
//   to ask.
// - The page has gone when the answer comes: it is kept for the next look.

import { useEffect } from "react";
import { create } from "zustand";
import type { FaultView } from "../../preload/contract/fault";
import { faultOf } from "../state/callFault";

export interface Loaded<Value> {
  value: Value | null;
  /** Why the last time that it was asked for failed. */
  fault: FaultView | null;
  loading: boolean;
}

const nothing: Loaded<never> = { value: null, fault: null, loading: false };
/** So many answers are kept; the oldest goes first. */
const mostKept = 200;

export const loadedStore = create<{ byKey: ReadonlyMap<string, Loaded<unknown>> }>(() => ({
  byKey: new Map(),
}));
const again = new Map<string, () => Promise<unknown>>();

function put(key: string, change: Partial<Loaded<unknown>>): void {
  loadedStore.setState(({ byKey }) => {
    const next = new Map(byKey);
    const known = next.get(key) ?? nothing;
    next.delete(key);
    next.set(key, { ...known, ...change });
    for (const [oldest, { loading }] of next) {
      if (next.size <= mostKept) break;
      if (!loading) next.delete(oldest);
    }
    return { byKey: next };
  });
}

/** Asks now, or once more when what is under way has ended. Resolves when nothing is under way any more. */
export async function load(key: string, ask: () => Promise<unknown>): Promise<void> {
  if (loadedStore.getState().byKey.get(key)?.loading) {
    again.set(key, ask);
    return;
  }
  let next: (() => Promise<unknown>) | undefined = ask;
  while (next) {
    put(key, { loading: true });
    try {
      put(key, { value: await next(), fault: null });
    } catch (error) {
      put(key, { fault: faultOf(error) });
    }
    next = again.get(key);
    again.delete(key);
  }
  put(key, { loading: false });
}

/** What is known of it, whoever asks for it. */
export function useKnown<Value>(key: string): Loaded<Value> {
  return loadedStore(({ byKey }) => byKey.get(key) ?? nothing) as Loaded<Value>;
}

/** Asked for when it is shown, and again whenever `news` is another. `ask` is of `key`: another one needs another key. */
export function useLoaded<Value>(
  key: string,
  ask: () => Promise<Value>,
  news: string | number = 0,
): Loaded<Value> & { reload(): void } {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked follows from the key, and news is a reason to ask.
  useEffect(() => {
    void load(key, ask);
  }, [key, news]);
  return { ...useKnown<Value>(key), reload: () => void load(key, ask) };
}
