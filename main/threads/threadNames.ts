// A thread's key and its ids: what happens when codex names one, forgets one, or has one no more.
//
// Races settled here:
// - Holdfast is killed between the moment at which codex forgets an unused thread and the one at which it is made anew: what
//   the ledger has of it keeps the old id until there is a new one.
// - codex starts a thread's MCP servers before it has named the thread: what it says of them is kept until then.

import type { Clock } from "../clock";
import type { Ledger } from "../ledger/ledger";
import type { ThreadDrafts } from "./drafts";
import type { HostedThread } from "./host";
import { EarlyStates, startupStatusMethod } from "./mcpServers";
import type { ThreadRegistry } from "./threadRegistry";
import type { ThreadRows } from "./threadRows";

export interface ThreadNamesOptions {
  clock: Clock;
  ledger: Pick<Ledger, "submissions" | "threads" | "runningItems">;
  rows: ThreadRows;
  alive: ThreadRegistry;
  drafts: ThreadDrafts;
  workspace(workspaceId: string): { profileId: string };
}

export class ThreadNames {
  readonly earlyStates = new EarlyStates();
  readonly #options: ThreadNamesOptions;
  /** By key, ids that codex has forgotten, of threads that are to be made anew. */
  readonly #formerIds = new Map<string, string>();

  constructor(options: ThreadNamesOptions) {
    this.#options = options;
  }

  promoted(thread: HostedThread, threadId: string): void {
    const { key, workspaceId } = thread;
    const { alive, ledger, clock, workspace, drafts, rows } = this.#options;
    alive.named(key, threadId);
    const formerId = this.#formerIds.get(key);
    this.#formerIds.delete(key);
    for (const former of new Set([key, formerId ?? key])) {
      ledger.submissions.nameThread(former, threadId);
      ledger.threads.moveSettings(former, threadId);
    }
    drafts.named(key, threadId);
    if (formerId !== undefined) this.forget(formerId);
    rows.promoted(key, thread.state.head, workspace(workspaceId).profileId, clock.nowMs());
    for (const fields of this.earlyStates.take(threadId))
      alive.get(key)?.notification(startupStatusMethod, fields);
  }

  unmade(thread: HostedThread, threadId: string): void {
    const { clock, drafts, rows } = this.#options;
    this.#formerIds.set(thread.key, threadId);
    drafts.unnamed(thread.key, threadId);
    if (thread.key !== threadId) rows.remove(threadId);
    rows.live(thread.state.head, clock.nowMs());
  }

  /** codex has it no more. */
  forget(threadId: string): void {
    this.#options.rows.forget(threadId);
    this.#options.ledger.runningItems.forget(threadId);
  }
}
