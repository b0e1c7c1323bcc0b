// For tests of delivery: one thread with a past, and what codex says in it.

import { afterEach, beforeEach } from "vitest";
import { codexThread, codexTurn, listed, resumed, userItem } from "./testCodexData";
import { settle, TestThreads } from "./testThreads";

export const T = "thread-1";
export let bench: TestThreads;

/** Each test of the file gets threads of its own, connected to a codex that answers what is asked most. */
export function prepareBench(): void {
  beforeEach(async () => {
    bench = new TestThreads();
    bench.rule("thread/resume", () => resumed(T, [codexTurn("t1", "completed", [userItem("u", "Hello")])]));
    bench.rule("thread/queue/list", () => listed([]));
    bench.rule("thread/turns/list", () => listed([codexTurn("t1", "completed", [userItem("u", "Hello")])]));
    bench.rule("thread/read", () => ({ thread: codexThread(T) }));
    bench.rule("thread/unsubscribe", () => ({ status: "unsubscribed" }));
    addThread(T);
    await bench.reconnect();
  });

  afterEach(() => bench.end());
}

export function addThread(threadId: string, updatedAtMs = 1): void {
  bench.ledger.threads.upsert([
    {
      threadId,
      workspaceId: bench.workspaceId,
      profileId: "user",
      title: "Title",
      preview: "Hello",
      createdAtMs: 1,
      updatedAtMs,
      archived: false,
      lastKnownState: "idle",
      parentThreadId: null,
      source: "app",
    },
  ]);
  bench.threads.rows.remember(bench.workspaceId);
}

let count = 0;
export function send(text: string, mode: "turn" | "steer" | "queue" = "turn", key = T): string {
  count += 1;
  const clientId = `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
  bench.threads.send(key, { clientId, text, attachments: [], mode });
  return clientId;
}

export async function opened() {
  const window = bench.open(T);
  await settle();
  return window;
}

export const codex = () => bench.codex;
export const begin = (turnId: string) =>
  codex().say("turn/started", { threadId: T, turn: codexTurn(turnId) });
export const end = (turnId: string, status = "completed") => {
  codex().say("thread/status/changed", { threadId: T, status: { type: "idle" } });
  codex().say("turn/completed", { threadId: T, turn: codexTurn(turnId, status) });
};
export const shows = (turnId: string, text: string, clientId: string | null) => {
  const item = userItem(`u-${clientId}`, text, clientId);
  codex().say("item/started", { threadId: T, turnId, item, startedAtMs: 1 });
  codex().say("item/completed", { threadId: T, turnId, item, completedAtMs: 1 });
};
export const stateOf = (clientId: string) => bench.ledger.submissions.get(clientId)?.state;
/** Time goes by, and what happens in it happens. */
export const later = async (byMs: number) => {
  await settle();
  for (let left = byMs; left > 0; left -= 1_000) {
    bench.clock.advance(Math.min(left, 1_000));
    await settle();
  }
};
