// What a person has told a thread as a whole, on record until codex has done it: deleting and archiving.
//
// Race: Holdfast dies after codex was asked, and before it has heard the answer. The next start asks once more, which is the
// same to codex if it has done it, and what that is about goes, or stays, with it. Where the thread is used by then, it is
// given up, and said.

import type { NoticeView } from "../../preload/contract/app";
import { asFault, type Fault } from "../fault";
import type { CleanupRecord, NewCleanup } from "../ledger/cleanupsLedger";
import type { Cleanups } from "../supervisor/cleanups";

export const threadActionKind = "thread action";

export type OwedAction = "delete" | "archive" | "unarchive";

export interface ActionSubject {
  action: OwedAction;
  threadId: string;
  workspaceId: string;
  title: string;
}

export interface ActionRecords {
  cleanups: Pick<Cleanups, "perform" | "register">;
  tell(about: string, notice: Omit<NoticeView, "id">): void;
}

const wasTo: Record<OwedAction, string> = {
  delete: "was to be deleted",
  archive: "was to be archived",
  unarchive: "was to be unarchived",
};

function cleanupOf(subject: ActionSubject): NewCleanup {
  const { action, threadId, title } = subject;
  return {
    id: `${action}:${threadId}`,
    kind: threadActionKind,
    subject,
    reason: `“${title}” ${wasTo[action]} when Holdfast went away.`,
  };
}

export class OwedActions {
  #records: ActionRecords | null = null;
  readonly #going = new Map<string, Promise<void>>();
  /** What is done for an earlier run. */
  readonly #takenUp = new Set<string>();

  /** From now on. `again`: does it once more; rejects with a Fault. */
  keep(records: ActionRecords, again: (subject: ActionSubject) => Promise<void>): void {
    this.#records = records;
    records.cleanups.register(threadActionKind, (cleanup) => this.#takeUp(cleanup, records, again));
  }

  /** Throws as `work` does. The same at once is done once. */
  perform(subject: ActionSubject, work: () => Promise<void>): Promise<void> {
    if (this.#records === null) return work();
    const cleanup = cleanupOf(subject);
    const going = this.#going.get(cleanup.id);
    if (going) return going;
    const begun = this.#perform(this.#records, cleanup, work).finally(() => this.#going.delete(cleanup.id));
    this.#going.set(cleanup.id, begun);
    return begun;
  }

  async #perform({ cleanups }: ActionRecords, cleanup: NewCleanup, work: () => Promise<void>): Promise<void> {
    let failed: { error: unknown } | null = null;
    await cleanups.perform(cleanup, async () => {
      try {
        await work();
      } catch (error) {
        failed = { error };
        // Whoever has just asked for it hears why not, and may ask again.
        if (this.#takenUp.has(cleanup.id) && asFault(error).retryable) return asFault(error);
      }
      return null;
    });
    if (failed !== null) throw (failed as { error: unknown }).error;
  }

  async #takeUp(
    { id, subject }: CleanupRecord,
    { tell }: ActionRecords,
    again: (subject: ActionSubject) => Promise<void>,
  ): Promise<Fault | null> {
    const { title, action } = subject as ActionSubject;
    this.#takenUp.add(id);
    try {
      await again(subject as ActionSubject);
      return null;
    } catch (error) {
      const fault = asFault(error);
      if (fault.retryable) return fault;
      const text = `“${title}” ${wasTo[action]} when Holdfast went away, and is not.`;
      const { message, hint, detail = null } = fault;
      tell(id, { tone: "warning", text, hint: [message, hint].filter(Boolean).join(" "), detail });
      return null;
    } finally {
      this.#takenUp.delete(id);
    }
  }
}
