// Changes of one terminal that wait for a window: pieces of output become one, and keep their place around what is no output.
// More than a window can take in one go is not kept here: the terminal is asked for what it has when the window is ready
// for it. So a flood costs a bounded amount of memory, and a slow window sees less of it, never later.
//
// What that rests on: whatever the terminal has published by now has gone through `add`, so that what it has now begins, as
// far as this window is concerned, where that which was not taken began.

import type { TerminalChange, TerminalSnapshot } from "../../preload/contract/terminals";
import type { Merger } from "./mergeChanges";

/** What comes from a terminal itself, one by one. */
type Told = Exclude<TerminalChange, { type: "restart" }>;

export class TerminalMerger implements Merger<TerminalChange> {
  readonly #limitBytes: number;
  #now: (() => TerminalSnapshot) | null = null;
  #list: TerminalChange[] = [];
  /** The output at the end of the list, which further output joins. */
  #pieces: Uint8Array[] = [];
  /** How much was printed since the last `take`. */
  #printed = 0;
  /** How much of it was printed when the window was told to answer. */
  #answersFrom: number | null = null;
  #isTooMuch = false;

  constructor(limitBytes = 256 * 1024) {
    this.#limitBytes = limitBytes;
  }

  /** Whose changes these are, and who is asked when they are too many. Nothing is taken before. */
  askAgain<Opened extends { now(): TerminalSnapshot }>(opened: Opened): Opened {
    this.#now = () => opened.now();
    return opened;
  }

  get bytes(): number {
    return this.#isTooMuch ? 0 : this.#printed + this.#list.length;
  }

  get isEmpty(): boolean {
    return !this.#isTooMuch && this.#list.length === 0 && this.#pieces.length === 0;
  }

  add(change: TerminalChange): void {
    if (change.type === "restart") throw new Error("A terminal does not start anew by itself.");
    this.#count(change);
    if (this.#isTooMuch) return;
    if (change.type === "output") {
      this.#pieces.push(change.bytes);
    } else {
      this.#endOutput();
      this.#list.push(change);
    }
    if (this.bytes <= this.#limitBytes) return;
    this.#isTooMuch = true;
    this.#list = [];
    this.#pieces = [];
  }

  take(): TerminalChange[] {
    this.#endOutput();
    const list: TerminalChange[] = this.#isTooMuch
      ? [{ type: "restart", snapshot: this.#whole() }]
      : this.#list;
    this.#list = [];
    this.#printed = 0;
    this.#answersFrom = null;
    this.#isTooMuch = false;
    return list;
  }

  #count(change: Told): void {
    if (change.type === "output") this.#printed += change.bytes.length;
    if (change.type === "answers") this.#answersFrom = this.#printed;
  }

  #endOutput(): void {
    if (this.#pieces.length > 0) this.#list.push({ type: "output", bytes: joined(this.#pieces) });
    this.#pieces = [];
  }

  /** What the program has asked in output that the window did not get yet is still to be answered. */
  #whole(): TerminalSnapshot {
    if (this.#now === null) throw new Error("The terminal is not open yet.");
    const snapshot = this.#now();
    if (snapshot.answersFrom === null) return snapshot;
    const end = snapshot.earlierBytes + snapshot.output.length;
    return { ...snapshot, answersFrom: end - this.#printed + (this.#answersFrom ?? 0) };
  }
}

/** A copy of its own: what is posted shares no memory with anything. */
function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
