// For tests of several threads: a parent, a child agent, and what codex says in them.

import { afterEach, beforeEach } from "vitest";
import { codexThread, codexTurn, listed, resumed } from "./testCodexData";
import { settle, TestThreads } from "./testThreads";

export const P = "parent";
export const C = "child";
export let bench: TestThreads;

/** Each test of the file gets threads of its own, connected to a codex that answers what is asked most. */
export function prepareBench(): void {
  beforeEach(async () => {
    bench = new TestThreads();
    bench.rule("thread/resume", ({ params }) => resumed(params.threadId, []));
    bench.rule("thread/turns/list", () => listed([]));
    bench.rule("thread/queue/list", () => listed([]));
    bench.rule("thread/read", ({ params }) => ({ thread: codexThread(params.threadId) }));
    bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
    addThread(P);
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
      title: threadId,
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

export async function opened(key: string) {
  const window = bench.open(key);
  await settle();
  return window;
}

export const codex = () => bench.codex;
export const say = (threadId: string, method: string, more: object = {}) =>
  codex().say(method, { threadId, ...more });
export const begin = (threadId: string, turnId: string) =>
  say(threadId, "turn/started", { turn: codexTurn(turnId) });
export const idle = (threadId: string) =>
  say(threadId, "thread/status/changed", { status: { type: "idle" } });
export const complete = (threadId: string, turnId: string, how = "completed") =>
  say(threadId, "turn/completed", { turn: codexTurn(turnId, how) });
export const finish = (threadId: string, turnId: string, item: object) =>
  say(threadId, "item/completed", { turnId, item, completedAtMs: 1 });
export const spawned = (id: string) => ({
  type: "subAgentActivity",
  id: `activity-${id}`,
  kind: "started",
  agentThreadId: id,
  agentPath: `/root/helper-of-${id}`,
});
export const row = (threadId: string) => bench.threads.rows.get(threadId);
export const later = async (byMs: number) => {
  await settle();
  for (let left = byMs; left > 0; left -= 1_000) {
    bench.clock.advance(Math.min(left, 1_000));
    await settle();
  }
};
