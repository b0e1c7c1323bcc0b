// Cuts the bytes of a codex that speaks over stdio into messages: one JSON object a line.
//
// The stream is not only codex's. Wrappers print banners, consoles print escape sequences and localized text, and a chunk
// may end anywhere, also inside a character. So: bytes are kept until their line is whole; a line that is no object is
// counted and skipped; and the time is linear in the bytes, whatever the chunks (a buffer that doubles, each byte looked at
// once). There is no limit for a message below what a JavaScript string can hold. No I/O.

export interface LineHandlers {
  /** A line that starts with `{`, without its line break and without escape sequences before it. It may still be no JSON. */
  onLine(line: string): void;
  /** A line that is longer than any string could be, and was dropped. */
  onOversizedLine(bytes: number): void;
}

export interface Noise {
  lines: number;
  bytes: number;
  /** The newest lines, cut, for the log. */
  recent: readonly string[];
}

/** What is left when the stream ends: nothing, or the beginning of a line. */
export type StreamEnd = { kind: "clean" } | { kind: "insideLine"; bytes: number };

const lineFeed = 0x0a;
const openBrace = 0x7b;
/** Bytes after which a line that has not shown its `{` yet is taken for noise, so that it need not be kept. */
const maxPrefixBytes = 64 * 1024;
const maxRecentNoise = 20;
const maxNoiseCharacters = 300;
const smallBufferBytes = 64 * 1024;

/** CSI, OSC and the short escape sequences, other control characters, white space and a byte order mark. */
const prefixKinds = [
  String.raw`\u001b\[[0-?]*[ -/]*[@-~]`,
  String.raw`\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)`,
  String.raw`\u001b[ -/]*[0-Z\\^-z|}~]`,
  String.raw`[\u0000-\u0020\u007f\ufeff]`,
];
const escapePrefix = new RegExp(`^(?:${prefixKinds.join("|")})+`);

export class LineSplitter {
  readonly #handlers: LineHandlers;
  readonly #maxLineBytes: number;
  /** The beginning of the line that has not ended yet; the first `#length` bytes count. */
  #pending = Buffer.allocUnsafe(smallBufferBytes);
  #length = 0;
  /** Bytes of the current line that were looked at and thrown away; above zero its rest is thrown away too. */
  #dropped = 0;
  #droppedAs: "noise" | "oversized" = "noise";
  #noise = { lines: 0, bytes: 0, recent: [] as string[] };

  constructor(handlers: LineHandlers, maxLineBytes = 512 * 1024 * 1024 - 64) {
    this.#handlers = handlers;
    this.#maxLineBytes = maxLineBytes;
  }

  get noise(): Noise {
    return this.#noise;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      if (this.#length === 0 && this.#dropped === 0) this.#line(chunk, from, to);
      else this.#endPending(chunk, from, to);
      from = to + 1;
    }
    if (from < chunk.length) this.#keep(chunk, from, chunk.length);
  }

  /** To be called once, when the stream has ended. A whole message without its line break is still handed over. */
  end(): StreamEnd {
    const bytes = this.#length + this.#dropped;
    if (this.#dropped > 0) {
      this.#endDropped();
      return { kind: "insideLine", bytes };
    }
    const line = this.#pending.toString("utf8", 0, this.#length).trim();
    this.#forgetPending();
    if (line === "") return { kind: "clean" };
    if (isWholeObject(line)) {
      this.#handlers.onLine(line.replace(escapePrefix, ""));
      return { kind: "clean" };
    }
    this.#countNoise(line, bytes);
    return { kind: "insideLine", bytes };
  }

  #keep(chunk: Buffer, from: number, to: number): void {
    const added = to - from;
    if (this.#dropped > 0) {
      this.#dropped += added;
      return;
    }
    const needed = this.#length + added;
    if (needed > this.#pending.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#pending.length * 2));
      this.#pending.copy(larger, 0, 0, this.#length);
      this.#pending = larger;
    }
    chunk.copy(this.#pending, this.#length, from, to);
    const before = this.#length;
    this.#length = needed;
    if (needed > this.#maxLineBytes) this.#drop("oversized");
    else if (before <= maxPrefixBytes && needed > maxPrefixBytes && !this.#startsObject())
      this.#drop("noise");
  }

  #startsObject(): boolean {
    if (this.#pending[0] === openBrace) return true;
    return this.#pending.toString("utf8", 0, maxPrefixBytes).replace(escapePrefix, "").startsWith("{");
  }

  #drop(as: "noise" | "oversized"): void {
    if (as === "noise") this.#remember(this.#pending.toString("utf8", 0, maxNoiseCharacters));
    this.#dropped = this.#length;
    this.#droppedAs = as;
    this.#forgetPending();
  }

  #endPending(chunk: Buffer, from: number, to: number): void {
    this.#keep(chunk, from, to);
    if (this.#dropped > 0) {
      this.#endDropped();
      return;
    }
    const pending = this.#pending;
    const length = this.#length;
    this.#forgetPending();
    this.#line(pending, 0, length);
  }

  #endDropped(): void {
    if (this.#droppedAs === "oversized") this.#handlers.onOversizedLine(this.#dropped);
    else {
      this.#noise.lines += 1;
      this.#noise.bytes += this.#dropped;
    }
    this.#dropped = 0;
  }

  #forgetPending(): void {
    this.#length = 0;
    // One large message must not hold its memory for as long as the connection lives.
    if (this.#pending.length > 1024 * 1024) this.#pending = Buffer.allocUnsafe(smallBufferBytes);
  }

  #line(bytes: Buffer, from: number, to: number): void {
    if (bytes[from] === openBrace) {
      // A carriage return at the end is white space to JSON.
      this.#handlers.onLine(bytes.toString("utf8", from, to));
      return;
    }
    if (to === from) return;
    const line = bytes.toString("utf8", from, to);
    const stripped = line.replace(escapePrefix, "");
    if (stripped.startsWith("{")) this.#handlers.onLine(stripped);
    else if (line.trim() !== "") this.#countNoise(line, to - from);
  }

  #countNoise(line: string, bytes: number): void {
    this.#noise.lines += 1;
    this.#noise.bytes += bytes;
    this.#remember(line);
  }

  #remember(line: string): void {
    this.#noise.recent.push(line.slice(0, maxNoiseCharacters));
    if (this.#noise.recent.length > maxRecentNoise) this.#noise.recent.shift();
  }
}

function isWholeObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line.replace(escapePrefix, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    // Cut off, which is what is asked.
    return false;
  }
}
