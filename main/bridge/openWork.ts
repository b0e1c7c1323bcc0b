// What ending the app would cut off: the question at quit names it, and says what could go on without the app.

import type { Threads } from "../threads/threads";

export interface ThreadsWork {
  running: string[];
  waiting: string[];
  queued: string[];
  /** Of these, the ones that end with the app whatever is answered. */
  endsWithApp: string[];
  /** Whether any of it can go on without the app. */
  canKeep: boolean;
  /** The workspaces whose sessions go on if the person wants it. */
  kept: string[];
}

/** Null when nothing is open. */
export function threadsOpenWork(
  threads: Threads,
  canKeep: (workspaceId: string) => boolean,
): ThreadsWork | null {
  const running: string[] = [];
  const waiting: string[] = [];
  const queued: string[] = [];
  const endsWithApp: string[] = [];
  const kept = new Set<string>();
  for (const { state, workspaceId } of threads.all) {
    const { title, requests, submissions } = state.facts;
    const isQueued = submissions.some(({ mode, state: at }) => mode === "queue" && at === "sent");
    if (requests.length > 0) waiting.push(title);
    else if (state.running) running.push(title);
    if (isQueued) queued.push(title);
    if (requests.length === 0 && !state.running && !isQueued) continue;
    if (canKeep(workspaceId)) kept.add(workspaceId);
    else endsWithApp.push(title);
  }
  if (running.length + waiting.length + queued.length === 0) return null;
  return { running, waiting, queued, endsWithApp, canKeep: kept.size > 0, kept: [...kept] };
}
