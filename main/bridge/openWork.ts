// What ending the app would cut off: the question at quit names it.

import type { Threads } from "../threads/threads";

export interface ThreadsWork {
  running: string[];
  waiting: string[];
  queued: string[];
  /** Whether it can go on without the app. */
  canKeep: boolean;
}

/** Null when nothing is open. */
export function threadsOpenWork(threads: Threads): ThreadsWork | null {
  const work: ThreadsWork = { running: [], waiting: [], queued: [], canKeep: false };
  for (const { state } of threads.all) {
    const { title, requests, submissions } = state.facts;
    if (requests.length > 0) work.waiting.push(title);
    else if (state.running) work.running.push(title);
    if (submissions.some((submission) => submission.mode === "queue" && submission.state === "sent")) {
      work.queued.push(title);
    }
  }
  return work.running.length + work.waiting.length + work.queued.length > 0 ? work : null;
}
