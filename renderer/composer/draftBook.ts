// What is written and not sent yet, for each thread, on its way to disk and back.
//
// Races, and what settles each:
// - Someone goes from thread to thread while drafts load and are kept: every edit, answer and timer carries the key of its
//   thread. Nothing here knows which thread is shown, so nothing can end up under another one.
// - Writing starts before the kept draft has come: what is kept goes before what was written meanwhile, nothing is lost.
// - The kept draft cannot be loaded: nothing is put over it until it could be; what is written stays here meanwhile.
// - A draft is being kept while more is written: one call at a time for each thread, the last text is always the last put.
// - A message is sent while more is written: only what was sent is taken out of the draft.
// - Keeping fails: it is tried again, less and less often, until it succeeds; the text stays in the field all the while.
// - The page goes away: everything that is not on disk is put at once.

import type { FaultView } from "../../preload/contract/fault";
import type { Attachment } from "../../preload/contract/items";

export interface Draft {
  text: string;
  attachments: readonly Attachment[];
}

export interface DraftView extends Draft {
  /** False while what was kept is still on its way. */
  loaded: boolean;
  /** Why it is not on disk at the moment. */
  fault: FaultView | null;
}

export interface DraftHost {
  get(threadKey: string): Promise<Draft>;
  put(threadKey: string, draft: Draft): Promise<unknown>;
  after(delayMs: number, task: () => void): () => void;
  faultOf(error: unknown): FaultView;
}

export const keepAfterMs = 250;
const firstRetryMs = 1_000;
const lastRetryMs = 30_000;

const empty: DraftView = { text: "", attachments: [], loaded: false, fault: null };

interface Entry {
  view: DraftView;
  /** Counts the edits; `kept` is the one that is on disk. */
  edits: number;
  kept: number;
  putting: boolean;
  /** Loads are numbered: an answer to an earlier one is too late. */
  load: number;
  loading: boolean;
  failures: number;
  cancelKeep: (() => void) | null;
  cancelLoad: (() => void) | null;
}

export class DraftBook {
  readonly #host: DraftHost;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();

  constructor(host: DraftHost) {
    this.#host = host;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  view(threadKey: string): DraftView {
    return this.#entries.get(threadKey)?.view ?? empty;
  }

  /** The thread is shown: what is on disk counts, unless something here is newer. */
  open(threadKey: string): void {
    const entry = this.#entry(threadKey);
    if (entry.loading || entry.putting || entry.edits !== entry.kept) return;
    void this.#load(threadKey, entry);
  }

  edit(threadKey: string, change: Partial<Draft>): void {
    const entry = this.#entry(threadKey);
    entry.edits += 1;
    this.#show(entry, change);
    this.#keepAfter(threadKey, entry, keepAfterMs);
  }

  /** Text that comes back (an undelivered message, a failed send) goes before what has been written since. */
  giveBack(threadKey: string, given: Draft): void {
    const { text, attachments } = this.view(threadKey);
    this.edit(threadKey, {
      text: text === "" ? given.text : given.text === "" ? text : `${given.text}\n\n${text}`,
      attachments: merged(given.attachments, attachments),
    });
    this.flush(threadKey);
  }

  /** A message is safe elsewhere: it is no draft any more. What was written after it stays. */
  sent(threadKey: string, message: Draft): void {
    const { text, attachments } = this.view(threadKey);
    const gone = new Set(message.attachments.map(keyOf));
    this.edit(threadKey, {
      text: text.startsWith(message.text) ? text.slice(message.text.length).trimStart() : text,
      attachments: attachments.filter((each) => !gone.has(keyOf(each))),
    });
    this.flush(threadKey);
  }

  /** The draft was put elsewhere (parked): start empty, and do not put the old one back. */
  forget(threadKey: string): void {
    const entry = this.#entries.get(threadKey);
    entry?.cancelKeep?.();
    entry?.cancelLoad?.();
    this.#entries.delete(threadKey);
    this.#tell();
  }

  flush(threadKey: string): void {
    const entry = this.#entries.get(threadKey);
    if (!entry) return;
    entry.cancelKeep?.();
    entry.cancelKeep = null;
    void this.#keep(threadKey, entry);
  }

