// What is going on on the page of environments at the moment, which nobody keeps.

import { create } from "zustand";
import type { FaultView } from "../../preload/contract/fault";

export type Asked = "check" | "start" | "stop";

interface EnvironmentsStore {
  /** In a page too narrow for it, the list lies over the rest. */
  listOver: boolean;
  /** What was asked for and is not answered yet, by environment. One thing does not keep from another: what hangs is stopped. */
  busy: ReadonlyMap<string, readonly Asked[]>;
  /** Why the last refresh or start of one did not work, until something is asked of it anew. */
  failures: ReadonlyMap<string, { what: string; fault: FaultView }>;
}

export const environmentsStore = create<EnvironmentsStore>(() => ({
  listOver: false,
  busy: new Map(),
  failures: new Map(),
}));

export function isBusy(environmentId: string, what: Asked): boolean {
  return environmentsStore.getState().busy.get(environmentId)?.includes(what) ?? false;
}

export function useIsBusy(environmentId: string, what: Asked): boolean {
  return environmentsStore(({ busy }) => busy.get(environmentId)?.includes(what) ?? false);
}

export function setBusy(environmentId: string, what: Asked, is: boolean): void {
  environmentsStore.setState(({ busy }) => {
    const others = (busy.get(environmentId) ?? []).filter((other) => other !== what);
    const all = is ? [...others, what] : others;
    return { busy: changed(busy, environmentId, all.length === 0 ? null : all) };
  });
}

export function setFailure(environmentId: string, failure: { what: string; fault: FaultView } | null): void {
  environmentsStore.setState(({ failures }) => ({ failures: changed(failures, environmentId, failure) }));
}

function changed<Value>(map: ReadonlyMap<string, Value>, key: string, value: Value | null) {
  const next = new Map(map);
  if (value === null) next.delete(key);
  else next.set(key, value);
  return next;
}
