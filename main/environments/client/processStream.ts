// What one process says, in order: every event once, by its number. Pure; who listens is told at once.
//
// Races settled here:
// - After a resume the executor goes on at once with what is new, while what was lost with the old connection has yet to be
//   read: what is new waits until the hole before it is filled.
// - What is read and what is told overlap: a number that has been told is not told again.
// - The executor keeps only the last output of a process (a mebibyte). Numbers that are gone for good are told as a gap, never
//   passed over in silence. Of the numbers, output can be gone; the exit and the close cannot, and are worked out.
// - It has ended for good (closed, lost): nothing more is told, whatever comes.

import type { Fault } from "../../fault";
import type { ProcessStreamName, ReadAnswer } from "./executorProtocol";

export type ProcessEvent =
  | { type: "output"; seq: number; stream: ProcessStreamName; bytes: Buffer }
  /** The process itself has ended; children of it may still hold its output. */
  | { type: "exited"; seq: number; exitCode: number; sandboxDenied: boolean }
  /** Output from `fromSeq` to `toSeq` is gone for good. */
  | { type: "gap"; fromSeq: number; toSeq: number }
  /** The last one: nothing more can come. */
  | { type: "closed"; seq: number }
  /** The last one: what becomes of the process is not known any more. */
  | { type: "lost"; fault: Fault };

type NumberedEvent = Extract<ProcessEvent, { seq: number }>;

/** Numbers that have not come. */
interface Hole {
  fromSeq: number;
  toSeq: number;
}

/** What an event costs besides its bytes. */
const eventBytes = 128;

export class ProcessStream {
  readonly #tell: (event: ProcessEvent) => void;
  #lastSeq = 0;
  #exitKnown = false;
  #ended = false;
  /** What came before its turn. */
  readonly #waiting = new Map<number, NumberedEvent>();
  #waitingBytes = 0;

  constructor(tell: (event: ProcessEvent) => void) {
    this.#tell = tell;
  }

  /** The number of the last event that was told. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** How much waits for a hole to be filled. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  receive(event: NumberedEvent): void {
    if (this.#ended || event.seq <= this.#lastSeq || this.#waiting.has(event.seq)) return;
    if (event.type === "exited") this.#exitKnown = true;
    if (event.seq === this.#lastSeq + 1) {
      this.#publish(event);
      this.#publishReady();
    } else {
      this.#waiting.set(event.seq, event);
      this.#waitingBytes += costOf(event);
    }
  }

  /** The answer to a read of everything after `lastSeq`, with nothing left out. */
  fill(answer: ReadAnswer): void {
    const throughSeq = answer.nextSeq - 1;
    for (const { seq, stream, chunk } of answer.chunks) {
      this.receive({ type: "output", seq, stream, bytes: Buffer.from(chunk, "base64") });
    }
    if (answer.closed) this.receive({ type: "closed", seq: throughSeq });
    if (answer.exited && !this.#exitKnown) {
      // The newest of what is missing: output goes oldest first. It may have been an older one of several, which nobody can tell
      // any more; that it has ended, and how, is true all the same.
      const seq = this.#missing(throughSeq).at(-1)?.toSeq;
      if (seq !== undefined) {
        const { exitCode, sandboxDenied } = answer;
        this.receive({
          type: "exited",
          seq,
          exitCode: exitCode ?? -1,
          sandboxDenied: sandboxDenied ?? false,
        });
      }
    }
    this.#skip(this.#missing(throughSeq));
  }

  /** Tells it as the last event, unless the end was told before. */
  lose(fault: Fault): void {
    if (this.#ended) return;
    this.#end();
    this.#tell({ type: "lost", fault });
  }

  /** Nobody listens any more. */
  forget(): void {
    this.#end();
  }

  /** Never by counting: how far they go is the executor's word. */
  #missing(throughSeq: number): Hole[] {
    if (this.#ended) return [];
    const holes: Hole[] = [];
    const known = [...this.#waiting.keys()].filter((seq) => seq <= throughSeq).sort((a, b) => a - b);
    let fromSeq = this.#lastSeq + 1;
    for (const seq of [...known, throughSeq + 1]) {
      if (seq > fromSeq) holes.push({ fromSeq, toSeq: seq - 1 });
      fromSeq = seq + 1;
    }
    return holes;
  }

  /** Gone for good, with no telling what was in them. */
  #skip(holes: readonly Hole[]): void {
    for (const { fromSeq, toSeq } of holes) {
      if (this.#ended) return;
      this.#lastSeq = toSeq;
      this.#tell({ type: "gap", fromSeq, toSeq });
      this.#publishReady();
    }
  }

  #publishReady(): void {
    for (;;) {
      const event = this.#waiting.get(this.#lastSeq + 1);
      if (event === undefined) return;
      this.#waiting.delete(event.seq);
      this.#waitingBytes -= costOf(event);
      this.#publish(event);
    }
  }

  #publish(event: NumberedEvent): void {
    this.#lastSeq = event.seq;
    if (event.type === "closed") this.#end();
    this.#tell(event);
  }

  #end(): void {
    this.#ended = true;
    this.#waiting.clear();
    this.#waitingBytes = 0;
  }
}

function costOf(event: NumberedEvent): number {
  return eventBytes + (event.type === "output" ? event.bytes.length : 0);
}
