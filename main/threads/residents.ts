// Which threads a session's process has in memory. It tells everybody who is connected when it loads or unloads one, whoever
// asked for it, and goes on to do so after we have unsubscribed; what it unloads while nobody is connected it tells nobody.
//
// Race: the process has been replaced, and something is still said about the one before: what is known belongs to a handle.

import { recordOf, wordsOrNull } from "./loose";

interface Resident {
  handleId: string;
  threadIds: Set<string>;
}

export class Residents {
  readonly #sessions = new Map<string, Resident>();

  any(workspaceId: string): boolean {
    return (this.#sessions.get(workspaceId)?.threadIds.size ?? 0) > 0;
  }

  /** codex has listed them all. */
  listed(workspaceId: string, handleId: string, threadIds: string[]): void {
    this.#sessions.set(workspaceId, { handleId, threadIds: new Set(threadIds) });
  }

  add(workspaceId: string, handleId: string, threadId: string): void {
    const known = this.#sessions.get(workspaceId);
    if (known?.handleId === handleId) known.threadIds.add(threadId);
    else this.#sessions.set(workspaceId, { handleId, threadIds: new Set([threadId]) });
  }

  remove(workspaceId: string, threadId: string): void {
    this.#sessions.get(workspaceId)?.threadIds.delete(threadId);
  }

  processGone(workspaceId: string, handleId: string): void {
    if (this.#sessions.get(workspaceId)?.handleId === handleId) this.#sessions.delete(workspaceId);
  }

  /** What a notification says about it. */
  heard(
    workspaceId: string,
    handleId: string,
    method: string,
    fields: Readonly<Record<string, unknown>>,
  ): void {
    if (method === "thread/started") {
      const id = wordsOrNull(recordOf(fields.thread).id);
      if (id !== null) this.add(workspaceId, handleId, id);
      return;
    }
    const threadId = wordsOrNull(fields.threadId);
    if (threadId === null) return;
    switch (method) {
      case "thread/status/changed":
        if (recordOf(fields.status).type === "notLoaded") this.remove(workspaceId, threadId);
        else this.add(workspaceId, handleId, threadId);
        break;
      case "thread/closed":
      case "thread/archived":
      case "thread/deleted":
        this.remove(workspaceId, threadId);
        break;
      default:
    }
  }
}
