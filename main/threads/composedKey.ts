// The key that a new thread has until codex has made it.

import { randomUUID } from "node:crypto";

export function composedKey(workspaceId: string): string {
  return `new:${workspaceId}:${randomUUID()}`;
}

/** The workspace that this provisional key is for; null when it is no such key. */
export function composedIn(key: string): string | null {
  return /^new:([^:]+):/.exec(key)?.[1] ?? null;
}
