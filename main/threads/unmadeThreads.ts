// Threads that codex has not made yet: what they are called until then, and what an earlier run of Holdfast has left of them.
//
// Races settled here:
// - A person types into a new thread while a script starts others: those have keys of their own, and take nothing of what
//   is typed. Two that are started at once are two. Until its message is there such a thread is as blank as any other, so
//   nothing may be awaited before that.
// - A message was sent to one, and Holdfast ended before codex had made it: it is met again with that message.

import { asFault } from "../fault";
import type { SubmissionsLedger } from "../ledger/submissionsLedger";
import type { Log } from "../log";
import { composedKey } from "./composedKey";
import type { ThreadDrafts } from "./drafts";
import type { ThreadRegistry } from "./threadRegistry";
import type { ThreadRows } from "./threadRows";
import { titleFrom } from "./titles";

export interface UnmadeThreadsOptions {
  log: Log;
  submissions: SubmissionsLedger;
  rows: ThreadRows;
  drafts: ThreadDrafts;
  alive: ThreadRegistry;
  isAwaited(key: string): boolean;
}

interface Found {
  key: string;
  threadId: string | null;
  workspaceId: string;
  title: string;
  archived: boolean;
}

export class UnmadeThreads {
  readonly #options: UnmadeThreadsOptions;

  constructor(options: UnmadeThreadsOptions) {
    this.#options = options;
  }

  compose(workspaceId: string): string {
    const blank = this.#options.alive
      .ofWorkspace(workspaceId)
      .find(({ threadId, state }) => threadId === null && state.facts.submissions.length === 0);
    return blank?.key ?? composedKey(workspaceId);
  }

  composeApart(workspaceId: string): string {
    const key = composedKey(workspaceId);
    this.#options.drafts.setApart(key);
    return key;
  }

  restore(meet: (thread: Found) => void): void {
    const { alive, rows, drafts, log, submissions, isAwaited } = this.#options;
    for (const { threadId, threadKey, workspaceId, text } of submissions.listOpen()) {
      const key = threadId ?? threadKey;
      if (alive.has(key)) continue;
      const row = rows.find(key);
      try {
        meet({
          key,
          threadId,
          workspaceId,
          title: row?.title || titleFrom(text),
          archived: row?.archived ?? false,
        });
      } catch (error) {
        // Its workspace has been taken off the list; it is met again when that comes back.
        log.info("an unsent message waits for its workspace", { workspaceId, error: asFault(error).code });
      }
    }
    drafts.bringHome((key) => alive.has(key) || isAwaited(key));
  }
}
