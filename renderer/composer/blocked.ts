// Why nothing can be sent in a thread at the moment, in words. Typing goes on all the same. Pure.

import type { AgentView, AppState, WorkspaceView } from "../../preload/contract/app";
import type { ThreadHead } from "../../preload/contract/thread";

export interface Blocked {
  reason: string;
  /** What would help, where nothing above the field offers it. */
  remedy: "unarchive" | "locate" | null;
  /** The reason is said right above the field already, with what can be done. */
  saidAbove: boolean;
}

/** `agent`: the thread is another one's agent, and codex says so much of messages for it. */
export function blockedBy(
  head: Pick<ThreadHead, "archived" | "fault" | "demo" | "environment">,
  workspace: Pick<WorkspaceView, "gone"> | undefined,
  app: { codex: AppState["codex"]["state"]; signedOut: boolean },
  stale: boolean,
  agent: Pick<AgentView, "acceptsMessages"> | null = null,
): Blocked | null {
  if (stale) return plain("This window has no connection to Holdfast.");
  // codex loads no archived thread: that is a fault as well, and this is what settles it.
  if (head.archived) return plain("This thread is archived. Unarchive it to write.", "unarchive");
  if (head.fault) return { reason: head.fault.message, remedy: null, saidAbove: true };
  if (head.environment?.name === null) {
    return { reason: "The environment of this thread was removed.", remedy: null, saidAbove: true };
  }
  if (workspace?.gone) return plain("The folder of this workspace is not where it was.", "locate");
  if (app.codex === "missing") return plain("codex was not found.");
  if (app.signedOut && !head.demo) return plain("codex has no account yet.");
  if (agent?.acceptsMessages === false)
    return plain(
      "codex takes no messages for this agent; write to the thread that it works for, which can pass them on.",
    );
  return null;
}

function plain(reason: string, remedy: Blocked["remedy"] = null): Blocked {
  return { reason, remedy, saidAbove: false };
}
