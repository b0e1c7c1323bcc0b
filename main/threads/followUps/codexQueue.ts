// codex's own queue: what is asked of it, and what its refusals mean.

import type { QueuedSubmission } from "../../codex/protocol/v2/QueuedSubmission";
import type { ThreadQueueListResponse } from "../../codex/protocol/v2/ThreadQueueListResponse";
import { RpcFault } from "../../codex/rpcFault";
import type { Connection } from "../../supervisor/connection";
import type { CodexEntry } from "./queueMachine";

/** Far more than anybody queues. */
const maxPages = 20;

/** All entries, in the order in which they are taken up. Rejects as a request does. */
export async function listQueue(connection: Connection, threadId: string): Promise<CodexEntry[]> {
  const entries: CodexEntry[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const answer: ThreadQueueListResponse = await connection.client.request("thread/queue/list", {
      threadId,
      cursor,
    });
    entries.push(...answer.data.map(entryOf));
    cursor = answer.nextCursor;
    if (cursor === null) break;
  }
  return entries;
}

export function entryOf({ id, clientUserMessageId, input }: QueuedSubmission): CodexEntry {
  return { id, clientId: clientUserMessageId, input };
}

/** The entry has been taken up or deleted meanwhile. */
export function isNotQueued(error: unknown): boolean {
  return refusal(error, /queued submission not found|queue is empty/i);
}

/** The queue has changed since it was listed. */
export function isAnotherSet(error: unknown): boolean {
  return refusal(error, /every queued submission exactly once/i);
}

export function isTurnActive(error: unknown): boolean {
  return refusal(error, /already has an active or pending turn/i);
}

function refusal(error: unknown, words: RegExp): boolean {
  return error instanceof RpcFault && words.test(error.message);
}
