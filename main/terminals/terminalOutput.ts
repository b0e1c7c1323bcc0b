// What one terminal has printed, and the windows that show it.
//
// Races settled here:
// - A window begins to show it while it prints: the snapshot and the first change are cut at the same byte.
// - A program asks its terminal something (where the cursor is, what it can do), which whoever shows it answers. Several windows
//   may show it, and one that is loaded again gets old questions with the snapshot: one window answers, the one that has shown it
//   longest, and each question once. When it goes, the next takes over with what comes from then on.
// - The clock of the machine is put back: what was marked by it then is late, and not still to come.
// - Nobody shows it when it asks: who comes within a few seconds answers. Later nobody waits for that any more, and the answer
//   would be taken for typed.

import type { TerminalChange, TerminalSnapshot } from "../../preload/contract/terminals";
import type { Clock } from "../clock";
import type { TerminalSize } from "./place";
import { Scrollback } from "./scrollback";

export type TerminalListener = (changes: TerminalChange[], urgent: boolean) => void;

export interface OpenTerminal {
  snapshot: TerminalSnapshot;
  /** The same as it is now, for a window that could not keep up. */
  now(): TerminalSnapshot;
  close(): void;
}

/** Many more lines than a window shows of it. */
const scrollbackBytes = 1024 * 1024;
const mostGaps = 200;
const mostSizes = 200;
const lateAnswerMs = 5_000;
const markEveryMs = 250;
/** What comes after so long a pause is what somebody waits for: an echo, a prompt. */
const pauseMs = 30;

export class TerminalOutput {
  readonly #clock: Clock;
  readonly #scrollback: Scrollback;
  #gaps: number[] = [];
  #sizes: TerminalSnapshot["sizes"] = [];
  /** The first is the one that answers. */
  #listeners: TerminalListener[] = [];
  /** What nobody was there to answer: when, and from which byte on. */
  #unanswered: { atMs: number; from: number }[] = [];
  #lastAtMs = 0;

  constructor(clock: Clock, limitBytes = scrollbackBytes) {
    this.#clock = clock;
    this.#scrollback = new Scrollback(limitBytes);
  }

  add(bytes: Uint8Array): void {
    const nowMs = this.#clock.nowMs();
    if (this.#listeners.length === 0) this.#mark(nowMs);
    this.#scrollback.add(bytes);
    const urgent = Math.abs(nowMs - this.#lastAtMs) >= pauseMs;
    this.#lastAtMs = nowMs;
    this.#tell({ type: "output", bytes }, urgent);
  }

  gap(): void {
    const { end } = this.#scrollback;
    if (this.#gaps.at(-1) === end) return;
    this.#gaps.push(end);
    if (this.#gaps.length > mostGaps) this.#gaps.shift();
    this.#tell({ type: "gap" }, false);
  }

  /** What is printed from now on is drawn for this size. */
  resized({ columns, rows }: TerminalSize): void {
    const { end } = this.#scrollback;
    this.#sizes = [...this.#sizes.filter(({ from }) => from < end), { from: end, columns, rows }].slice(
      -mostSizes,
    );
  }

  open(listener: TerminalListener): OpenTerminal {
    // A listener of its own, also if the same function is given twice.
    const held: TerminalListener = (changes, urgent) => listener(changes, urgent);
    const isFirst = this.#listeners.length === 0;
    const snapshot = this.#read(isFirst ? this.#firstUnanswered() : null);
    this.#listeners = [...this.#listeners, held];
    this.#unanswered = [];
    return {
      snapshot,
      now: () => this.#read(this.#listeners[0] === held ? this.#scrollback.end : null),
      close: () => this.#leave(held),
    };
  }

  #leave(listener: TerminalListener): void {
    const wasFirst = this.#listeners[0] === listener;
    this.#listeners = this.#listeners.filter((other) => other !== listener);
    if (wasFirst) this.#listeners[0]?.([{ type: "answers" }], false);
  }

  #tell(change: TerminalChange, urgent: boolean): void {
    for (const listener of this.#listeners) listener([change], urgent);
  }

  #read(answersFrom: number | null): TerminalSnapshot {
    const { bytes, from } = this.#scrollback.read();
    return {
      output: bytes,
      earlierBytes: from,
      gaps: this.#gaps.filter((at) => at >= from),
      sizes: this.#sizes,
      answersFrom,
    };
  }

  #mark(atMs: number): void {
    const last = this.#unanswered.at(-1);
    if (last === undefined || Math.abs(atMs - last.atMs) >= markEveryMs) {
      this.#unanswered.push({ atMs, from: this.#scrollback.end });
    }
    this.#forgetLate(atMs);
  }

  #firstUnanswered(): number {
    this.#forgetLate(this.#clock.nowMs());
    return this.#unanswered[0]?.from ?? this.#scrollback.end;
  }

  #forgetLate(nowMs: number): void {
    this.#unanswered = this.#unanswered.filter(({ atMs }) => Math.abs(nowMs - atMs) <= lateAnswerMs);
  }
}
