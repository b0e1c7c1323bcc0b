// Follow-ups that are being edited, and the one that is being written: what is typed for them is kept by main like any
// draft, under keys of their own, and outlives a change of the tab, of the thread, and the window.
//
// Races, and what settles each:
// - The entry is taken up or deleted while it is edited: main answers `gone`, or the list is told without it. The editor
//   stays open with what was typed and says so; it can be queued anew, moved to the message field or thrown away.
// - Enter twice: the draft's own guard sends once; while it is saved, nothing can be typed. Enter just when the entry is taken
//   up: what has been sent is not queued a second time for it; that takes another press, after a moment.
// - The window goes away in the middle: `restore` opens the editor again with what had been typed, also when the entry is
//   gone by then. For that, what is being edited in a thread is written down under a key of its own.
// - Another window changes the entry meanwhile: what it said when the editing began is kept, so that it can be told. Our own
//   change is in the list before it is confirmed, and stays there when it never is: that is no other window.

import { create } from "zustand";
import type { CallParams, CallResult } from "../../preload/contract";
import type { FollowUpView } from "../../preload/contract/thread";
import type { Draft, DraftView } from "../composer/draft";
import { DraftBook } from "../composer/draftBook";
import type { DraftIds, DraftMain, DraftTimers } from "../composer/draftMain";
import { type DraftContents, sameContents } from "../composer/mergeDrafts";
import { CallFault } from "../state/callFault";

export interface OpenEdit {
  clientId: string;
  threadKey: string;
  draft: Draft;
  /** What the entry said when the editing began; null: that is not known any more. */
  base: DraftContents | null;
  /** What has been sent as its new contents from here. */
  sent: DraftContents | null;
}

export interface EditsMain extends Pick<DraftMain, "get" | "put" | "park" | "send"> {
  edit(change: CallParams<"followUps.edit">): Promise<CallResult<"followUps.edit">>;
}

export const goneCode = "follow_up_gone";

const nothing: DraftContents = { text: "", attachments: [] };

const newPrefix = "follow-up of ";
const editPrefix = "follow-up ";
const openPrefix = "follow-ups edited in ";

export class FollowUpEdits {
  /** In the order in which they were opened. */
  readonly store = create<{ edits: readonly OpenEdit[] }>(() => ({ edits: [] }));
  readonly #main: EditsMain;
  readonly #book: DraftBook;
  /** The threads whose edits were looked for already. */
  readonly #looked = new Set<string>();
  readonly #releases = new Map<Draft, () => void>();
  /** Their entries have gone: they are queued as new ones. */
  readonly #asNew = new Set<Draft>();

