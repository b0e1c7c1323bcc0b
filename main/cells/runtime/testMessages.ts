// For tests: what a cell's thread says, and the ways to wait for it.

import type { ObserveMode } from "./cellEvents";
import type { FromWorker } from "./workerMessages";

export const second: ObserveMode = { type: "yieldAfter", delayMs: 1_000 };
export const frontier: ObserveMode = { type: "pendingFrontier" };

export const busy: FromWorker = { type: "busy", spentMs: 0 };

export function done(stored: Record<string, string> = {}): FromWorker {
  return { type: "done", error: null, stored: new Map(Object.entries(stored)) };
}

export function idle(answers: number, waitsFor: "answer" | "timer" = "answer"): FromWorker {
  return { type: "idle", spentMs: 1, answers, waitsFor };
}

export function text(text: string): FromWorker {
  return { type: "output", items: [{ type: "text", text }] };
}

export function call(id: number): FromWorker {
  return { type: "call", id, name: "ask", args: JSON.stringify({ question: `q${id}` }) };
}

export function item(text: string) {
  return { type: "text", text };
}
