// One script in this window's hands: what is typed, what main has of it, and what is on its way. It is made for one script
// and never hears of another.
//
// Races, and what settles each:
// - Typing goes on while a save is on its way: there is one save at a time; what was typed since goes with the next one.
// - Another window saves the same script: revisions are main's. With nothing unsaved here, theirs is taken. What only one
//   of the two has changed (the name here, the text there) is put together. Otherwise nothing is saved any more until the
//   person has chosen, and typing goes on meanwhile.
// - A save of this window is refused because it had not seen theirs: the same.
// - This window's own save is told to it as a change of the list, before or after its answer: a change that is heard of
//   while a save is on its way is looked at after it, and a revision that is not newer is nothing new.
// - Main is away, or the disk is full: the text stays here and is tried again, with longer and longer pauses and at once
//   when main is back.
// - The page goes away with something unsaved: it is sent as the last word, and where it does not fit what main has by
//   then, main keeps it as a script of its own. With a save on its way, that one is taken to be kept.
// - A script that came with Holdfast is typed into: a copy is asked for with the text as it is; what is typed until the copy
//   is there goes into it (see ScriptBook).

import type { KeptScript } from "../../../preload/contract";
import type { FaultView } from "../../../preload/contract/fault";
import { faultOf } from "../../state/callFault";
import type { ScriptMain, ScriptTimers } from "./scriptMain";

export type Saving =
  | { state: "saved" }
  | { state: "saving" }
  /** It is tried again by itself, unless the script is gone. */
  | { state: "failing"; fault: FaultView };

export interface ReadyScript {
  phase: "ready";
  origin: KeptScript["origin"];
  name: string;
  source: string;
  saving: Saving;
  /** What another window has made of it, while this one holds something else. */
  theirs: KeptScript | null;
}

export type ScriptView =
  | { phase: "loading" }
  /** It cannot be read, or is gone. */
  | { phase: "unreadable"; fault: FaultView }
  | ReadyScript;

export const saveAfterMs = 400;
/** Someone who never pauses has their words kept all the same. */
export const saveAtLeastEveryMs = 2_000;
const firstRetryMs = 500;
const lastRetryMs = 10_000;

type Words = Pick<KeptScript, "name" | "source">;

function sameWords(a: Words, b: Words): boolean {
  return a.name === b.name && a.source === b.source;
}

export class EditedScript {
  readonly scriptId: string;
  readonly #main: ScriptMain;
  readonly #timers: ScriptTimers;
  readonly #listeners = new Set<() => void>();
  #view: ScriptView = { phase: "loading" };
  /** The newest that main has and this window has seen. */
  #seen: KeptScript | null = null;
  #sent: Words | null = null;
  #reading = false;
  /** A change was heard of that has to wait. */
  #isStale = false;
  /** What is unsaved was to go at once, when a save was on its way. */
  #isUrgent = false;
  #failures = 0;
  #unsavedSinceMs: number | null = null;
  #cancelTimer: (() => void) | null = null;
  #onCopyWanted: (() => void) | null = null;

  constructor(scriptId: string, main: ScriptMain, timers: ScriptTimers) {
    this.scriptId = scriptId;
    this.#main = main;
    this.#timers = timers;
    void this.#read();
  }

  get view(): ScriptView {
    return this.#view;
  }

  /** Nothing is on its way and nothing is only here. */
  get isSettled(): boolean {
    return !this.#reading && this.#sent === null && !this.#isUnsaved;
  }