  flushAll(): void {
    for (const threadKey of this.#entries.keys()) this.flush(threadKey);
  }

  #entry(threadKey: string): Entry {
    let entry = this.#entries.get(threadKey);
    if (!entry) {
      entry = {
        view: empty,
        edits: 0,
        kept: 0,
        putting: false,
        load: 0,
        loading: false,
        failures: 0,
        cancelKeep: null,
        cancelLoad: null,
      };
      this.#entries.set(threadKey, entry);
      void this.#load(threadKey, entry);
    }
    return entry;
  }

  async #load(threadKey: string, entry: Entry): Promise<void> {
    const load = ++entry.load;
    const editsBefore = entry.edits;
    const wasKept = entry.edits === entry.kept;
    entry.cancelLoad?.();
    entry.cancelLoad = null;
    entry.loading = true;
    try {
      const kept = await this.#host.get(threadKey);
      if (entry.load !== load || this.#entries.get(threadKey) !== entry) return;
      entry.loading = false;
      entry.failures = 0;
      const { view } = entry;
      if (wasKept && entry.edits === editsBefore) {
        if (!view.loaded || view.text !== kept.text || !sameAttachments(view.attachments, kept.attachments)) {
          this.#show(entry, { ...kept, loaded: true, fault: null });
        }
        return;
      }
      // Written before it came: on a first load both are kept, later what is here is the newer one.
      const first = !view.loaded;
      this.#show(entry, {
        text: first ? kept.text + view.text : view.text,
        attachments: first ? merged(kept.attachments, view.attachments) : view.attachments,
        loaded: true,
        fault: null,
      });
      this.#keepAfter(threadKey, entry, keepAfterMs);
    } catch (error) {
      if (entry.load !== load || this.#entries.get(threadKey) !== entry) return;
      entry.loading = false;
      this.#show(entry, { fault: this.#host.faultOf(error) });
      entry.cancelLoad = this.#host.after(this.#retryDelayMs(entry), () => void this.#load(threadKey, entry));
    }
  }

  #keepAfter(threadKey: string, entry: Entry, delayMs: number): void {
    entry.cancelKeep?.();
    entry.cancelKeep = this.#host.after(delayMs, () => {
      entry.cancelKeep = null;
      void this.#keep(threadKey, entry);
    });
  }

  async #keep(threadKey: string, entry: Entry): Promise<void> {
    if (entry.putting || entry.edits === entry.kept) return;
    if (!entry.view.loaded) return;
    const { edits } = entry;
    const { text, attachments } = entry.view;
    entry.putting = true;
    try {
      await this.#host.put(threadKey, { text, attachments });
      entry.kept = edits;
      entry.failures = 0;
      entry.putting = false;
      if (entry.view.fault !== null) this.#show(entry, { fault: null });
      // Written while it was being kept: its timer may have come and gone.
      if (entry.edits !== edits && entry.cancelKeep === null) void this.#keep(threadKey, entry);
    } catch (error) {
      entry.putting = false;
      this.#show(entry, { fault: this.#host.faultOf(error) });
      this.#keepAfter(threadKey, entry, this.#retryDelayMs(entry));
    }
  }

  #retryDelayMs(entry: Entry): number {
    const delayMs = Math.min(lastRetryMs, firstRetryMs * 2 ** entry.failures);
    entry.failures += 1;
    return delayMs;
  }

  #show(entry: Entry, change: Partial<DraftView>): void {
    entry.view = { ...entry.view, ...change };
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function keyOf(attachment: Attachment): string {
  return `${attachment.kind} ${attachment.path}`;
}

function merged(first: readonly Attachment[], second: readonly Attachment[]): Attachment[] {
  const known = new Set(first.map(keyOf));
  return [...first, ...second.filter((each) => !known.has(keyOf(each)))];
}

function sameAttachments(a: readonly Attachment[], b: readonly Attachment[]): boolean {
  return a.length === b.length && a.every((each, index) => keyOf(each) === (b[index] && keyOf(b[index])));
}
