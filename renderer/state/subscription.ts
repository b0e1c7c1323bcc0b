// One subscription of this window to one topic.
//
// Races, and what settles each:
// - The topic is left before its snapshot comes (someone clicks quickly through threads): `close` marks it closed, the
//   late answer is given back with `unsubscribe` and never reaches a store.
// - A new subscription is asked for while the old one still sends: every attempt has a generation; an answer of an
//   older generation is given back, a change under an id that is not current is ignored.
// - A change is missing, or comes twice: changes are numbered from 1; anything but the next number means that this copy
//   is no longer true, so a new snapshot is fetched. Main never has to guess what this window holds.
// - The port is replaced: `portChanged` subscribes anew; what the old port still delivers has an old id.
// - A change cannot be applied, or a snapshot fails again and again: attempts are spaced out with growing delays, and
//   the count starts over once a change was taken in.

import type { CallResult, PortMessage, Topic } from "../../preload/contract";
import type { AppChange, AppSnapshot } from "../../preload/contract/app";
import type { RunChange, RunSnapshot } from "../../preload/contract/cells";
import type { FaultView } from "../../preload/contract/fault";
import type { TerminalChange, TerminalSnapshot } from "../../preload/contract/terminals";
import type { ThreadChange, ThreadSnapshot } from "../../preload/contract/thread";
import { afterPaint, type PaintSource } from "./afterPaint";
import { faultOf, misfitFault, portClosedFault } from "./callFault";

export interface Contents {
  app: { snapshot: AppSnapshot; change: AppChange };
  thread: { snapshot: ThreadSnapshot; change: ThreadChange };
  run: { snapshot: RunSnapshot; change: RunChange };
  terminal: { snapshot: TerminalSnapshot; change: TerminalChange };
}

export interface Subscriber<Name extends Topic["topic"]> {
  snapshot(value: Contents[Name]["snapshot"]): void;
  /** What it returns is waited for before main sends more. It must not reject. */
  changes(list: Contents[Name]["change"][]): void | Promise<void>;
  /** The topic cannot be shown (any more). `retrying`: it is tried again without being asked. */
  failed(fault: FaultView, retrying: boolean): void;
}

export type Outcome<Value> = { ok: true; value: Value } | { ok: false; fault: FaultView };

/** What a subscription needs of the port. Answers are handed over in the order of the port's messages. */
export interface Line {
  isOpen(): boolean;
  subscribe(topic: Topic, settle: (outcome: Outcome<CallResult<"subscribe">>) => void): void;
  unsubscribe(subscriptionId: number): void;
  acknowledge(subscriptionId: number, seq: number): void;
  paint: PaintSource;
}

type ChangeMessage = Extract<PortMessage, { kind: "change" }>;

const firstRetryMs = 250;
const lastRetryMs = 10_000;

export class Subscription<Name extends Topic["topic"] = Topic["topic"]> {
  readonly topic: Extract<Topic, { topic: Name }>;
  readonly #line: Line;
  readonly #subscriber: Subscriber<Name>;
  #generation = 0;
  #closed = false;
  #id: number | null = null;
  #nextSeq = 1;
  #failures = 0;
  #cancelRetry = () => {};
  #cancelPaint = () => {};

  constructor(line: Line, topic: Extract<Topic, { topic: Name }>, subscriber: Subscriber<Name>) {
    this.#line = line;
    this.topic = topic;
    this.#subscriber = subscriber;
    this.#subscribe();
  }

  get id(): number | null {
    return this.#id;
  }

  take(message: ChangeMessage): void {
    if (this.#closed || message.subscriptionId !== this.#id) return;
    if (message.seq !== this.#nextSeq || message.changes.topic !== this.topic.topic) {
      this.#subscribe();
      return;
    }
    this.#nextSeq += 1;
    const { subscriptionId, seq } = message;
    let taken: void | Promise<void>;
    try {
      taken = this.#subscriber.changes(message.changes.list);
    } catch (error) {
      this.#failed(faultOf(error), true);
      return;
    }
    this.#failures = 0;
    const acknowledge = () => {
      if (this.#id !== subscriptionId) return;
      this.#cancelPaint = afterPaint(this.#line.paint, () => {
        if (this.#id === subscriptionId) this.#line.acknowledge(subscriptionId, seq);
      });
    };
    if (taken) void taken.then(acknowledge);
    else acknowledge();
  }

  /** Main has ended it, or sent something unreadable under it. */
  resync(subscriptionId: number): void {
    if (this.#closed || subscriptionId !== this.#id) return;
    this.#subscribe();
  }

  unreadable(subscriptionId: number, detail: string): void {
    if (this.#closed || subscriptionId !== this.#id) return;
    this.#failed(misfitFault("A change", detail), true);
  }

  portChanged(): void {
    if (this.#closed) return;
    this.#id = null;
    this.#subscribe();
  }

  /** What is shown is the last that was known. An attempt under way hears of it by its own answer. */
  portClosed(): void {
    if (this.#closed || this.#id === null) return;
    this.#id = null;
    this.#cancelPaint();
    this.#subscriber.failed(portClosedFault, false);
  }

  /** Tries again at once after a failure. */
  retry(): void {
    if (!this.#closed) this.#subscribe();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelRetry();
    this.#giveBack();
  }

  #subscribe(): void {
    this.#cancelRetry();
    this.#giveBack();
    this.#generation += 1;
    const generation = this.#generation;
    this.#line.subscribe(this.topic, (outcome) => {
      if (this.#closed || generation !== this.#generation) {
        if (outcome.ok) this.#line.unsubscribe(outcome.value.subscriptionId);
        return;
      }
      if (outcome.ok) this.#begin(outcome.value);
      else this.#failed(outcome.fault, outcome.fault.retryable);
    });
  }

  #begin({ subscriptionId, snapshot }: CallResult<"subscribe">): void {
    this.#id = subscriptionId;
    this.#nextSeq = 1;
    if (snapshot.topic !== this.topic.topic) {
      this.#failed(misfitFault("A snapshot", `asked for ${this.topic.topic}, got ${snapshot.topic}`), false);
      return;
    }
    try {
      this.#subscriber.snapshot(contentOf(snapshot));
    } catch (error) {
      this.#failed(faultOf(error), true);
    }
  }

  #failed(fault: FaultView, retry: boolean): void {
    this.#giveBack();
    const retrying = retry && this.#line.isOpen();
    this.#subscriber.failed(fault, retrying);
    if (!retrying) return;
    const delayMs = Math.min(lastRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#cancelRetry = this.#line.paint.timer(() => this.#subscribe(), delayMs);
  }

  #giveBack(): void {
    this.#cancelPaint();
    const id = this.#id;
    this.#id = null;
    if (id !== null) this.#line.unsubscribe(id);
  }
}

function contentOf(snapshot: CallResult<"subscribe">["snapshot"]): Contents[Topic["topic"]]["snapshot"] {
  switch (snapshot.topic) {
    case "app":
      return snapshot.app;
    case "thread":
      return snapshot.thread;
    case "run":
      return snapshot.run;
    case "terminal":
      return snapshot.terminal;
    default: {
      const unknown: never = snapshot;
      return unknown;
    }
  }
}
