// One comment that is being written here. Main has it as soon as something stands in it, so that nothing is lost with the
// page; what is typed goes there after a moment.
//
// Races, and what settles each:
// - Typing goes on while a change is on its way: one is on its way at a time, the next is put when it is answered.
// - Another window has changed it: main refuses what has not seen that; both texts go into one, which is put next.
// - It was sent or deleted in another window meanwhile: what is typed here is kept, and the person is asked.
// - Keeping fails for a moment: it is tried again with the next letter, and at the latest when it is closed or sent.
// - It is closed, or the comments are sent, with something on its way: both wait until main has everything.

import type { CallParams, CallResult } from "../../../preload/contract";
import type { LineRange, ReviewComment } from "../../../preload/contract/comments";
import type { FaultView } from "../../../preload/contract/fault";
import { mergeDrafts } from "../../composer/mergeDrafts";
import { faultOf } from "../../state/callFault";

export interface CommentMain {
  put(change: CallParams<"comments.put">): Promise<CallResult<"comments.put">>;
  delete(threadKey: string, commentId: string): Promise<unknown>;
  /** Returns what cancels it. */
  after(ms: number, run: () => void): () => void;
}

export interface CommentView {
  threadKey: string;
  commentId: string;
  place: LineRange;
  text: string;
  fault: FaultView | null;
  /** It was sent or deleted elsewhere while something was typed here. */
  gone: boolean;
}

export const keepAfterMs = 250;

export class CommentEdit {
  readonly threadKey: string;
  readonly #main: CommentMain;
  readonly #changed: (view: CommentView) => void;
  #view: CommentView;
  /** What main has, as far as is known here. */
  #seen: { revision: number; text: string };
  #late: ReviewComment | null = null;
  #put: Promise<void> | null = null;
  #cancelTimer = () => {};

  /** `comment` null: a new one. */
  constructor(
    threadKey: string,
    place: LineRange,
    comment: ReviewComment | null,
    main: CommentMain,
    changed: (view: CommentView) => void,
  ) {
    this.threadKey = threadKey;
    this.#main = main;
    this.#changed = changed;
    this.#seen = { revision: comment?.revision ?? 0, text: comment?.text ?? "" };
    this.#view = {
      threadKey,
      commentId: comment?.commentId ?? crypto.randomUUID(),
      place,
      text: this.#seen.text,
      fault: null,
      gone: false,
    };
  }

  get view(): CommentView {
    return this.#view;
  }

  get revision(): number {
    return this.#seen.revision;
  }

  /** Everything that is typed is with main. */
  get isKept(): boolean {
    return this.#put === null && (this.#view.text === this.#seen.text || this.#isNothing);
  }

  /** A new one in which nothing stands is none. */
  get #isNothing(): boolean {
    return this.#seen.revision === 0 && this.#view.text.trim() === "";
  }

  edit(text: string): void {
    this.#set({ text });
    this.#cancelTimer();
    this.#cancelTimer = this.#main.after(keepAfterMs, () => void this.keep());
  }

  /** Resolves when main has everything, or cannot be given it: then the view has the fault. */
  async keep(): Promise<void> {
    this.#cancelTimer();
    while (!this.isKept && !this.#view.gone) {
      if (this.#put === null) this.#put = this.#putNow().finally(() => (this.#put = null));
      await this.#put;
      if (this.#view.fault !== null) return;
    }
  }

  /** What the thread's head says of it now. */
  heard(comment: ReviewComment): void {
    if (comment.revision <= this.#seen.revision) return;
    if (this.#put !== null) {
      this.#late = comment;
      return;
    }
    this.#merge(comment);
    if (!this.isKept) void this.keep();
  }

  /** The person wants what stands here, although the comment is gone. */
  asNew(): void {
    this.#seen = { revision: 0, text: "" };
    this.#set({ gone: false, commentId: crypto.randomUUID() });
    void this.keep();
  }

  async #putNow(): Promise<void> {
    const { text, commentId, place } = this.#view;
    try {
      const answer = await this.#main.put({
        threadKey: this.threadKey,
        commentId,
        place,
        text,
        seenRevision: this.#seen.revision,
      });
      if (answer.outcome === "kept") this.#seen = { revision: answer.revision, text };
      else if (answer.comment === null) this.#set({ gone: true });
      else this.#merge(answer.comment);
      this.#set({ fault: null });
    } catch (error) {
      this.#set({ fault: faultOf(error) });
    }
    const late = this.#late;
    this.#late = null;
    if (late !== null && late.revision > this.#seen.revision) this.#merge(late);
  }

  #merge(theirs: ReviewComment): void {
    const contents = (text: string) => ({ text, attachments: [] });
    const { text } = mergeDrafts(contents(this.#seen.text), contents(this.#view.text), contents(theirs.text));
    this.#seen = { revision: theirs.revision, text: theirs.text };
    this.#set({ text });
  }

  #set(part: Partial<CommentView>): void {
    this.#view = { ...this.#view, ...part };
    this.#changed(this.#view);
  }
}
