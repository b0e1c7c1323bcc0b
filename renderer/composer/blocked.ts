// Why nothing can be sent in a thread at the moment, in words. Typing goes on all the same. Pure.

import type { AppState, WorkspaceView } from "../../preload/contract/app";
import type { ThreadHead } from "../../preload/contract/thread";

export interface Blocked {
  reason: string;
  hint: string | null;
  /** What would help. */
  remedy: "unarchive" | "locate" | "reload" | null;
}

export function blockedBy(
  head: Pick<ThreadHead, "archived" | "fault" | "demo">,
  workspace: Pick<WorkspaceView, "gone"> | undefined,
  app: { codex: AppState["codex"]["state"]; signedOut: boolean },
  stale: boolean,
): Blocked | null {
  if (stale) return { reason: "This window has no connection to Holdfast.", hint: null, remedy: null };
  if (head.archived) return { reason: "This thread is archived.", hint: null, remedy: "unarchive" };
  if (workspace?.gone) {
    return { reason: "The folder of this workspace is not where it was.", hint: null, remedy: "locate" };
  }
  if (head.fault) {
    return { reason: head.fault.message, hint: head.fault.hint ?? null, remedy: "reload" };
  }
  if (app.codex === "missing") return { reason: "codex was not found.", hint: null, remedy: null };
  if (app.signedOut && !head.demo) {
    return { reason: "codex has no account yet.", hint: null, remedy: null };
  }
  return null;
}
