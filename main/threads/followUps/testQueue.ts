// A thread whose codex has a queue, for tests: what waits in it is told as codex tells it.

import { expect } from "vitest";
import { listed } from "../testCodexData";
import { begin, bench, codex, opened, send, T } from "../testDelivery";
import { settle } from "../testThreads";

export const changes = () => bench.threads.runtime(T).followUpChanges;
export const held = () => bench.threads.runtime(T).state.facts.followUps.held;

export const entry = (clientId: string, text: string) => ({
  id: `q-${clientId}`,
  clientUserMessageId: clientId,
  input: [{ type: "text", text, text_elements: [] }],
  responsesapiClientMetadata: null,
});

/** codex's queue from now on, which it tells of. */
export function queueIs(...entries: object[]): void {
  // A list is newest first, and a queue is not.
  bench.rule("thread/queue/list", () => listed([...entries].reverse() as Record<string, unknown>[]));
  codex().say("thread/queue/changed", { threadId: T });
}

/** A turn runs, and these wait behind it. */
export async function queued(...texts: string[]) {
  const window = await opened();
  begin("t2");
  const ids: string[] = [];
  const entries: ReturnType<typeof entry>[] = [];
  for (const text of texts) {
    const id = send(text, "queue");
    await settle();
    ids.push(id);
    entries.push(entry(id, text));
    codex()
      .last("thread/queue/add")
      .answer({ queuedSubmission: entry(id, text) });
    queueIs(...entries);
    await settle();
  }
  expect(window.waiting).toEqual(texts.map((text) => `${text}: queued`));
  return { window, ids, entries };
}
