// What is typed and not sent, one draft for each thread, however many windows show it: main owns it, windows change it
// and are told of each other's changes.
//
// Races settled here:
// - A new thread is sent its first message and typed into again before codex has named it: what is typed belongs to that
//   thread, not to the next new one, and goes with it when it gets its id.
// - A message is taken back while something else has been typed: both are kept.
// - The app ends in between: what was typed into a thread that was never made is the workspace's draft again.
// - Two windows type at once: every change has a revision, and one that was made without having seen the newest of
//   somebody else is refused; its window puts both together and tries again. A window that goes away cannot: both texts
//   are then kept here.
// - A window puts again before it has heard of its last put: its own changes count as seen.
// - A message is sent in one window while another types on: what the sender had not seen is no part of the message and
//   stays. A change in the same moment is told once it is on disk, never before.
// - A window asks for the next change when it has just happened: it is told at once. Nothing is told of what is its own.
//   A page that has gone leaves its question behind: it ends by its time, and a page has one.

import type { KeptDraft, SeenDraft } from "../../preload/contract";
import type { Attachment } from "../../preload/contract/items";
import type { Clock, Timer } from "../clock";
import { asFault } from "../fault";
import type { DraftsLedger } from "../ledger/draftsLedger";
import type { Log } from "../log";
import type { ThreadRows } from "./threadRows";

/** What a sender has seen of the draft that its message replaces. */
export type SentDraft = SeenDraft | "everything" | "nothing";

export interface DraftChange {
  text: string;
  attachments: Attachment[];
  seen: SeenDraft;
  /** The page goes away and cannot try again. */
  isLast: boolean;
}

export type PutOutcome = { outcome: "kept"; revision: number } | { outcome: "behind"; draft: KeptDraft };

export interface ThreadDraftsOptions {
  ledger: DraftsLedger;
  clock: Clock;
  log: Log;
  /** The key of a thread's draft right now. */
  keyOfThread(threadKey: string): string;
  rows: Pick<ThreadRows, "update">;
  /** What else is kept for a thread under the key of its draft, whether it has one or not. */
  others: { keys(): string[]; moved(fromKey: string, toKey: string): void };
}

interface Changed {
  revision: number;
  /** Whose change it was; null: main's own. */
  by: string | null;
  /** In which thread; null: in none, or it is not known. */
  threadKey: string | null;
}

interface Question {
  threadKey: string;
  seen: SeenDraft;
  timer: Timer;
  answer(draft: KeptDraft | null): void;
  fail(error: unknown): void;
}

export const questionLastsMs = 25_000;

export class ThreadDrafts {
  readonly #options: ThreadDraftsOptions;
  /** New threads that have a draft of their own: they have been sent a message, or no window shows them. */
  readonly #apart = new Set<string>();
  /** By the key of a thread that is not to be: whose draft is typed there. */
  readonly #givenTo = new Map<string, string>();
  /** The newest change of each draft since the start. */
  readonly #changes = new Map<string, Changed>();
  /** By page. */
  readonly #questions = new Map<string, Question>();
  #lastRevision = 0;

  constructor(options: ThreadDraftsOptions) {
    this.#options = options;
  }

  /** For a thread without an id. New threads of a workspace share one draft until the first message is sent. */
  keyOf(key: string): string {
    const givenTo = this.#givenTo.get(key);
    if (givenTo !== undefined) return givenTo;
    return this.#apart.has(key) ? key : (sharedKey(key) ?? key);
  }

  /** A new thread that has nothing to do with what is typed into others of its workspace. */
  setApart(key: string): void {
    this.#apart.add(key);
  }

  get(threadKey: string): KeptDraft {
    const draftKey = this.#options.keyOfThread(threadKey);
    const draft = this.#options.ledger.get(draftKey);
    return {
      revision: this.#changes.get(draftKey)?.revision ?? 0,
      text: draft?.text ?? "",
      attachments: draft?.attachments ?? [],
    };
  }

  /** What is there after a message was sent; null when it cannot be read, which the message must not fail for. */
  leftOf(threadKey: string): KeptDraft | null {
    try {
      return this.get(threadKey);
    } catch (error) {
      this.#options.log.warn("what is left of a draft could not be read", { error: asFault(error).message });
      return null;
    }
  }

