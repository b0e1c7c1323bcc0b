// What is typed for one thread and not sent yet. A draft is made for one key and never hears of another: whatever is
// read, kept or sent for it goes under that key, however the window moves on meanwhile. Main has it for all windows.
//
// Races, and what settles each:
// - Someone goes quickly from thread to thread: each thread has its own draft with its own key, its own text and its own
//   timer. A late answer finds the draft that asked, never the one on the screen.
// - Someone types before the kept text is there: nothing is put until it is, so that a first letter never replaces a
//   page; both are then shown, the kept one first.
// - Enter twice, or Enter and a click: `sending` is set in the same turn of the event loop, so the second finds it. One
//   press has one client id.
// - Someone types while a message is on its way: only what was sent is taken out when main has it, and nothing is kept
//   meanwhile, so that what was sent does not come back as a draft. When it fails, all of it is still there.
// - The page goes away while a message is on its way: only what was typed since is put, after the message on the same
//   port; what was sent was put before it and is main's to delete.
// - The page goes away while a put is on its way, which may come back refused: the text is put once more as the last one.
// - Another window changes it: revisions are main's, and an older one never replaces a newer. What is typed here and not
//   kept yet stays; the other's change is worked into it (see mergeDrafts) and the result is put next, so that both end the
//   same. A put that had not seen the other's change is refused by main and ends in the same way.
// - Another window's change comes while a call of this window's own is on its way, or letters are being composed: it waits
//   for their end. Of this window's own changes nothing is told to it but the answers to its calls.

import type { KeptDraft } from "../../preload/contract";
import type { FaultView } from "../../preload/contract/fault";
import type { Attachment } from "../../preload/contract/items";
import { faultOf } from "../state/callFault";
import { afterSending, withoutSent } from "./afterSending";
import type { DraftIds, DraftMain, DraftTimers, SendMode } from "./draftMain";
import { type DraftContents, mergeDrafts, sameContents } from "./mergeDrafts";

export interface DraftFault {
  /** What did not work: reading the kept text, keeping it, sending it. */
  what: "load" | "keep" | "send";
  fault: FaultView;
}

export interface DraftView {
  phase: "loading" | "ready" | "unreadable";
  text: string;
  attachments: readonly Attachment[];
  /** Images that are being copied. Nothing is sent before they are there. */
  attaching: number;
  sending: boolean;
  /** It was changed in two windows at once, in the same place: it now has both. */
  bothKept: boolean;
  fault: DraftFault | null;
}

export const keepAfterMs = 250;
/** Someone who never pauses has their text kept all the same. */
export const keepAtLeastEveryMs = 1_000;
const firstRetryMs = 250;
const lastRetryMs = 10_000;

