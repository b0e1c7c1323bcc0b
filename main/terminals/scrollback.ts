// The end of what a terminal has printed, within a bound. Kept in blocks, so that neither many small pieces nor a flood cost more
// than the copy.

const blockBytes = 64 * 1024;
/** A line that is longer than this is cut where it is. */
const longestLineBytes = 16 * 1024;
const lineFeed = 0x0a;

export class Scrollback {
  readonly #limitBytes: number;
  #blocks: { bytes: Uint8Array; length: number }[] = [];
  #kept = 0;
  #dropped = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** How much was printed, from the very first byte. */
  get end(): number {
    return this.#dropped + this.#kept;
  }

  add(bytes: Uint8Array): void {
    // Of more than there is room for, only the end.
    const skipped = Math.max(0, bytes.length - this.#limitBytes);
    if (skipped > 0) {
      this.#dropped += this.#kept + skipped;
      this.#blocks = [];
      this.#kept = 0;
    }
    for (let at = skipped; at < bytes.length; ) {
      const block = this.#roomyBlock();
      const count = Math.min(bytes.length - at, block.bytes.length - block.length);
      block.bytes.set(bytes.subarray(at, at + count), block.length);
      block.length += count;
      this.#kept += count;
      at += count;
    }
    this.#dropOldest();
  }

  /** A copy of what is kept, from the start of a line on if anything was dropped, and how much comes before it. */
  read(): { bytes: Uint8Array<ArrayBuffer>; from: number } {
    const whole = new Uint8Array(this.#kept);
    let at = 0;
    for (const { bytes, length } of this.#blocks) {
      whole.set(bytes.subarray(0, length), at);
      at += length;
    }
    const skipped = Math.max(0, whole.length - this.#limitBytes);
    const start = this.#dropped + skipped === 0 ? 0 : lineStart(whole, skipped);
    return { bytes: whole.slice(start), from: this.#dropped + start };
  }

  #roomyBlock(): { bytes: Uint8Array; length: number } {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.length < last.bytes.length) return last;
    const block = { bytes: new Uint8Array(blockBytes), length: 0 };
    this.#blocks.push(block);
    return block;
  }

  #dropOldest(): void {
    for (;;) {
      const oldest = this.#blocks[0];
      if (oldest === undefined || this.#kept - oldest.length < this.#limitBytes) return;
      this.#blocks.shift();
      this.#kept -= oldest.length;
      this.#dropped += oldest.length;
    }
  }
}

/** The first place from `from` on where a line starts, if one does soon; else where a character does. */
function lineStart(bytes: Uint8Array, from: number): number {
  const within = bytes.subarray(from, from + longestLineBytes);
  const at = within.indexOf(lineFeed);
  if (at !== -1) return from + at + 1;
  let start = from;
  while (isContinuation(bytes[start])) start += 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