  put(threadKey: string, change: DraftChange): PutOutcome {
    const { text, attachments, seen, isLast } = change;
    const draftKey = this.#options.keyOfThread(threadKey);
    if (this.#hasSeen(draftKey, seen)) {
      this.#options.ledger.put(draftKey, text, attachments);
      return { outcome: "kept", revision: this.#changed(draftKey, seen.writer, threadKey) };
    }
    if (isLast) {
      const other = this.get(threadKey);
      this.#options.ledger.put(
        draftKey,
        bothTexts(other.text, text),
        bothLists(other.attachments, attachments),
      );
      this.#changed(draftKey, null, threadKey);
    }
    return { outcome: "behind", draft: this.get(threadKey) };
  }

  /** The newest state once somebody else than the asking page has changed it; null after `questionLastsMs` without. */
  next(threadKey: string, seen: SeenDraft): Promise<KeptDraft | null> {
    this.#questions.get(seen.writer)?.answer(null);
    return new Promise((resolve, reject) => {
      const over = () => {
        question.timer.cancel();
        if (this.#questions.get(seen.writer) === question) this.#questions.delete(seen.writer);
      };
      const question: Question = {
        threadKey,
        seen,
        timer: this.#options.clock.after(questionLastsMs, () => question.answer(null)),
        answer(draft) {
          over();
          resolve(draft);
        },
        fail(error) {
          over();
          reject(error);
        },
      };
      this.#questions.set(seen.writer, question);
      this.#look(question);
    });
  }

  /** Puts the draft aside and starts empty. */
  park(threadKey: string): { text: string; draft: KeptDraft } {
    const draftKey = this.#options.keyOfThread(threadKey);
    const parked = this.#options.ledger.park(draftKey);
    this.#changed(draftKey, null, threadKey);
    return { text: parked?.text ?? "", draft: this.get(threadKey) };
  }

  /** What the sender had seen of the draft is safe as a message. */
  sent(threadKey: string, draftKey: string, sent: SentDraft): void {
    this.#apart.add(threadKey);
    try {
      this.#clear(threadKey, draftKey, sent);
      this.#options.others.moved(draftKey, this.#options.keyOfThread(threadKey));
    } catch (error) {
      // The message goes out all the same; that the draft stays costs a moment, sending it twice would cost more.
      this.#options.log.warn("a sent draft could not be deleted", { error: asFault(error).message });
    }
  }

  add(draftKey: string, text: string, attachments: Attachment[]): void {
    const { ledger } = this.#options;
    const draft = ledger.get(draftKey);
    const texts = [draft?.text ?? "", text].filter((part) => part !== "");
    ledger.put(draftKey, texts.join("\n\n"), [...(draft?.attachments ?? []), ...attachments]);
    this.#changed(draftKey, null, null);
  }

  /**
   * The message went somewhere else than into this thread, and is safe there: its draft is cleared as far as the sender had
   * seen it.
   */
  handedOn(threadKey: string, sent: SentDraft): void {
    try {
      this.#clear(threadKey, this.#options.keyOfThread(threadKey), sent);
    } catch (error) {
      this.#options.log.warn("a sent draft could not be deleted", { error: asFault(error).message });
    }
  }

  /** What was written with these words is done: they go, unless something else is there by now. */
  done(threadKey: string, text: string): void {
    try {
      if (this.get(threadKey).text === text)
        this.#clear(threadKey, this.#options.keyOfThread(threadKey), "everything");
    } catch (error) {
      this.#options.log.warn("a draft that is done could not be deleted", { error: asFault(error).message });
    }
  }

  /** The thread of this key is not to be: what was typed into it belongs to the new threads of this workspace. */
  giveToWorkspace(threadKey: string, workspaceId: string): void {
    const { ledger } = this.#options;
    const shared = `new:${workspaceId}`;
    const typed = ledger.get(threadKey);
    if (typed) this.add(shared, typed.text, typed.attachments);
    ledger.delete(threadKey);
    // A window may still hand over what was typed there last.
    this.#givenTo.set(threadKey, shared);
  }

  /** A message comes back to the new threads of a workspace. */
  addToWorkspace(workspaceId: string, text: string, attachments: Attachment[]): void {
    this.add(`new:${workspaceId}`, text, attachments);
  }

  named(threadKey: string, threadId: string): void {
    this.#move(this.keyOf(threadKey), threadId);
  }

  /** codex has forgotten the thread: it is known by its key alone. */
  unnamed(threadKey: string, threadId: string): void {
    this.#apart.add(threadKey);
    this.#move(threadId, threadKey);
  }

  /** Gives drafts of threads that never came to be to their workspace. */
  bringHome(isKnown: (threadKey: string) => boolean): void {
    const { ledger, others } = this.#options;
    for (const key of new Set([...ledger.keys(), ...others.keys()])) {
      const shared = sharedKey(key);
      if (shared === null) continue;
      if (isKnown(key)) {
        this.#apart.add(key);
        continue;
      }
      const draft = ledger.get(key);
      if (draft) this.add(shared, draft.text, draft.attachments);
      ledger.delete(key);
      others.moved(key, shared);
    }
  }

  dispose(): void {
    for (const question of [...this.#questions.values()]) question.answer(null);
  }

  #hasSeen(draftKey: string, seen: SentDraft): boolean {
    if (seen === "everything") return true;
    if (seen === "nothing") return false;
    const change = this.#changes.get(draftKey);
    return change === undefined || change.revision <= seen.revision || change.by === seen.writer;
  }

  #clear(threadKey: string, draftKey: string, sent: SentDraft): void {
    const { ledger, keyOfThread } = this.#options;
    const newKey = keyOfThread(threadKey);
    const by = typeof sent === "string" ? null : sent.writer;
    if (this.#hasSeen(draftKey, sent)) {
      ledger.delete(draftKey);
      this.#changed(draftKey, by, threadKey);
      if (newKey !== draftKey) this.#changed(newKey, by, threadKey);
      return;
    }
    if (newKey === draftKey) return;
    // It is of this thread, unless it was typed into another new one of this workspace.
    const typedIn = this.#changes.get(draftKey)?.threadKey ?? threadKey;
    if (typedIn === threadKey) this.#move(draftKey, newKey);
    else this.#changed(newKey, null, threadKey);
  }

  /** The thread's draft is under another key now, and is the same: to its windows nothing has changed. */
  #move(fromKey: string, toKey: string): void {
    if (fromKey === toKey) return;
    const { ledger } = this.#options;
    this.#options.others.moved(fromKey, toKey);
    const moved = this.#changes.get(fromKey);
    const isFree = !this.#changes.has(toKey) && ledger.get(toKey) === null;
    ledger.move(fromKey, toKey);
    this.#changed(fromKey, null, null);
    if (!isFree) this.#changed(toKey, null, null);
    else if (moved) this.#record(toKey, moved);
  }

