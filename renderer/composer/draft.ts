// What is typed for one thread and not sent yet. A draft is made for one key and never hears of another: whatever is
// read, kept or sent for it goes under that key, however the window moves on meanwhile.
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

import type { FaultView } from "../../preload/contract/fault";
import type { Attachment } from "../../preload/contract/items";
import { faultOf } from "../state/callFault";
import { afterSending, withoutSent } from "./afterSending";

export type SendMode = "turn" | "steer" | "queue";

/** The part of main that drafts need; tests hand in their own. */
export interface DraftMain {
  get(threadKey: string): Promise<{ text: string; attachments: Attachment[] }>;
  put(threadKey: string, text: string, attachments: Attachment[]): Promise<unknown>;
  park(threadKey: string): Promise<{ path: string }>;
  send(message: {
    threadKey: string;
    clientId: string;
    text: string;
    attachments: Attachment[];
    mode: SendMode;
  }): Promise<unknown>;
}

export interface DraftTimers {
  nowMs(): number;
  /** Returns what cancels it. */
  after(ms: number, run: () => void): () => void;
}

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
  fault: DraftFault | null;
}

export const keepAfterMs = 250;
/** Someone who never pauses has their text kept all the same. */
export const keepAtLeastEveryMs = 1_000;

interface Sent {
  text: string;
  attachments: readonly Attachment[];
}

export class Draft {
  readonly key: string;
  readonly #main: DraftMain;
  readonly #timers: DraftTimers;
  readonly #newClientId: () => string;
  readonly #listeners = new Set<() => void>();
  #view: DraftView = {
    phase: "loading",
    text: "",
    attachments: [],
    attaching: 0,
    sending: false,
    fault: null,
  };
  #unkept = false;
  #unkeptSinceMs = 0;
  #puts = 0;
  #cancelTimer: (() => void) | null = null;
  #sent: Sent | null = null;
  /** Send was pressed before the kept text was there. */
  #sendWhenLoaded: SendMode | null = null;
  #loads = 0;

  constructor(
    key: string,
    main: DraftMain,
    timers: DraftTimers,
    newClientId: () => string = () => crypto.randomUUID(),
  ) {
    this.key = key;
    this.#main = main;
    this.#timers = timers;
    this.#newClientId = newClientId;
    void this.#load();
  }

  get view(): DraftView {
    return this.#view;
  }

  /** Nothing is on its way and nothing is only here: the draft can be let go of. */
  get isSettled(): boolean {
    const { phase, text, attachments, attaching, sending } = this.#view;
    const onlyHere = phase !== "ready" && (text !== "" || attachments.length > 0);
    return !sending && attaching === 0 && this.#puts === 0 && !this.#unkept && !onlyHere;
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

  /** Something that was sent comes back to be edited: before what has been typed since. */
  takeBack(given: { text: string; attachments: readonly Attachment[] }): void {
    const { text } = this.#view;
    this.#change({ text: joined(given.text, text) });
    this.#changedByPerson();
    this.attach(given.attachments);
    this.flush();
  }

  dismissFault(): void {
    this.#change({ fault: null });
  }

  retryLoad(): void {
    if (this.#view.phase === "unreadable") void this.#load();
  }

  /** Hands over at once what is not kept yet. */
  flush(): void {
    if (this.#unkept && this.#view.phase === "ready" && !this.#view.sending) this.#put(this.#view);
  }

  /** The page is going away: also hands over what was typed while a message was on its way. */
  flushAtEnd(): void {
    if (this.#sent === null) {
      this.flush();
      return;
    }
    const left = this.#left(this.#sent);
    if (left.text !== "" || left.attachments.length > 0) this.#put(left);
  }

  /** Puts the kept text aside into a file; says where that is. */
  async park(): Promise<string> {
    this.flush();
    const aside = this.#view.phase === "ready" ? this.#view : null;
    const { path } = await this.#main.park(this.key);
    this.#loads += 1;
    // What could not be read was put aside; what was typed meanwhile is none of it.
    const left = aside === null ? this.#view : this.#left(aside);
    this.#unkept = left.text !== "" || left.attachments.length > 0;
    this.#change({ phase: "ready", text: left.text, attachments: left.attachments, fault: null });
    this.flush();
    return path;
  }

  /** One press of a button or a key. False: there is nothing to send, or it is being sent. */
  send(mode: SendMode): boolean {
    const { phase, text, attachments, attaching, sending } = this.#view;
    if (sending || attaching > 0 || (text.trim() === "" && attachments.length === 0)) return false;
    if (phase !== "ready") {
      if (phase === "loading") this.#sendWhenLoaded = mode;
      return phase === "loading";
    }
    this.flush();
    const sent: Sent = { text, attachments };
    this.#sent = sent;
    this.#change({ sending: true, fault: null });
    void this.#deliver(sent, mode);
    return true;
  }

  async #deliver(sent: Sent, mode: SendMode): Promise<void> {
    const { text, attachments } = sent;
    try {
      await this.#main.send({
        threadKey: this.key,
        clientId: this.#newClientId(),
        text,
        attachments: [...attachments],
        mode,
      });
      const left = this.#left(sent);
      this.#sent = null;
      // Main has deleted what it kept of this draft; what is left of it is new.
      this.#unkept = left.text !== "" || left.attachments.length > 0;
      this.#change({ ...left, sending: false });
    } catch (error) {
      this.#sent = null;
      this.#unkept = true;
      this.#change({ sending: false, fault: { what: "send", fault: faultOf(error) } });
    }
    this.flush();
  }

  #left(sent: Sent): Sent {
    return {
      text: afterSending(this.#view.text, sent.text),
      attachments: withoutSent(this.#view.attachments, sent.attachments),
    };
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

  #loaded(kept: { text: string; attachments: Attachment[] }): void {
    const { text, attachments } = this.#view;
    const typed = text !== "" || attachments.length > 0;
    const wasEmpty = kept.text === "" && kept.attachments.length === 0;
    const press = this.#sendWhenLoaded;
    this.#sendWhenLoaded = null;
    this.#change({
      phase: "ready",
      text: joined(kept.text, text),
      attachments: [...kept.attachments, ...withoutSent(attachments, kept.attachments)],
    });
    if (!typed) return;
    this.#unkept = true;
    // What was pressed for a line is not done for a page that turned out to stand before it.
    if (press !== null && wasEmpty) this.send(press);
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

  #put({ text, attachments }: Sent): void {
    this.#stopTimer();
    this.#unkept = false;
    this.#puts += 1;
    this.#main.put(this.key, text, [...attachments]).then(
      () => {
        this.#puts -= 1;
        this.#change(this.#view.fault?.what === "keep" ? { fault: null } : {});
      },
      (error: unknown) => {
        this.#puts -= 1;
        this.#unkept = true;
        this.#change(this.#view.fault === null ? { fault: { what: "keep", fault: faultOf(error) } } : {});
      },
    );
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
