// What a screen reader is told of a terminal's output. The emulator collects what is printed to have it said, up to a number of
// lines, and until a key is pressed: of a program that never ends its line, a bar of progress or a flood, it collects everything
// there ever is. So what was collected is thrown away when it is more than anybody can listen to.
//
// Race: it is thrown away again and again, by a flood. What says it rests for a moment then, and comes back by itself.

/** As many lines as the emulator collects; after those it says that there are too many. */
const mostLines = 20;
const mostCharacters = 16 * 1024;
const restMs = 1_000;
const lineFeed = 0x0a;

/** What of the emulator is used here. */
interface Announced {
  onKey(listener: () => void): unknown;
  options: { screenReaderMode?: boolean };
  textarea: HTMLElement | undefined;
}

export class Announcer {
  readonly #terminal: Announced;
  #lines = 0;
  #characters = 0;
  #lastAtMs = Number.NEGATIVE_INFINITY;
  #state: "says" | "waits until it is taken" | "rests" = "says";
  #rest: ReturnType<typeof setTimeout> | null = null;

  /** `terminal` is open. */
  constructor(terminal: Announced) {
    this.#terminal = terminal;
    terminal.options.screenReaderMode = true;
    const begin = () => {
      this.#lines = 0;
    };
    terminal.onKey(begin);
    terminal.textarea?.addEventListener("blur", begin);
  }

  /** Before a piece is written. */
  comes(piece: Uint8Array | string, nowMs = performance.now()): void {
    if (this.#state !== "says") return;
    this.#count(piece);
    if (this.#characters <= mostCharacters) return;
    this.#characters = 0;
    this.#lines = 0;
    this.#terminal.options.screenReaderMode = false;
    const isFlood = nowMs - this.#lastAtMs < restMs;
    this.#lastAtMs = nowMs;
    this.#state = isFlood ? "rests" : "waits until it is taken";
    if (isFlood) this.#rest = setTimeout(() => this.#say(), restMs);
  }

  /** The emulator has taken all pieces that have come. */
  taken(): void {
    if (this.#state === "waits until it is taken") this.#say();
  }

  close(): void {
    if (this.#rest !== null) clearTimeout(this.#rest);
    this.#state = "rests";
  }

  #say(): void {
    this.#state = "says";
    this.#terminal.options.screenReaderMode = true;
  }

  #count(piece: Uint8Array | string): void {
    for (let at = 0; at < piece.length; at += 1) {
      if (this.#lines > mostLines || this.#characters > mostCharacters) return;
      const unit = typeof piece === "string" ? piece.charCodeAt(at) : piece[at];
      if (unit === lineFeed) this.#lines += 1;
      this.#characters += 1;
    }
  }
}
