// What a script has written and nobody outside has yet. It goes out at once, so that nothing is lost when its thread is ended
// in the next moment. A script that writes without pause would flood the outside with messages: after the first few of a
// moment the others are gathered. Bounded by the cell's limit.

import type { OutputItem } from "../runtime/cellEvents";
import { itemBytes } from "../runtime/limits";

const momentMs = 16;
const sendsInAMoment = 16;

export class Output {
  readonly #limitBytes: number;
  readonly #monotonicMs: () => number;
  readonly #send: (items: OutputItem[]) => void;
  #waiting: OutputItem[] = [];
  #bytes = 0;
  #momentMs = Number.NEGATIVE_INFINITY;
  #sends = 0;

  constructor(limitBytes: number, monotonicMs: () => number, send: (items: OutputItem[]) => void) {
    this.#limitBytes = limitBytes;
    this.#monotonicMs = monotonicMs;
    this.#send = send;
  }

  /** False: it is more than the cell may write, and was not taken. */
  add(item: OutputItem): boolean {
    const bytes = Buffer.byteLength(item.type === "image" ? item.dataUrl : item.text) + itemBytes;
    if (this.#bytes + bytes > this.#limitBytes) return false;
    this.#bytes += bytes;
    this.#waiting.push(item);
    this.flushWhenDue();
    return true;
  }

  flushWhenDue(): void {
    if (this.#waiting.length === 0) return;
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#momentMs >= momentMs) {
      this.#momentMs = nowMs;
      this.#sends = 0;
    }
    if (this.#sends < sendsInAMoment) this.flush();
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const items = this.#waiting;
    this.#waiting = [];
    this.#sends += 1;
    this.#send(items);
  }
}
