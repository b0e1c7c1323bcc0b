// What runs of scripts have done to threads, as threads see it: they show it as done by that run, and know nothing else of
// scripts.

import { type RunRef, runRefSchema } from "../../preload/contract/cells";
import { recordOf, wordsOrNull } from "./loose";

export interface ThreadRunMarks {
  /** The run that has sent the message with this client id; null: none has. */
  byMessage(clientId: string): RunRef | null;
  /** The run that has started this thread, by its id or its provisional key. */
  byThread(threadKey: string): RunRef | null;
  /** The run sends a message with this client id: to be called before it is handed over. */
  message(runId: string, clientId: string): void;
  /** codex has made the thread of this key. */
  threadNamed(threadKey: string, threadId: string): void;
}

/** `item` as codex gives it, a message of a run with that run. */
export function withRun<Given>(item: Given, runOf: (clientId: string) => RunRef | null): Given {
  const { type, clientId } = recordOf(item);
  const id = wordsOrNull(clientId);
  if (type !== "userMessage" || id === null) return item;
  const byRun = runOf(id);
  return byRun === null ? item : { ...item, byRun };
}

/** The run of an item that went through `withRun`. */
export function runIn(item: Readonly<Record<string, unknown>>): RunRef | null {
  return item.byRun === undefined ? null : (runRefSchema.safeParse(item.byRun).data ?? null);
}
