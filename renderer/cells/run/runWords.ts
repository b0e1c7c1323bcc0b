// What the view of a run says. Pure.

import type { RunCall, RunError, RunHead, RunState } from "../../../preload/contract/cells";
import { count, durationWords } from "../../conversation/time/durations";
import type { DotTone } from "../../ui/StatusDot";

/** What a call waits for, as one counts it: "3 turns". */
const waitedFor: Record<string, { one: string; many?: string }> = {
  waitForTurn: { one: "turn" },
  ask: { one: "answer" },
  startThread: { one: "thread to start", many: "threads to start" },
  sendMessage: { one: "message to leave", many: "messages to leave" },
  queueFollowUp: { one: "follow-up to be queued", many: "follow-ups to be queued" },
  runCommand: { one: "command" },
  interrupt: { one: "turn to stop", many: "turns to stop" },
  createWorktree: { one: "worktree" },
};

/** "3 turns, 1 answer"; null: nothing is pending. */
export function waitingFor(calls: readonly RunCall[]): string | null {
  const amounts = new Map<string, number>();
  for (const { state, tool } of calls) {
    if (state !== "pending") continue;
    const kind = Object.hasOwn(waitedFor, tool) ? tool : "";
    amounts.set(kind, (amounts.get(kind) ?? 0) + 1);
  }
  if (amounts.size === 0) return null;
  return [...amounts]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, amount]) => {
      const { one, many } = waitedFor[kind] ?? { one: "call" };
      return count(amount, one, many);
    })
    .join(", ");
}

/** What was asked for, as people say it. An unknown one by its own name. */
const toolWords: Record<string, string> = {
  listThreads: "List threads",
  startThread: "Start a thread",
  sendMessage: "Send a message",
  queueFollowUp: "Queue a follow-up",
  waitForTurn: "Wait for a turn",
  readThread: "Read a thread",
  interrupt: "Stop a turn",
  runCommand: "Run a command",
  createWorktree: "Make a worktree",
  ask: "Ask you",
};

export function toolName(tool: string): string {
  return Object.hasOwn(toolWords, tool) ? (toolWords[tool] ?? tool) : tool;
}

interface CallLook {
  tone: DotTone;
  /** Null: the mark says enough, and how long it took stands beside it. */
  word: string | null;
}

export const callLooks: Record<RunCall["state"], CallLook> = {
  pending: { tone: "busy", word: "pending" },
  done: { tone: "ok", word: null },
  failed: { tone: "bad", word: "failed" },
  "cut off": { tone: "hollow", word: "cut off" },
};

/** What a call is called for those who do not see it. */
export function callName({ tool, summary, state, error }: RunCall): string {
  const about = summary === "" ? "" : `: ${summary}`;
  const why = error === null ? "" : `, ${error}`;
  return `${toolName(tool)}${about}, ${state}${why}`;
}

/** "took 14 s"; null while it runs, when seconds are counted. */
export function tookWords({ startedAtMs, endedAtMs }: Pick<RunHead, "startedAtMs" | "endedAtMs">) {
  return endedAtMs === null ? null : `took ${durationWords(endedAtMs - startedAtMs)}`;
}

/** "9m ago", "Tue" */
export function agoWords(age: string): string {
  if (age === "now") return "just now";
  return /^\d+[mh]$/.test(age) ? `${age} ago` : age;
}

export interface ErrorWords {
  text: string;
  /** The rest of what the engine said, folded away: where it came from. */
  trace: string | null;
  /** The line of the script that it is about. */
  line: { number: number; column: number; source: string } | null;
}

/** The message apart from its trace, and the line that it points at. */
export function errorWords({ text, at }: RunError, source: string): ErrorWords {
  const lines = text.split("\n");
  const firstOfTrace = lines.findIndex((line) => /^\s+at /.test(line));
  const message = firstOfTrace < 1 ? text : lines.slice(0, firstOfTrace).join("\n");
  const sourceLine = at === null ? undefined : source.split("\n")[at.line - 1];
  return {
    text: message.trimEnd(),
    trace: firstOfTrace < 1 ? null : lines.slice(firstOfTrace).join("\n").trimEnd(),
    line:
      at === null
        ? null
        : { number: at.line, column: at.column, source: sourceLine?.trim().slice(0, 300) ?? "" },
  };
}

/** What an output says that has nothing in it. */
export function emptyWords(state: RunState): { title: string; text: string } {
  switch (state) {
    case "running":
    case "waiting for answer":
    case "ending":
      return {
        title: "Nothing written yet",
        text: "What the script writes with text(…) appears here as it comes.",
      };
    case "completed":
    case "failed":
    case "stopped":
    case "cut off":
      return {
        title: "It has written nothing",
        text: "A script writes with text(…), image(…) and notify(…).",
      };
    default:
      return state satisfies never;
  }
}