export class Draft {
  readonly key: string;
  readonly #main: DraftMain;
  readonly #timers: DraftTimers;
  readonly #ids: DraftIds;
  readonly #listeners = new Set<() => void>();
  #view: DraftView = {
    phase: "loading",
    text: "",
    attachments: [],
    attaching: 0,
    sending: false,
    bothKept: false,
    fault: null,
  };
  /** The newest that this window has seen and that what is shown goes on from. */
  #seen: KeptDraft = { revision: 0, text: "", attachments: [] };
  /** A newer one that has to wait. */
  #late: KeptDraft | null = null;
  #composing = false;
  /** Counts how often following began or ended: a loop of an earlier count ends. */
  #follows = 0;
  #isFollowing = false;
  #onArrival: ((text: string) => void) | null = null;
  #unkept = false;
  #unkeptSinceMs = 0;
  #puts = 0;
  #cancelTimer: (() => void) | null = null;
  #sent: DraftContents | null = null;
  /** Send was pressed before the kept text was there. */
  #sendWhenLoaded: { mode: SendMode; handOver: DraftMain["send"] } | null = null;
  #loads = 0;

  constructor(key: string, main: DraftMain, timers: DraftTimers, ids: DraftIds) {
    this.key = key;
    this.#main = main;
    this.#timers = timers;
    this.#ids = ids;
    void this.#load();
  }

  get view(): DraftView {
    return this.#view;
  }

  /** Nothing is on its way and nothing is only here: the draft can be let go of. */
  get isSettled(): boolean {
    const { phase, text, attachments, attaching, sending } = this.#view;
    const onlyHere = phase !== "ready" && (text !== "" || attachments.length > 0);
    return (
      !sending && attaching === 0 && this.#puts === 0 && !this.#unkept && this.#late === null && !onlyHere
    );
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  edit(text: string): void {
    const { attachments, text: before } = this.#view;
    if (text === before) return;
    // A file that is mentioned goes with its mention in the text.
    const left = attachments.filter(
      ({ kind, name }) => kind !== "mention" || text.includes(name) || !before.includes(name),
    );
    this.#change({ text, attachments: left.length === attachments.length ? attachments : left });
    this.#changedByPerson();
  }

  attach(added: readonly Attachment[]): void {
    const { attachments } = this.#view;
    const fresh: Attachment[] = [];
    for (const each of added) {
      if (withoutSent([each], [...attachments, ...fresh]).length > 0) fresh.push(each);
    }
    if (fresh.length === 0) return;
    this.#change({ attachments: [...attachments, ...fresh] });
    this.#changedByPerson();
  }

  /** Adds what `work` comes back with, however long it takes and whatever is shown by then. Rejects as `work` does. */
  async attachWhenSaved(work: Promise<readonly Attachment[]>): Promise<void> {
    this.#change({ attaching: this.#view.attaching + 1 });
    try {
      this.attach(await work);
    } finally {
      this.#change({ attaching: this.#view.attaching - 1 });
      this.flush();
    }
  }

  detach(attachment: Attachment): void {
    const attachments = this.#view.attachments.filter((each) => each !== attachment);
    this.#change({ attachments });
    this.#changedByPerson();
  }

  /** Hears of other windows' changes from now on. */
  follow(): void {
    this.#follows += 1;
    this.#isFollowing = true;
    if (this.#view.phase === "ready") void this.#listen(this.#follows);
  }

  unfollow(): void {
    this.#follows += 1;
    this.#isFollowing = false;
  }

  /** Main has changed it itself, just now. */
  async refresh(): Promise<void> {
    if (this.#view.phase !== "ready") return;
    try {
      this.#heard(await this.#main.get(this.key));
    } catch (error) {
      this.#change({ fault: { what: "load", fault: faultOf(error) } });
    }
  }

  /** `listener` is handed the text of another window before it is shown, in the turn in which it is. */
  onArrival(listener: (text: string) => void): () => void {
    this.#onArrival = listener;
    return () => {
      if (this.#onArrival === listener) this.#onArrival = null;
    };
  }

  /** Letters are being composed: the field must not be changed under them. */
  setComposing(composing: boolean): void {
    this.#composing = composing;
    if (!composing) this.#takeLate();
  }

  dismissBothKept(): void {
    this.#change({ bothKept: false });
  }

  dismissFault(): void {
    this.#change({ fault: null });
  }

  retryLoad(): void {
    if (this.#view.phase === "unreadable") void this.#load();
  }

  /** Puts other contents in the place of what there is, at the person's word. */
  replace({ text, attachments }: DraftContents): void {
    this.#change({ text, attachments, bothKept: false, fault: null });
    this.#changedByPerson();
    this.flush();
  }

  /** Hands over at once what is not kept yet. */
  flush(): void {
    const { phase, sending } = this.#view;
    if (this.#unkept && phase === "ready" && !sending && this.#late === null) this.#put(this.#view);
  }

  /** The page is going away: also hands over what was typed while a message was on its way. */
  flushAtEnd(): void {
    if (this.#view.phase !== "ready") return;
    if (this.#sent === null) {
      if (this.#unkept || this.#puts > 0) this.#put(this.#view, true);
      return;
    }
    const left = this.#left(this.#sent);
    if (left.text !== "" || left.attachments.length > 0) this.#put(left, true);
  }

  /** Puts the kept text aside into a file; says where that is. */
  async park(): Promise<string> {
    this.flush();
    const aside = this.#view.phase === "ready" ? this.#view : null;
    const { path, draft } = await this.#main.park(this.key);
    this.#loads += 1;
    // What could not be read was put aside; what was typed meanwhile is none of it.
    const left = aside === null ? this.#view : this.#left(aside);
    this.#see(draft);
    this.#unkept = !sameContents(left, this.#seen);
    this.#ready({ text: left.text, attachments: left.attachments, fault: null });
    this.#takeLate();
    this.flush();
    return path;
  }

  /**
   * One press of a button or a key. False: there is nothing to send, or it is being sent. `handOver`: to whom it goes, where
   * that is not the thread.
   */
  send(mode: SendMode, handOver: DraftMain["send"] = (message) => this.#main.send(message)): boolean {
    const { phase, text, attachments, attaching, sending } = this.#view;
    if (sending || attaching > 0 || (text.trim() === "" && attachments.length === 0)) return false;
    if (phase !== "ready") {
      if (phase === "loading") this.#sendWhenLoaded = { mode, handOver };
      return phase === "loading";
    }
    this.flush();
    const sent: DraftContents = { text, attachments };
    this.#sent = sent;
    this.#change({ sending: true, bothKept: false, fault: null });
    void this.#deliver(sent, mode, handOver);
    return true;
  }

  async #deliver(sent: DraftContents, mode: SendMode, handOver: DraftMain["send"]): Promise<void> {
    const { text, attachments } = sent;
    try {
      const { draft } = await handOver({
        threadKey: this.key,
        clientId: this.#ids.newClientId(),
        text,
        attachments: [...attachments],
        mode,
        seen: this.#seenByUs,
      });
      const left = this.#left(sent);
      this.#sent = null;
      this.#unkept = !sameContents(left, this.#seen);
      this.#change({ ...left, sending: false });
      // What main has left of it: nothing, or what this window had not seen.
      if (draft) this.#heard(draft);
    } catch (error) {
      this.#sent = null;
      this.#unkept = true;
      this.#change({ sending: false, fault: { what: "send", fault: faultOf(error) } });
    }
    this.#takeLate();
    this.flush();
  }

  #left(sent: DraftContents): DraftContents {
    return {
      text: afterSending(this.#view.text, sent.text),
      attachments: withoutSent(this.#view.attachments, sent.attachments),
    };
  }

  get #seenByUs() {
    return { revision: this.#seen.revision, writer: this.#ids.writer };
  }

  /** Ends once following has ended or begun anew. */
  async #listen(follow: number): Promise<void> {
    let failures = 0;
    while (follow === this.#follows) {
      const revision = Math.max(this.#seen.revision, this.#late?.revision ?? 0);
      try {
        const seen = { revision, writer: this.#ids.writer };
        const { draft } = await this.#main.next({ threadKey: this.key, seen });
        failures = 0;
        if (draft && follow === this.#follows) this.#heard(draft);
      } catch (error) {
        // Nothing is lost by hearing later: what is put meanwhile is refused if it must be.
        console.warn("Another window's typing cannot be heard of", faultOf(error).message);
        const inMs = Math.min(lastRetryMs, firstRetryMs * 2 ** failures);
        failures += 1;
        await new Promise<void>((resolve) => this.#timers.after(inMs, resolve));
      }
    }
  }

  #see(draft: KeptDraft): void {
    if (draft.revision >= this.#seen.revision) this.#seen = draft;
  }

  #heard(draft: KeptDraft): void {
    const newest = Math.max(this.#seen.revision, this.#late?.revision ?? 0);
    if (draft.revision <= newest) return;
    this.#late = draft;
    this.#takeLate();
  }

  #takeLate(): void {
    const theirs = this.#late;
    const { phase, sending } = this.#view;
    if (theirs === null || phase !== "ready" || sending || this.#puts > 0 || this.#composing) return;
    this.#late = null;
    if (theirs.revision <= this.#seen.revision) return;
    const { bothKept, ...merged } = mergeDrafts(this.#seen, this.#view, theirs);
    this.#seen = theirs;
    this.#unkept = !sameContents(merged, theirs);
    if (!this.#unkept) this.#stopTimer();
    if (merged.text !== this.#view.text) this.#onArrival?.(merged.text);
    const stays = merged.text !== "" && (bothKept || this.#view.bothKept);
    this.#change({ ...merged, bothKept: stays });
    this.flush();
  }

  async #load(): Promise<void> {
    this.#loads += 1;
    const load = this.#loads;
    this.#change({ phase: "loading", fault: null });
    try {
      const kept = await this.#main.get(this.key);
      if (load !== this.#loads) return;
      this.#loaded(kept);
    } catch (error) {
      if (load !== this.#loads) return;
      this.#sendWhenLoaded = null;
      this.#change({ phase: "unreadable", fault: { what: "load", fault: faultOf(error) } });
    }
  }

  #loaded(kept: KeptDraft): void {
    this.#see(kept);
    const { text, attachments } = this.#view;
    const typed = text !== "" || attachments.length > 0;
    const wasEmpty = kept.text === "" && kept.attachments.length === 0;
    const press = this.#sendWhenLoaded;
    this.#sendWhenLoaded = null;
    this.#ready({
      text: joined(kept.text, text),
      attachments: [...kept.attachments, ...withoutSent(attachments, kept.attachments)],
    });
    if (!typed) return;
    this.#unkept = true;
    // What was pressed for a line is not done for a page that turned out to stand before it.
    if (press !== null && wasEmpty) this.send(press.mode, press.handOver);
    else this.flush();
  }

  #changedByPerson(): void {
    if (!this.#unkept) this.#unkeptSinceMs = this.#timers.nowMs();
    this.#unkept = true;
    this.#stopTimer();
    const waitedMs = this.#timers.nowMs() - this.#unkeptSinceMs;
    const inMs = Math.max(0, Math.min(keepAfterMs, keepAtLeastEveryMs - waitedMs));
    this.#cancelTimer = this.#timers.after(inMs, () => {
      this.#cancelTimer = null;
      this.flush();
    });
  }

  #put({ text, attachments }: DraftContents, isLast = false): void {
    this.#stopTimer();
    this.#unkept = false;
    this.#puts += 1;
    const kept = { text, attachments: [...attachments] };
    this.#main.put({ threadKey: this.key, ...kept, seen: this.#seenByUs, isLast }).then(
      (answer) => {
        this.#puts -= 1;
        this.#change(this.#view.fault?.what === "keep" ? { fault: null } : {});
        if (answer.outcome === "kept") this.#see({ revision: answer.revision, ...kept });
        else {
          this.#unkept = true;
          this.#heard(answer.draft);
        }
        this.#takeLate();
        if (answer.outcome === "behind") this.flush();
      },
      (error: unknown) => {
        this.#puts -= 1;
        this.#unkept = true;
        this.#change(this.#view.fault === null ? { fault: { what: "keep", fault: faultOf(error) } } : {});
        this.#takeLate();
      },
    );
  }

  #ready(part: Partial<DraftView>): void {
    const wasReady = this.#view.phase === "ready";
    this.#change({ ...part, phase: "ready" });
    if (!wasReady && this.#isFollowing) void this.#listen(this.#follows);
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #change(part: Partial<DraftView>): void {
    this.#view = { ...this.#view, ...part };
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Two texts that belong to the same field, each on lines of its own. */
function joined(first: string, second: string): string {
  if (first === "" || second === "") return first + second;
  return `${first}\n${second}`;
}
