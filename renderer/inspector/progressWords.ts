// What the Progress tab says, out of the head and the last turn. Pure.

import type { PlanStep } from "../../preload/contract/items";
import type { McpServerView, ThreadHead, TokenUsage, TurnView } from "../../preload/contract/thread";
import { between } from "../conversation/time/durations";
import { type Ending, endingWords } from "../conversation/turnEnding";
import type { DotTone } from "../ui/StatusDot";

export const stepWords: Record<PlanStep["status"], string> = {
  completed: "Done",
  inProgress: "Now",
  pending: "Pending",
};

export function doneOf(steps: readonly PlanStep[]): number {
  return steps.filter((step) => step.status === "completed").length;
}

export interface TurnLook {
  tone: DotTone;
  word: string;
}

const stateLooks: Partial<Record<ThreadHead["state"], TurnLook>> = {
  "waiting for approval": { tone: "warn", word: "Waits for your approval" },
  "waiting for answer": { tone: "warn", word: "Waits for your answer" },
};

const endLooks: Record<Ending | "running", TurnLook> = {
  running: { tone: "busy", word: "Running" },
  completed: { tone: "ok", word: "Completed" },
  interrupted: { tone: "hollow", word: "Interrupted" },
  failed: { tone: "bad", word: "Failed" },
  unknown: { tone: "hollow", word: endingWords.unknown },
};

/** How the turn is that goes on, or how the last one ended; null before the first. */
export function turnLook(
  state: ThreadHead["state"],
  run: { stopping: boolean; retrying: boolean } | null,
  ended: Ending | "running" | null,
): TurnLook | null {
  if (run === null) return ended === null ? null : endLooks[ended];
  if (run.stopping) return { tone: "busy", word: "Stopping" };
  const waits = stateLooks[state];
  if (waits) return waits;
  return run.retrying ? { tone: "warn", word: "Held up" } : endLooks.running;
}

const yourTurn: ReadonlySet<string> = new Set(["your approval", "your answer"]);

/** What the turn waits for that its state does not say yet. */
export function otherWaits(state: ThreadHead["state"], waitingFor: readonly string[]): string[] {
  return stateLooks[state] ? waitingFor.filter((each) => !yourTurn.has(each)) : [...waitingFor];
}

/** How long a turn took that has ended; null when that is not known. */
export function tookMs(turn: TurnView): number | null {
  return turn.durationMs ?? between(turn.startedAtMs, turn.completedAtMs);
}

/** What fills the context: tokens of the last request. There is no fill level without a known window. */
export type ContextFill =
  | { kind: "of window"; tokens: number; window: number; percent: number; level: "calm" | "high" | "full" }
  | { kind: "tokens only"; tokens: number };

export function contextFill(usage: TokenUsage): ContextFill {
  const { lastTokens, contextWindow } = usage;
  if (contextWindow === null || contextWindow <= 0) return { kind: "tokens only", tokens: lastTokens };
  const percent = Math.min(100, Math.round((lastTokens / contextWindow) * 100));
  const level = percent >= 95 ? "full" : percent >= 80 ? "high" : "calm";
  return { kind: "of window", tokens: lastTokens, window: contextWindow, percent, level };
}

export const serverLooks: Record<McpServerView["state"], TurnLook> = {
  starting: { tone: "busy", word: "starting" },
  ready: { tone: "ok", word: "ready" },
  failed: { tone: "bad", word: "failed" },
  cancelled: { tone: "hollow", word: "cancelled" },
  "needs login": { tone: "warn", word: "needs login" },
};

export type ServerAction = "sign in" | "reconnect";

/** What can be done about a server that does not work; the first is the one to start with. */
export function serverActions(state: McpServerView["state"]): readonly ServerAction[] {
  switch (state) {
    case "needs login":
      return ["sign in", "reconnect"];
    case "failed":
      return ["reconnect"];
    case "starting":
    case "ready":
    case "cancelled":
      return [];
    default: {
      const unknown: never = state;
      return unknown;
    }
  }
}

const longestPlainError = 90;

/** An error that is more than a short line shows its first one, and the rest on demand. */
export function needsFold(error: string): boolean {
  const text = error.trim();
  return text.length > longestPlainError || text.includes("\n");
}
