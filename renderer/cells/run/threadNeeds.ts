// Which of the threads that a run has started wait for the person: by themselves, or with an agent of theirs. Pure.

import type { RunHead } from "../../../preload/contract/cells";
import type { Request } from "../../../preload/contract/requests";
import type { Rows } from "../../state/appCopy";
import { parentsOf } from "../../state/parentsOf";

/** Of each such thread the request that has waited longest, in the order in which they were made. */
export function threadNeeds(threads: RunHead["threads"], waiting: readonly Request[], rows: Rows): Request[] {
  if (threads.length === 0 || waiting.length === 0) return [];
  const started = new Set(threads.map(({ threadKey }) => threadKey));
  const needs = new Map<string, Request>();
  for (const request of waiting.toSorted((a, b) => a.askedAtMs - b.askedAtMs)) {
    if (request.answering) continue;
    const { threadId } = request;
    const top = [threadId, ...parentsOf(rows, threadId).map((row) => row.threadId)].find((id) =>
      started.has(id),
    );
    if (top !== undefined && !needs.has(top)) needs.set(top, request);
  }
  return [...needs.values()];
}

/** How many of them have a turn that runs. */
export function threadsAtWork(threads: RunHead["threads"], rows: Rows): number {
  return threads.filter(({ threadKey }) => {
    const state = rows.get(threadKey)?.state;
    return state === "running" || state === "waiting for approval" || state === "waiting for answer";
  }).length;
}
