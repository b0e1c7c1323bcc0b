// How it stands with a thread that is to begin in a worktree, in words. Pure.

import type { SetupEndingView, WorktreeStartView } from "../../../preload/contract/worktrees";
import { afterWords } from "../../conversation/time/durations";
import type { DotTone } from "../../ui/StatusDot";

/** For the list: a word or two. */
export function startBrief({ state }: WorktreeStartView): { tone: DotTone; words: string } {
  switch (state.phase) {
    case "making":
      return { tone: "busy", words: "making worktree" };
    case "setting up":
      return { tone: "busy", words: "setting up" };
    case "stopped":
      return { tone: "warn", words: endingBrief(state.ending) };
    case "starting":
      return { tone: "busy", words: "starting" };
    case "returned":
      return { tone: "hollow", words: "taken back" };
    default: {
      const unknown: never = state;
      return unknown;
    }
  }
}

function endingBrief({ how }: SetupEndingView): string {
  switch (how) {
    case "cut off":
      return "set-up cut off";
    case "stopped":
    case "folder gone":
      return "set-up stopped";
    case "not started":
    case "failed":
      return "set-up failed";
    case "done":
      return "set up";
    default: {
      const unknown: never = how;
      return unknown;
    }
  }
}

export function startTitle({ title, hasMessage }: Pick<WorktreeStartView, "title" | "hasMessage">): string {
  return title || (hasMessage ? "New thread" : "New worktree");
}

/** To go on without a set-up that has succeeded. */
export function anywayWords({ hasMessage }: Pick<WorktreeStartView, "hasMessage">): string {
  return hasMessage ? "Start the thread anyway" : "Use it as it is";
}

/** What becomes of the worktree when its message is taken back. */
export function leftWords({ branch, state }: Pick<WorktreeStartView, "branch" | "state">): string {
  return state.phase === "making"
    ? `If the worktree ${branch} is still made, it stays in the list of workspaces; it can be removed there.`
    : `The worktree ${branch} stays, with what its set-up has done in it, until it is removed.`;
}

/** What is said when the set-up has not succeeded. `hasMessage`: a thread waits for it. */
export function endingWords(
  { how, exitCode, signal, durationMs, fault }: SetupEndingView,
  hasMessage: boolean,
): { title: string; hint: string } {
  const after = durationMs === null ? "" : ` ${afterWords(durationMs)}`;
  const goOn = hasMessage
    ? "Run it again, or start the thread without it."
    : "Run it again, or use the worktree as it is.";
  switch (how) {
    case "cut off":
      return {
        title: "The set-up was cut off when Holdfast went away.",
        hint: `It is not run twice by itself. ${goOn}`,
      };
    case "stopped":
      return { title: `You stopped the set-up${after}.`, hint: goOn };
    case "not started":
      return {
        title: fault?.message ?? "The set-up could not be run.",
        hint: [fault?.hint, goOn].filter(Boolean).join(" "),
      };
    case "folder gone":
      return {
        title: `The set-up was stopped${after}: the folder of the worktree is not there any more.`,
        hint: [fault?.hint, goOn].filter(Boolean).join(" "),
      };
    case "failed":
    case "done": {
      const code =
        exitCode === null ? `was ended by ${signal ?? "a signal"}` : `ended with exit code ${exitCode}`;
      return { title: `The set-up ${code}${after}.`, hint: goOn };
    }
    default: {
      const unknown: never = how;
      return unknown;
    }
  }
}