  #changed(draftKey: string, by: string | null, threadKey: string | null): number {
    this.#lastRevision += 1;
    this.#record(draftKey, { revision: this.#lastRevision, by, threadKey });
    return this.#lastRevision;
  }

  #record(draftKey: string, change: Changed): void {
    this.#changes.set(draftKey, change);
    const draft = this.#options.ledger.get(draftKey);
    const hasDraft = draft !== null && (draft.text.trim() !== "" || draft.attachments.length > 0);
    this.#options.rows.update(draftKey, { hasDraft });
    for (const question of [...this.#questions.values()]) this.#look(question);
  }

  /** In a later microtask: what changes together, and on disk in one step, is told together, and not before. */
  #look(question: Question): void {
    queueMicrotask(() => {
      const { threadKey, seen } = question;
      if (this.#questions.get(seen.writer) !== question) return;
      try {
        const draftKey = this.#options.keyOfThread(threadKey);
        if (!this.#hasSeen(draftKey, seen)) question.answer(this.get(threadKey));
      } catch (error) {
        question.fail(error);
      }
    });
  }
}

function sharedKey(key: string): string | null {
  const workspaceId = /^new:([^:]+):/.exec(key)?.[1];
  return workspaceId === undefined ? null : `new:${workspaceId}`;
}

function bothTexts(first: string, second: string): string {
  if (first.includes(second)) return first;
  if (second.includes(first)) return second;
  return `${first}\n${second}`;
}

function bothLists(first: Attachment[], second: Attachment[]): Attachment[] {
  const isIn = (each: Attachment) => first.some(({ kind, path }) => kind === each.kind && path === each.path);
  return [...first, ...second.filter((each) => !isIn(each))];
}
