// Under which key a thread's draft is kept.
//
// Races settled here:
// - A new thread is sent its first message and typed into again before codex has named it: what is typed belongs to that
//   thread, not to the next new one, and goes with it when it gets its id.
// - A message is taken back while something else has been typed: both are kept.
// - The app ends in between: what was typed into a thread that was never made is the workspace's draft again.

import type { Attachment } from "../../preload/contract/items";
import { asFault } from "../fault";
import type { DraftsLedger } from "../ledger/draftsLedger";
import type { Log } from "../log";

export class ThreadDrafts {
  readonly #ledger: DraftsLedger;
  readonly #log: Log;
  /** New threads that have been sent a message. */
  readonly #sentFrom = new Set<string>();

  constructor(ledger: DraftsLedger, log: Log) {
    this.#ledger = ledger;
    this.#log = log;
  }

  /** For a thread without an id. New threads of a workspace share one draft until the first message is sent. */
  keyOf(key: string): string {
    return this.#sentFrom.has(key) ? key : (sharedKey(key) ?? key);
  }

  /** What was the draft is safe as a message. */
  sent(threadKey: string, draftKey: string): void {
    this.#sentFrom.add(threadKey);
    try {
      this.#ledger.delete(draftKey);
    } catch (error) {
      // The message goes out all the same; that the draft stays costs a moment, sending it twice would cost more.
      this.#log.warn("a sent draft could not be deleted", { error: asFault(error).message });
    }
  }

  add(draftKey: string, text: string, attachments: Attachment[]): void {
    const draft = this.#ledger.get(draftKey);
    const texts = [draft?.text ?? "", text].filter((part) => part !== "");
    this.#ledger.put(draftKey, texts.join("\n\n"), [...(draft?.attachments ?? []), ...attachments]);
  }

  named(threadKey: string, threadId: string): void {
    this.#ledger.move(this.keyOf(threadKey), threadId);
  }

  /** codex has forgotten the thread: it is known by its key alone. */
  unnamed(threadKey: string, threadId: string): void {
    this.#sentFrom.add(threadKey);
    this.#ledger.move(threadId, threadKey);
  }

  /** Gives drafts of threads that never came to be to their workspace. */
  bringHome(isKnown: (threadKey: string) => boolean): void {
    for (const key of this.#ledger.keys()) {
      const shared = sharedKey(key);
      if (shared === null) continue;
      if (isKnown(key)) {
        this.#sentFrom.add(key);
        continue;
      }
      const draft = this.#ledger.get(key);
      if (draft) this.add(shared, draft.text, draft.attachments);
      this.#ledger.delete(key);
    }
  }
}

function sharedKey(key: string): string | null {
  const workspaceId = /^new:([^:]+):/.exec(key)?.[1];
  return workspaceId === undefined ? null : `new:${workspaceId}`;
}
