// For tests of one thread: a thread with a past, and what codex says in it.

import { afterEach, beforeEach } from "vitest";
import { agentItem, codexThread, codexTurn, listed, resumed, userItem } from "./testCodexData";
import { settle, TestThreads } from "./testThreads";

export const T = "thread-1";
export const past = codexTurn("t1", "completed", [userItem("u", "Hello"), agentItem("m", "Hi")]);
export const shown = ["user completed: Hello", "agent completed: Hi"];
export let bench: TestThreads;

/** Each test of the file gets threads of its own, connected to a codex that answers what is asked most. */
export function prepareBench(): void {
  beforeEach(async () => {
    bench = new TestThreads();
    bench.rule("thread/resume", () => resumed(T, [past]));
    bench.rule("thread/turns/list", () => listed([past]));
    bench.rule("thread/queue/list", () => listed([]));
    bench.rule("thread/read", () => ({ thread: codexThread(T) }));
    bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
    addThread(T);
    await bench.reconnect();
  });

  afterEach(() => bench.end());
}

export function addThread(threadId: string, more: object = {}): void {
  bench.ledger.threads.upsert([
    {
      threadId,
      workspaceId: bench.workspaceId,
      profileId: "user",
      title: "Title",
      preview: "Hello",
      createdAtMs: 1,
      updatedAtMs: 1,
      archived: false,
      lastKnownState: "idle",
      parentThreadId: null,
      source: "app",
      ...more,
    },
  ]);
  bench.threads.rows.remember(bench.workspaceId);
}

export async function opened(key = T) {
  const window = bench.open(key);
  await settle();
  return window;
}

export const codex = () => bench.codex;
export const runtime = () => bench.threads.runtime(T);
export const say = (method: string, more: object = {}) => codex().say(method, { threadId: T, ...more });
export const begin = (turnId: string) => say("turn/started", { turn: codexTurn(turnId) });
export const status = (type: string, flags: string[] = []) =>
  say("thread/status/changed", { status: type === "active" ? { type, activeFlags: flags } : { type } });
export const complete = (turnId: string, how = "completed") =>
  say("turn/completed", { turn: codexTurn(turnId, how) });
export const start = (turnId: string, item: object) => say("item/started", { turnId, item, startedAtMs: 1 });
export const finish = (turnId: string, item: object) =>
  say("item/completed", { turnId, item, completedAtMs: 1 });
export const text = (turnId: string, itemId: string, delta: string) =>
  say("item/agentMessage/delta", { turnId, itemId, delta });
export const later = async (byMs: number) => {
  await settle();
  for (let left = byMs; left > 0; left -= 1_000) {
    bench.clock.advance(Math.min(left, 1_000));
    await settle();
  }
};
