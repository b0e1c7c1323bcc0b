// What states and settings are called in the window. One home, so that the list, the head and the palette agree.

import type { SessionView, ThreadRow, WorkspaceView } from "../../preload/contract/app";
import type { RunState } from "../../preload/contract/cells";
import type { ThreadSettings, ThreadState } from "../../preload/contract/thread";
import type { DotTone } from "../ui/StatusDot";
import { isCleanupPending } from "./cleanupPending";

export interface StateLook {
  tone: DotTone;
  /** Instead of the age, where the state is what matters about a thread. */
  brief: string | null;
}

const looks: Record<ThreadState, StateLook> = {
  running: { tone: "busy", brief: "running" },
  "waiting for approval": { tone: "warn", brief: "approve" },
  "waiting for answer": { tone: "warn", brief: "answer" },
  idle: { tone: "idle", brief: null },
  "not loaded": { tone: "hollow", brief: null },
  interrupted: { tone: "hollow", brief: "interrupted" },
  failed: { tone: "bad", brief: "failed" },
};

/**
 * Green means: has ended and was not looked at yet. What the person has stopped looks the same while it is loaded and after
 * it: codex keeps no word of it, and they know. What was cut off is another matter.
 */
export function lookOf({
  state: told,
  unread,
  cutOff,
}: Pick<ThreadRow, "state" | "unread" | "cutOff">): StateLook {
  const state = told === "interrupted" && cutOff === undefined ? "not loaded" : told;
  if (unread && (state === "idle" || state === "not loaded")) return { tone: "ok", brief: null };
  return looks[state];
}

/** For a run of a script; the word is its state as it is. */
export const runTones: Record<RunState, DotTone> = {
  running: "busy",
  "waiting for answer": "warn",
  ending: "busy",
  completed: "ok",
  failed: "bad",
  stopped: "hollow",
  "cut off": "warn",
};

/** It has not come to its end yet. */
export function isUnderWay(state: RunState): boolean {
  return state === "running" || state === "waiting for answer" || state === "ending";
}

export const sandboxWords: Record<NonNullable<ThreadSettings["sandbox"]>, string> = {
  "read-only": "read only",
  "workspace-write": "workspace write",
  "danger-full-access": "full access",
};

export const approvalWords: Record<NonNullable<ThreadSettings["approvalPolicy"]>, string> = {
  untrusted: "unless trusted",
  "on-request": "on request",
  never: "never asks",
};

export interface SessionLook {
  tone: DotTone;
  word: string;
}

export function sessionLook(session: SessionView): SessionLook {
  switch (session.state) {
    case "stopped":
      return { tone: "hollow", word: "not running; starts when needed" };
    case "starting":
      return { tone: "busy", word: "starting codex" };
    case "connected":
      return {
        tone: "ok",
        word: `connected · codex ${session.codexVersion}${session.endsWithApp ? " · ends with the app" : ""}`,
      };
    case "reconnecting":
      return { tone: "warn", word: `reconnecting · attempt ${session.attempt}` };
    case "disconnected":
      return {
        tone: "bad",
        word: isCleanupPending(session.fault) ? "disconnected · cleanup pending" : "disconnected",
      };
    case "closing":
      return { tone: "busy", word: "closing codex" };
    default: {
      const unknown: never = session;
      return unknown;
    }
  }
}

/** "fix/limiter-burst", "worktree of main", or nothing for a folder without git. */
export function branchOf(workspace: WorkspaceView): string | null {
  return workspace.git?.branch ?? (workspace.git ? "detached" : null);
}

/** There is a repository, and it is no part of the demo. */
export function canHaveWorktrees(workspace: WorkspaceView | null): boolean {
  return workspace !== null && workspace.git !== null && !workspace.demo && !workspace.gone;
}

/** A path as people write it: the home folder as "~". */
export function shortPath(path: string, home: string): string {
  if (home !== "" && (path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`))) {
    return `~${path.slice(home.length)}`;
  }
  return path;
}

/** A thread in one of these would be cut off if its codex ended. */
export const busyStates: ReadonlySet<string> = new Set([
  "running",
  "waiting for approval",
  "waiting for answer",
]);

export function oneLine(command: string): string {
  return command.trim().replace(/\s+/g, " ");
}

const mostNamed = 3;
const mostCommandUnits = 80;

/** What becomes of commands that agents have left running when their codex ends them. Null: there are none. */
export function leftRunningWords(commands: readonly string[] | undefined): string | null {
  if (commands === undefined || commands.length === 0) return null;
  const named = commands.slice(0, mostNamed).map((command) => {
    const line = oneLine(command);
    return `“${line.length > mostCommandUnits ? `${line.slice(0, mostCommandUnits - 1)}…` : line}”`;
  });
  const more = commands.length - named.length;
  const list = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return commands.length === 1
    ? `A command that still runs is ended: ${list}.`
    : `Commands that still run are ended: ${list}.`;
}
