// A thread's key and its ids: what happens when codex names one, forgets one, or has one no more.
//
// Races settled here:
// - Holdfast is killed between the moment at which codex forgets an unused thread and the one at which it is made anew: what
//   the ledger has of it keeps the old id until there is a new one.
// - codex names a thread and that cannot be written down: it counts as forgotten.
// - codex starts a thread's MCP servers before it has named the thread: what it says of them is kept until then.

import type { Clock } from "../clock";
import { toFaultView } from "../faultView";
import type { Ledger } from "../ledger/ledger";
import type { Connection } from "../supervisor/connection";
import type { ThreadDrafts } from "./drafts";
import type { HostedThread } from "./host";
import { EarlyStates, startupStatusMethod } from "./mcpServers";
import type { ThreadRunMarks } from "./runMarks";
import type { ThreadEnvironments } from "./threadEnvironments";
import { deletedFault } from "./threadFaults";
import type { ThreadRegistry } from "./threadRegistry";
import type { ThreadRows } from "./threadRows";

export interface ThreadNamesOptions {
  clock: Clock;
  ledger: Pick<Ledger, "submissions" | "threads" | "runningItems" | "queueHolds" | "transaction">;
  rows: ThreadRows;
  alive: ThreadRegistry;
  drafts: ThreadDrafts;
  runMarks: Pick<ThreadRunMarks, "threadNamed">;
  environments: Pick<ThreadEnvironments, "named" | "unnamed" | "forget">;
  workspace(workspaceId: string): { profileId: string };
  connection(workspaceId: string): Connection | null;
}

export class ThreadNames {
  readonly earlyStates = new EarlyStates();
  readonly #options: ThreadNamesOptions;
  /** By key, ids that codex has forgotten, of threads that are to be made anew. */
  readonly #formerIds = new Map<string, string>();

  constructor(options: ThreadNamesOptions) {
    this.#options = options;
  }

  /**
   * Throws when that it is this thread, and where it works, cannot be written down. Nothing was begun in it: it is let go of, and
   * is to be made anew.
   */
  promoted(thread: HostedThread, threadId: string): void {
    const { key } = thread;
    const { alive, ledger } = this.#options;
    alive.named(key, threadId);
    try {
      ledger.transaction(() => this.#writeDown(thread, threadId));
    } catch (error) {
      thread.state.update({ threadId: null, residency: "stored" });
      const connection = this.#options.connection(thread.workspaceId);
      connection?.client.request("thread/unsubscribe", { threadId }).catch(() => undefined);
      this.unmade(thread, threadId);
      throw error;
    }
    for (const fields of this.earlyStates.take(threadId))
      alive.get(key)?.notification(startupStatusMethod, fields);
  }

  #writeDown(thread: HostedThread, threadId: string): void {
    const { key, workspaceId } = thread;
    const { ledger, clock, workspace, drafts, rows, runMarks, environments } = this.#options;
    if (thread.state.facts.startedByRun) runMarks.threadNamed(key, threadId);
    const formerId = this.#formerIds.get(key);
    for (const former of new Set([key, formerId ?? key])) {
      ledger.submissions.nameThread(former, threadId);
      ledger.threads.moveSettings(former, threadId);
    }
    drafts.named(key, threadId);
    environments.named(key, threadId);
    if (formerId !== undefined && formerId !== threadId) this.forget(formerId);
    rows.promoted(key, thread.state.head, workspace(workspaceId).profileId, clock.nowMs());
    this.#formerIds.delete(key);
  }

  unmade(thread: HostedThread, threadId: string): void {
    const { clock, drafts, rows, environments } = this.#options;
    this.#formerIds.set(thread.key, threadId);
    environments.unnamed(thread.key, threadId);
    drafts.unnamed(thread.key, threadId);
    if (thread.key !== threadId) rows.remove(threadId);
    rows.live(thread.state.head, clock.nowMs());
  }

  /** The person has deleted it here: what they had begun to write in it goes too, and what they had it wait for. */
  deletedHere(threadId: string): void {
    const { alive, ledger } = this.#options;
    const runtime = alive.get(threadId);
    for (const outgoing of [...(runtime?.messages.all ?? [])]) runtime?.messages.deleted(outgoing);
    for (const { clientId } of ledger.submissions.listOpenOf(threadId))
      ledger.submissions.discarded(clientId);
    this.#options.drafts.sent(threadId, threadId, "everything");
    this.deleted(threadId);
  }

  /** Who shows it is told; it stays readable. */
  deleted(threadId: string): void {
    this.#options.alive.get(threadId)?.state.update({ fault: toFaultView(deletedFault()) });
    this.forget(threadId);
  }

  /** codex has it no more. */
  forget(threadId: string): void {
    const { rows, ledger, environments } = this.#options;
    rows.forget(threadId);
    environments.forget(threadId);
    ledger.runningItems.forget(threadId);
    ledger.queueHolds.set(threadId, null);
  }
}