  constructor(main: EditsMain, timers: DraftTimers, ids: DraftIds) {
    this.#main = main;
    this.#book = new DraftBook(
      {
        get: (key) => main.get(key),
        put: (change) => main.put(change),
        park: (key) => main.park(key),
        // Two windows that edit the same entry hear of each other when they put, which is soon enough here.
        next: () => new Promise(() => {}),
        send: (message) => this.#send(message),
      },
      timers,
      ids,
    );
  }

  /** What is being written as a new follow-up of this thread. */
  newOf(threadId: string): Draft {
    return this.#book.of(newPrefix + threadId);
  }

  /** For as long as a field shows it. */
  hold(draft: Draft): () => void {
    return this.#book.hold(draft);
  }

  open(threadKey: string, entry: Pick<FollowUpView, "clientId" | "text" | "attachments">): void {
    const { clientId, text, attachments } = entry;
    if (this.#find(clientId)) return;
    const base = { text, attachments };
    const draft = this.#begin(threadKey, clientId, base);
    once(draft, isRead, () => {
      const { text: typed, attachments: attached } = draft.view;
      if (!this.#find(clientId)) draft.replace(nothing);
      else if (typed === "" && attached.length === 0) draft.replace(base);
    });
  }

  #begin(threadKey: string, clientId: string, base: DraftContents | null): Draft {
    const draft = this.#book.of(editPrefix + clientId);
    this.#releases.set(draft, this.#book.hold(draft));
    this.store.setState(({ edits }) => ({
      edits: [...edits, { clientId, threadKey, draft, base, sent: null }],
    }));
    this.#note(threadKey, clientId, true);
    return draft;
  }

  /** Undoes `cancel`. */
  reopen({ threadKey, clientId, base }: OpenEdit, contents: DraftContents): void {
    if (this.#find(clientId)) return;
    const draft = this.#begin(threadKey, clientId, base);
    once(draft, isRead, () => draft.replace(contents));
  }

  /** Opens the editors of what was being edited when a window went away. `entries`: what waits now. */
  async restore(threadKey: string, entries: readonly FollowUpView[]): Promise<void> {
    if (this.#looked.has(threadKey)) return;
    this.#looked.add(threadKey);
    try {
      const { text: ids } = await this.#main.get(openPrefix + threadKey);
      for (const clientId of ids.split("\n").filter((id) => id !== "")) {
        const { text, attachments } = await this.#main.get(editPrefix + clientId);
        if (text === "" && attachments.length === 0) this.#note(threadKey, clientId, false);
        else if (!this.#find(clientId)) {
          const entry = entries.find((each) => each.clientId === clientId);
          this.#begin(
            threadKey,
            clientId,
            entry ? { text: entry.text, attachments: entry.attachments } : null,
          );
        }
      }
    } catch (error) {
      // They are looked for again when the list is told anew; nothing of them is lost.
      this.#looked.delete(threadKey);
      console.warn("It is not known which follow-ups were being edited", error);
    }
  }

  /** False: there is nothing to save, or it is being saved. */
  save(clientId: string): boolean {
    const draft = this.#find(clientId)?.draft;
    if (!draft) return false;
    const { text, attachments } = draft.view;
    const isSent = draft.send("queue");
    if (isSent) this.#change(draft, { sent: { text, attachments } });
    return isSent;
  }

  /** The entry has gone: what was typed becomes a new one at the end. */
  queueAnew(clientId: string): boolean {
    const edit = this.#find(clientId);
    if (!edit) return false;
    this.#asNew.add(edit.draft);
    return edit.draft.send("queue");
  }

  /** Throws away what was typed; the entry stays as it is. Returns what was thrown away, if it differed from the entry. */
  cancel(clientId: string): DraftContents | null {
    const edit = this.#find(clientId);
    if (!edit || edit.draft.view.sending) return null;
    const { text, attachments } = edit.draft.view;
    edit.draft.replace(nothing);
    this.#close(edit);
    const isUnchanged = edit.base !== null && sameContents({ text, attachments }, edit.base);
    return isUnchanged ? null : { text, attachments };
  }

  /** The page is going away. */
  flushAll(): void {
    this.#book.flushAll();
  }

  async #send(message: CallParams<"messages.send">): Promise<CallResult<"messages.send">> {
    const { threadKey: key, clientId, text, attachments } = message;
    const edit = this.store.getState().edits.find((each) => each.draft.key === key);
    if (!edit || this.#asNew.has(edit.draft)) {
      const threadKey = edit?.threadKey ?? key.slice(newPrefix.length);
      await this.#main.send({ threadKey, clientId, text, attachments, mode: "queue" });
    } else {
      const changed = await this.#main.edit({
        threadKey: edit.threadKey,
        clientId: edit.clientId,
        text,
        attachments,
      });
      if (changed.outcome === "gone") throw new CallFault(goneFault);
    }
    const draft = edit?.draft ?? this.#book.of(key);
    // A put that was on its way has kept what is sent: whatever is left in the field is put after it.
    once(
      draft,
      (view) => !view.sending,
      () => draft.replace(draft.view),
    );
    if (edit) this.#close(edit);
    return { draft: null };
  }

  #find(clientId: string): OpenEdit | undefined {
    return this.store.getState().edits.find((each) => each.clientId === clientId);
  }

  #change(draft: Draft, change: Pick<OpenEdit, "sent">): void {
    this.store.setState(({ edits }) => ({
      edits: edits.map((each) => (each.draft === draft ? { ...each, ...change } : each)),
    }));
  }

  /** Which entries are being edited in a thread, one id a line. */
  #note(threadKey: string, clientId: string, isOpen: boolean): void {
    const notes = this.#book.of(openPrefix + threadKey);
    once(notes, isRead, () => {
      const ids = notes.view.text.split("\n").filter((id) => id !== "" && id !== clientId);
      notes.replace({ text: [...ids, ...(isOpen ? [clientId] : [])].join("\n"), attachments: [] });
    });
  }

  #close(edit: OpenEdit): void {
    this.#note(edit.threadKey, edit.clientId, false);
    this.store.setState(({ edits }) => ({ edits: edits.filter((each) => each.draft !== edit.draft) }));
    this.#asNew.delete(edit.draft);
    this.#releases.get(edit.draft)?.();
    this.#releases.delete(edit.draft);
  }
}

/** Somebody else has changed the entry since the editing began. */
export function isChangedElsewhere({ base, sent, draft }: OpenEdit, entry: DraftContents): boolean {
  if (base === null) return false;
  return ![base, sent, draft.view].some((known) => known !== null && sameContents(known, entry));
}

const goneRestMs = 1_000;

/** Whether Enter is meant for the entry that has gone. Right after it has, it was pressed to save the one that waited. */
export function isEnterForGone(goneSinceMs: number, nowMs: number): boolean {
  return nowMs - goneSinceMs >= goneRestMs;
}

const goneFault = {
  code: goneCode,
  message: "It is not waiting any more.",
  retryable: false,
} as const;

/** What was typed before is here, or cannot be read. */
function isRead(view: DraftView): boolean {
  return view.phase !== "loading";
}

function once(draft: Draft, when: (view: DraftView) => boolean, run: () => void): void {
  if (when(draft.view)) {
    run();
    return;
  }
  const end = draft.subscribe(() => {
    if (!when(draft.view)) return;
    end();
    run();
  });
}
