// Short messages about something that was just asked for and did not work, or did. A fault that belongs to a place in
// the window is shown in that place instead; this is for what has none.

import { create } from "zustand";
import type { FaultView } from "../../preload/contract/fault";
import { faultOf } from "./callFault";
import { isCleanupPending } from "./cleanupPending";
import { send } from "./signals";

export interface ToastAction {
  label: string;
  run(): void;
}

export interface Toast {
  id: number;
  tone: "info" | "ok" | "warning" | "error";
  text: string;
  hint: string | null;
  detail: string | null;
  actions: readonly ToastAction[];
  /** How long it stays, if not as long as its tone is shown. */
  shownMs: number | null;
}

const most = 4;
let lastId = 0;

export const toastStore = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }));

export function toast(text: string, options: Partial<Omit<Toast, "id" | "text">> = {}): number {
  lastId += 1;
  const added: Toast = {
    id: lastId,
    tone: "info",
    hint: null,
    detail: null,
    actions: [],
    shownMs: null,
    ...options,
    text,
  };
  toastStore.setState(({ toasts }) => ({
    // The same words twice say nothing new: the newer one takes the place of the older.
    toasts: [...toasts.filter((each) => each.text !== text || each.tone !== added.tone), added].slice(-most),
  }));
  return added.id;
}

export function dismissToast(id: number): void {
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) }));
}

/** What is in the way of a refused start can be seen from wherever it was refused. */
function usualActions(fault: FaultView): readonly ToastAction[] {
  return isCleanupPending(fault) ? [{ label: "Show cleanup", run: () => send("show-cleanup") }] : [];
}

/** `actions` come before the usual ones for such a fault. */
export function showFault(fault: FaultView, actions: readonly ToastAction[] = []): void {
  // A refused start is said in its place as well, and what is in its way is shown: no need to stay until it is dismissed.
  const tone = isCleanupPending(fault) ? "warning" : "error";
  toast(fault.message, {
    tone,
    hint: fault.hint ?? null,
    detail: fault.detail ?? null,
    actions: [...actions, ...usualActions(fault)],
  });
}

/**
 * Waits for something that the person asked for and shows it when it fails. Resolves with the value, or with undefined
 * after a failure: for event handlers, which have nobody to throw to.
 */
export async function attempt<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    showFault(faultOf(error));
    return undefined;
  }
}
