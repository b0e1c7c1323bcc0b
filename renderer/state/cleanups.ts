// Trying what is owed again by hand: one of it, all of a workspace before something that was refused is done after all,
// or everything there is.

import type { CleanupView } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";
import { faultOf } from "./callFault";
import { call } from "./connection";
import { send } from "./signals";
import { attempt, toast } from "./toasts";

export function showCleanup(): void {
  send("show-cleanup");
}

/** Tries all that is owed in a workspace; does what was refused for it, `goOn`, once nothing of it is left. */
export async function retryCleanup(workspaceId: string, goOn: () => unknown): Promise<void> {
  const answer = await attempt(call("cleanups.retryAll", { workspaceId }));
  if (!answer) return;
  if (answer.left === 0) {
    await goOn();
    return;
  }
  toast(answer.left === 1 ? "One cleanup is still owed." : `${answer.left} cleanups are still owed.`, {
    tone: "warning",
    hint: "The Cleanup tab says why. It is tried again by itself, too.",
    actions: [{ label: "Show cleanup", run: showCleanup }],
  });
}

/** Tries everything, one call a workspace; gives the first of what could not even be asked for. */
export async function retryEverything(cleanups: readonly CleanupView[]): Promise<FaultView | null> {
  const workspaces = new Set(cleanups.flatMap(({ workspaceId }) => workspaceId ?? []));
  const alone = cleanups.filter(({ workspaceId }) => workspaceId === null);
  const asked = await Promise.allSettled([
    ...[...workspaces].map((workspaceId) => call("cleanups.retryAll", { workspaceId })),
    ...alone.map(({ id }) => call("cleanups.retry", { id })),
  ]);
  const failed = asked.find((each) => each.status === "rejected");
  return failed ? faultOf(failed.reason) : null;
}
