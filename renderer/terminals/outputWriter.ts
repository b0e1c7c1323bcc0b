// Puts what a terminal prints on a screen, in order, and says when the screen has taken it.
//
// Races settled here:
// - What is put on the screen is taken later, piece by piece: who answers what a program asks changes exactly between two pieces,
//   so that a question is answered by the window whose turn it is, and an old one by nobody.
// - The terminal has had several sizes: what was drawn for one is put on a screen of that size, as it was then.
// - A snapshot comes while earlier output is still being taken: it follows that, and begins with a reset.
// - The screen is closed: what is waited for resolves, since nobody hears of it any more.

import type { TerminalChange, TerminalSnapshot } from "../../preload/contract/terminals";
import type { TerminalSize } from "./fit";

/** What of a terminal emulator is used here. `taken` is called after the piece, before anything of the next. */
export interface Sink {
  write(piece: Uint8Array | string, taken: () => void): void;
  /** Null: as large as it is to be now. */
  resize(size: TerminalSize | null): void;
}

const reset = "\u001bc";

function remark(words: string): string {
  return `\r\n\u001b[0;2m[${words}]\u001b[0m\r\n`;
}

const earlierWords = remark("What was printed before is left out").trimStart();
const gapWords = remark("Some output is missing here: it was printed while there was no connection");

const lineFeed = 0x0a;

/** Only the end of a snapshot: what would be scrolled away again costs as much as what stays. */
export function lastLines(snapshot: TerminalSnapshot, lines: number): TerminalSnapshot {
  const { output, earlierBytes } = snapshot;
  let start = output.length;
  for (let left = lines; left > 0 && start > 0; left -= 1) {
    start = output.lastIndexOf(lineFeed, start - 1);
    if (start === -1) return snapshot;
  }
  const from = start + 1;
  if (from >= output.length) return snapshot;
  return {
    ...snapshot,
    output: output.subarray(from),
    earlierBytes: earlierBytes + from,
    gaps: snapshot.gaps.filter((at) => at >= earlierBytes + from),
  };
}

export class OutputWriter {
  readonly #sink: Sink;
  readonly #mostLines: number;
  #isClosed = false;
  #finish: () => void = () => {};
  readonly #closed: Promise<void>;
  /** Old output is being shown again. */
  isRepeating = false;
  /** The screen has the size that what is put on it was drawn for. */
  isSized = false;
  /** What the program asks in what is being taken now is for this window to answer. */
  answers = false;

  /** `mostLines`: so many the screen can hold. */
  constructor(sink: Sink, mostLines: number) {
    this.#sink = sink;
    this.#mostLines = mostLines;
    this.#closed = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Resolves when all of it is on the screen. */
  snapshot(whole: TerminalSnapshot): Promise<void> {
    const { output, earlierBytes, gaps, answersFrom, sizes } = lastLines(whole, this.#mostLines);
    this.#put(reset);
    this.#then(() => {
      this.isRepeating = true;
      this.isSized = true;
      this.answers = false;
      const first = sizes.findLast(({ from }) => from <= earlierBytes) ?? sizes[0];
      if (first) this.#sink.resize(first);
    });
    if (earlierBytes > 0) this.#put(earlierWords);
    const end = earlierBytes + output.length;
    const from = answersFrom ?? end;
    const resizes = new Map(sizes.map((size) => [size.from, size]));
    const stops = [...new Set([...gaps, from, end, ...resizes.keys()])].sort((a, b) => a - b);
    let at = earlierBytes;
    for (const stop of stops) {
      const next = Math.max(at, Math.min(stop, end));
      if (next > at) this.#put(output.subarray(at - earlierBytes, next - earlierBytes));
      at = next;
      if (gaps.includes(stop)) this.#put(gapWords);
      const size = resizes.get(stop);
      if (size && stop > earlierBytes) this.#then(() => this.#sink.resize(size));
      if (stop === from) {
        this.#then(() => {
          this.isRepeating = false;
          this.answers = answersFrom !== null;
        });
      }
    }
    this.#then(() => {
      this.isSized = false;
      this.#sink.resize(null);
    });
    return this.#taken();
  }

  changes(list: readonly TerminalChange[]): Promise<void> {
    for (const change of list) {
      switch (change.type) {
        case "output":
          this.#put(change.bytes);
          break;
        case "gap":
          this.#put(gapWords);
          break;
        case "answers":
          this.#then(() => {
            this.answers = true;
          });
          break;
        case "restart":
          void this.snapshot(change.snapshot);
          break;
        default:
          change satisfies never;
      }
    }
    return this.#taken();
  }

  close(): void {
    this.#isClosed = true;
    this.#finish();
  }

  #put(piece: Uint8Array | string): void {
    if (!this.#isClosed) this.#sink.write(piece, () => {});
  }

  #then(task: () => void): void {
    if (!this.#isClosed) this.#sink.write("", task);
  }

  #taken(): Promise<void> {
    const taken = new Promise<void>((resolve) => this.#then(resolve));
    return Promise.race([taken, this.#closed]);
  }
}
