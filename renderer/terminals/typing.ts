// What is typed into one terminal, on its way to main: one piece after the other, so that nothing arrives with a hole in it. A
// shell would run what stands around the hole.
//
// Races settled here:
// - More is typed than has been taken: it waits, in its order and put together, up to a bound. What is more than that is refused
//   whole, before any of it is sent.
// - A piece does not arrive, or nobody knows whether it did: what waits behind it is not sent.
// - The page goes away, as when it is loaded again, while something waits: it is sent at once, behind what is on its way. What
//   was posted before the end arrives, in its order, and nobody will be here to send it later.

import { CallFault } from "../state/callFault";

export interface TypingOptions {
  send(bytes: Uint8Array): Promise<unknown>;
  /** Everything was sent. */
  idle(): void;
}

/** One call carries no more. */
const pieceBytes = 256 * 1024;
const mostWaitingBytes = 32 * 1024 * 1024;

function tooMuch(): CallFault {
  return new CallFault({
    code: "terminal_input_too_long",
    message: "this is more than a terminal takes at once.",
    hint: "Nothing of it was typed. Put it into a file instead.",
    retryable: false,
  });
}

export class Typing {
  readonly #options: TypingOptions;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isSending = false;

  constructor(options: TypingOptions) {
    this.#options = options;
  }

  /** `failed` hears a CallFault, or what `send` has rejected with. */
  type(bytes: Uint8Array, failed: (error: unknown) => void): void {
    if (this.#waitingBytes + bytes.length > mostWaitingBytes) {
      failed(tooMuch());
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (!this.#isSending) void this.#send(failed);
  }

  /** The page goes away. */
  leave(): void {
    while (this.#isSending && this.#waitingBytes > 0) {
      // Nobody will be here to hear how it went.
      this.#options.send(this.#next()).then(undefined, () => {});
    }
  }

  async #send(failed: (error: unknown) => void): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#waitingBytes > 0) await this.#options.send(this.#next());
    } catch (error) {
      this.#waiting = [];
      this.#waitingBytes = 0;
      failed(error);
    } finally {
      this.#isSending = false;
      this.#options.idle();
    }
  }

  #next(): Uint8Array {
    const piece = new Uint8Array(Math.min(pieceBytes, this.#waitingBytes));
    let length = 0;
    while (length < piece.length) {
      const [first = new Uint8Array()] = this.#waiting;
      const part = first.subarray(0, piece.length - length);
      piece.set(part, length);
      length += part.length;
      if (part.length === first.length) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(part.length);
    }
    this.#waitingBytes -= piece.length;
    return piece;
  }
}
