// Comments on changed lines that have not been sent yet, of each thread: main owns them, windows change them, and all
// windows of the thread see the same in its head.
//
// Races settled here:
// - Two windows write into one comment: each change says which revision it has seen; one that has not seen the newest is
//   refused, and its window puts both together.
// - A comment is deleted or sent in one window and typed into in another: it is not there any more, which the other is told.
// - The comments are sent: the message is on record and they are off the list in one step on disk, so that after a crash
//   they are one or the other, never both and never neither. Send pressed in two windows: the second finds them gone.
// - The same press is told to main twice: it is the same message, as everywhere.
// - A new thread gets its id, or its first message, while there are comments: they go where its draft goes.

import type { CallParams, CallResult } from "../../../preload/contract";
import {
  type LineRange,
  longestQuote,
  mostComments,
  type ReviewComment,
} from "../../../preload/contract/comments";
import { reviewMessage } from "../../../preload/contract/reviewMessage";
import { Fault } from "../../fault";
import type { Ledger } from "../../ledger/ledger";
import type { ReviewCommentsLedger } from "../../ledger/reviewCommentsLedger";

type SendMode = CallParams<"comments.send">["mode"];
type PutOutcome = CallResult<"comments.put">;

/** The part of all threads that is needed. */
export interface CommentedThreads {
  all: readonly { key: string; state: { update(facts: { comments: ReviewComment[] }): void } }[];
  /** The key of a thread's draft right now. */
  draftKey(threadKey: string): string;
  send(
    threadKey: string,
    message: { clientId: string; text: string; attachments: []; mode: SendMode },
    draft: "nothing",
  ): void;
}

export class ReviewComments {
  readonly #ledger: Pick<Ledger, "submissions" | "transaction">;
  readonly #records: ReviewCommentsLedger;
  readonly #threads: CommentedThreads;

  constructor(
    ledger: Pick<Ledger, "reviewComments" | "submissions" | "transaction">,
    threads: CommentedThreads,
  ) {
    this.#ledger = ledger;
    this.#records = ledger.reviewComments;
    this.#threads = threads;
  }

  of(draftKey: string): ReviewComment[] {
    return this.#records.of(draftKey);
  }

  /** Under which some are kept. */
  keys(): string[] {
    return this.#records.keys();
  }

  put(
    threadKey: string,
    { commentId, place, text, seenRevision }: Omit<CallParams<"comments.put">, "threadKey">,
  ): PutOutcome {
    const ledger = this.#records;
    const draftKey = this.#threads.draftKey(threadKey);
    const known = ledger.get(draftKey, commentId);
    if (known === null) {
      if (seenRevision > 0) return { outcome: "behind", comment: null };
      this.#checkNew(draftKey, place);
      ledger.add(draftKey, commentId, place, text);
      this.#tell(draftKey);
      return { outcome: "kept", revision: 1 };
    }
    if (known.revision !== seenRevision) {
      // Its own change, whose answer it has not had.
      if (known.text === text) return { outcome: "kept", revision: known.revision };
      return { outcome: "behind", comment: known };
    }
    if (known.text === text) return { outcome: "kept", revision: known.revision };
    ledger.rewrite(draftKey, commentId, text);
    this.#tell(draftKey);
    return { outcome: "kept", revision: known.revision + 1 };
  }

  delete(threadKey: string, commentId: string): void {
    const draftKey = this.#threads.draftKey(threadKey);
    this.#records.delete(draftKey, commentId);
    this.#tell(draftKey);
  }

  send(
    threadKey: string,
    { clientId, mode, comments }: Omit<CallParams<"comments.send">, "threadKey">,
  ): "sent" | "behind" {
    // The person has pressed once, and was not told what became of it.
    if (this.#ledger.submissions.get(clientId) !== null) return "sent";
    const draftKey = this.#threads.draftKey(threadKey);
    const wanted = new Map(comments.map(({ commentId, revision }) => [commentId, revision]));
    // In the order of the files, whatever the window's was.
    const found = this.#records.of(draftKey).filter(({ commentId }) => wanted.has(commentId));
    const isAsSeen = found.every(({ commentId, revision }) => wanted.get(commentId) === revision);
    if (found.length !== wanted.size || !isAsSeen) return "behind";
    const said = found.filter(({ text }) => text.trim() !== "");
    if (said.length === 0) {
      throw new Fault("comments_empty", "The comments are empty.", {
        hint: "Write something in them first.",
      });
    }
    this.#ledger.transaction(() => {
      for (const { commentId } of found) this.#records.delete(draftKey, commentId);
      this.#threads.send(
        threadKey,
        { clientId, text: reviewMessage(said), attachments: [], mode },
        "nothing",
      );
    });
    this.#tell(draftKey);
    // With its first message a thread's draft is its own.
    const newKey = this.#threads.draftKey(threadKey);
    if (newKey !== draftKey) this.#tell(newKey);
    return "sent";
  }

  /** What is kept for a thread is under another key now. */
  moved(fromKey: string, toKey: string): void {
    if (fromKey === toKey || this.of(fromKey).length === 0) return;
    this.#records.move(fromKey, toKey);
    this.#tell(fromKey);
    this.#tell(toKey);
  }

  #checkNew(draftKey: string, { firstLine, lastLine, quote }: LineRange): void {
    if (lastLine < firstLine || quote.length > longestQuote) {
      throw new Fault("comment_place", "A comment cannot be about these lines.", {
        hint: "Choose the lines again.",
      });
    }
    if (this.of(draftKey).length >= mostComments) {
      throw new Fault("comments_full", `There are ${mostComments} comments on this thread already.`, {
        hint: "Send them, or delete some.",
      });
    }
  }

  #tell(draftKey: string): void {
    const comments = this.of(draftKey);
    for (const { key, state } of this.#threads.all) {
      if (this.#threads.draftKey(key) === draftKey) state.update({ comments });
    }
  }
}
