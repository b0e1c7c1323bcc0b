// Why nothing can be sent in a thread at the moment, in words. Typing goes on all the same. Pure.

import type { AppState, WorkspaceView } from "../../preload/contract/app";
import type { ThreadHead } from "../../preload/contract/thread";

export interface Blocked {
  reason: string;
  /** What would help, where nothing above the field offers it. */
  remedy: "unarchive" | "locate" | null;
  /** The reason is said right above the field already, with what can be done. */
  saidAbove: boolean;
}

export function blockedBy(
  head: Pick<ThreadHead, "archived" | "fault" | "demo">,
  workspace: Pick<WorkspaceView, "gone"> | undefined,
  app: { codex: AppState["codex"]["state"]; signedOut: boolean },
  stale: boolean,
): Blocked | null {
  if (stale) return plain("This window has no connection to Holdfast.");
  if (head.fault) return { reason: head.fault.message, remedy: null, saidAbove: true };
  if (head.archived) return plain("This thread is archived.", "unarchive");
  if (workspace?.gone) return plain("The folder of this workspace is not where it was.", "locate");
  if (app.codex === "missing") return plain("codex was not found.");
  if (app.signedOut && !head.demo) return plain("codex has no account yet.");
  return null;
}

function plain(reason: string, remedy: Blocked["remedy"] = null): Blocked {
  return { reason, remedy, saidAbove: false };
}
