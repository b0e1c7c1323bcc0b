// What every window knows. The panes are drawn once the first snapshot is here; the hooks for them are below.

import { create } from "zustand";
import type { AppState, ThreadRow, WorkspaceView } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";
import { type AppCopy, appCopyOf, applyAppChanges, type Rows } from "./appCopy";
import { connection } from "./connection";

export type AppShown =
  | { phase: "connecting" }
  | { phase: "failed"; fault: FaultView; retrying: boolean }
  | { phase: "shown"; copy: AppCopy };

interface AppStore {
  shown: AppShown;
  /** Why this window does not hear from main at the moment, while it still shows what it last knew. */
  detached: FaultView | null;
}

export const appStore = create<AppStore>(() => ({ shown: { phase: "connecting" }, detached: null }));

let subscription: { close(): void; retry(): void } | null = null;

export function startApp(): void {
  subscription ??= connection.subscribe(
    { topic: "app" },
    {
      snapshot(snapshot) {
        const { shown } = appStore.getState();
        const places = shown.phase === "shown" ? shown.copy.places + 1 : 0;
        appStore.setState({ shown: { phase: "shown", copy: appCopyOf(snapshot, places) }, detached: null });
      },
      changes(list) {
        const { shown } = appStore.getState();
        if (shown.phase !== "shown") return;
        appStore.setState({ shown: { phase: "shown", copy: applyAppChanges(shown.copy, list) } });
      },
      failed(fault, retrying) {
        const { shown } = appStore.getState();
        if (shown.phase === "shown") appStore.setState({ detached: fault });
        else appStore.setState({ shown: { phase: "failed", fault, retrying } });
      },
    },
  );
}

export function retryApp(): void {
  appStore.setState({ shown: { phase: "connecting" } });
  subscription?.retry();
}

function copyOf(store: AppStore): AppCopy {
  if (store.shown.phase !== "shown") throw new Error("The app's state is not known yet");
  return store.shown.copy;
}

/** A value out of the app's state. Select something narrow: what the selector returns is compared by identity. */
export function useApp<Value>(selector: (app: AppState) => Value): Value {
  return appStore((store) => selector(copyOf(store).app));
}

export function useThreadRow(threadId: string | null): ThreadRow | undefined {
  return appStore((store) => (threadId === null ? undefined : copyOf(store).rows.get(threadId)));
}

/** A value out of all rows, compared by identity: return something primitive, or a row as it is. */
export function useRows<Value>(selector: (rows: Rows) => Value): Value {
  return appStore((store) => selector(copyOf(store).rows));
}

export function useWorkspace(workspaceId: string | null): WorkspaceView | undefined {
  return appStore((store) => copyOf(store).app.workspaces.find((each) => each.id === workspaceId));
}

/** The copy as it is now, for an event handler. Null before the first snapshot. */
export function appCopy(): AppCopy | null {
  const { shown } = appStore.getState();
  return shown.phase === "shown" ? shown.copy : null;
}