  get #isUnsaved(): boolean {
    return this.#view.phase === "ready" && this.#seen !== null && !sameWords(this.#view, this.#seen);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once it has been read, or could not be. */
  async loaded(): Promise<void> {
    if (this.#view.phase !== "loading") return;
    await new Promise<void>((resolve) => {
      const stop = this.subscribe(() => {
        if (this.#view.phase === "loading") return;
        stop();
        resolve();
      });
    });
  }

  /** Called when a script that came with Holdfast has been typed into. */
  onCopyWanted(listener: () => void): void {
    this.#onCopyWanted = listener;
  }

  edit(source: string): void {
    if (this.#view.phase !== "ready" || source === this.#view.source) return;
    this.#put({ source });
  }

  rename(name: string): void {
    const wanted = name.trim();
    if (this.#view.phase !== "ready" || wanted === "" || wanted === this.#view.name) return;
    this.#put({ name: wanted });
    this.flush();
  }

  /** Its row in the list has changed: perhaps in another window. */
  heard(): void {
    this.#isStale = true;
    this.#takeStale();
  }

  /** Tries at once what is to be tried again. */
  retry(): void {
    if (this.#view.phase === "unreadable") void this.#read();
    else if (this.#view.phase === "ready" && this.#view.saving.state === "failing") {
      if (this.#view.origin === "shipped") this.#onCopyWanted?.();
      else this.#save();
    }
  }

  /** Saves at once what is not saved yet. */
  flush(): void {
    if (this.#sent !== null) this.#isUrgent = true;
    else if (this.#isUnsaved) this.#save();
  }

  /** The page is going away. */
  flushAtEnd(): void {
    if (this.#view.phase !== "ready" || this.#seen === null || this.#view.origin === "shipped") return;
    const { name, source } = this.#view;
    if (this.#sent === null ? !this.#isUnsaved : sameWords(this.#view, this.#sent)) return;
    const revision = this.#seen.revision + (this.#sent === null ? 0 : 1);
    const { scriptId } = this;
    this.#main.save({ scriptId, name, source, revision, orCopy: true }).catch((error: unknown) => {
      console.warn("The last words of a script could not be saved", faultOf(error).message);
    });
  }

  /** What is here takes the place of what the other window has made of it. */
  keepMine(): void {
    if (this.#view.phase !== "ready" || this.#view.theirs === null) return;
    this.#seen = this.#view.theirs;
    this.#change({ theirs: null, saving: { state: "saving" } });
    this.flush();
  }

  takeTheirs(): void {
    if (this.#view.phase !== "ready" || this.#view.theirs === null) return;
    this.#take(this.#view.theirs);
  }

  /** Of a script that came with Holdfast: what was typed is in a copy now. */
  forgetWords(): void {
    if (this.#seen !== null) this.#take(this.#seen);
  }

  /** The copy could not be made. What was typed stays. */
  copyFailed(error: unknown): void {
    this.#change({ saving: { state: "failing", fault: faultOf(error) } });
  }

  #put(words: Partial<Words>): void {
    this.#unsavedSinceMs ??= this.#timers.nowMs();
    const isCopying = this.#view.phase === "ready" && this.#view.saving.state === "saving";
    this.#change({ ...words, saving: { state: "saving" } });
    if (this.#view.phase !== "ready") return;
    if (this.#view.origin === "shipped") {
      if (!isCopying) this.#onCopyWanted?.();
      return;
    }
    if (!this.#isUnsaved && this.#sent === null) this.#settle();
    else this.#wait();
  }

  #wait(): void {
    const waitedMs = this.#timers.nowMs() - (this.#unsavedSinceMs ?? this.#timers.nowMs());
    this.#startTimer(Math.min(saveAfterMs, Math.max(0, saveAtLeastEveryMs - waitedMs)));
  }

  #startTimer(ms: number): void {
    this.#stopTimer();
    this.#cancelTimer = this.#timers.after(ms, () => {
      this.#cancelTimer = null;
      if (this.#isUnsaved) this.#save();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #save(): void {
    const { scriptId } = this;
    const view = this.#view;
    if (view.phase !== "ready" || this.#seen === null || view.origin === "shipped") return;
    if (this.#sent !== null || view.theirs !== null) return;
    this.#stopTimer();
    const sent: Words = { name: view.name, source: view.source };
    this.#sent = sent;
    this.#isUrgent = false;
    this.#unsavedSinceMs = null;
    this.#change({ saving: { state: "saving" } });
    void this.#main.save({ scriptId, ...sent, revision: this.#seen.revision }).then(
      (answer) => {
        this.#sent = null;
        this.#failures = 0;
        if (answer.outcome === "kept") {
          this.#seen = { ...sent, origin: "own", revision: answer.revision };
          this.#goOn();
        } else this.#meet(answer.script);
        this.#takeStale();
      },
      (error: unknown) => {
        this.#sent = null;
        const fault = faultOf(error);
        this.#change({ saving: { state: "failing", fault } });
        this.#failures += 1;
        // One that is gone is saved again when it is back: its row is heard of then.
        if (fault.code !== "script_unknown") {
          this.#startTimer(Math.min(lastRetryMs, firstRetryMs * 2 ** (this.#failures - 1)));
        }
        this.#takeStale();
      },
    );
  }

  #goOn(): void {
    if (!this.#isUnsaved) this.#settle();
    else if (this.#isUrgent) this.#save();
    else this.#wait();
  }

  #settle(): void {
    this.#stopTimer();
    this.#unsavedSinceMs = null;
    this.#isUrgent = false;
    this.#change({ saving: { state: "saved" } });
  }

  #takeStale(): void {
    if (!this.#isStale || this.#sent !== null || this.#reading) return;
    void this.#read();
  }

  async #read(): Promise<void> {
    this.#reading = true;
    this.#isStale = false;
    if (this.#view.phase === "unreadable") this.#show({ phase: "loading" });
    try {
      const script = await this.#main.read(this.scriptId);
      this.#reading = false;
      // A save that began meanwhile meets a newer revision by itself.
      if (this.#sent === null) this.#meet(script);
      else this.#isStale = true;
    } catch (error) {
      this.#reading = false;
      // What is here stays; whether it is still in the list is said where the list is known.
      if (this.#view.phase !== "ready") this.#show({ phase: "unreadable", fault: faultOf(error) });
    }
    this.#takeStale();
  }

  /** What main has, as far as this window knew of it or not. */
  #meet(script: KeptScript): void {
    const mine = this.#view;
    const seen = this.#seen;
    if (mine.phase !== "ready" || seen === null) {
      this.#take(script);
      return;
    }
    if (script.revision <= seen.revision) {
      if (mine.saving.state === "failing") this.#save();
      return;
    }
    if (mine.theirs === null) {
      const put = putTogether(seen, mine, script);
      if (put !== null) {
        this.#seen = script;
        this.#change(put);
        this.#goOn();
        return;
      }
    }
    if (sameWords(mine, script)) this.#take(script);
    else this.#change({ theirs: script });
  }

  #take(script: KeptScript): void {
    this.#seen = script;
    this.#stopTimer();
    this.#unsavedSinceMs = null;
    const { origin, name, source } = script;
    this.#show({ phase: "ready", origin, name, source, saving: { state: "saved" }, theirs: null });
  }

  #change(part: Partial<Omit<ReadyScript, "phase">>): void {
    if (this.#view.phase === "ready") this.#show({ ...this.#view, ...part });
  }

  #show(view: ScriptView): void {
    this.#view = view;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Name and text, each from whoever has changed it. Null: both have changed the same. */
function putTogether(seen: Words, mine: Words, theirs: Words): Words | null {
  const name = changedBy(seen.name, mine.name, theirs.name);
  const source = changedBy(seen.source, mine.source, theirs.source);
  return name === null || source === null ? null : { name, source };
}

function changedBy(seen: string, mine: string, theirs: string): string | null {
  if (mine === seen || mine === theirs) return theirs;
  return theirs === seen ? mine : null;
}
