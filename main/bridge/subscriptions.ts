// The subscriptions of one window. Each has a snapshot, then changes numbered from 1, of which at most one message is in
// flight; what comes meanwhile is merged. A window that is slow makes main merge more, never queue more.
//
// Races, and what settles each:
// - A change comes while the topic is being opened, or after that but before the snapshot has been posted: it is held,
//   and nothing is sent before `begin`, which is called once the snapshot is on the port. A change is never in the
//   snapshot too (that is the topic's promise), so holding it is enough.
// - A frame falls due while a message is in flight: the acknowledgement sends what waits. An acknowledgement comes
//   before the frame is due: the frame sends it. So a message needs both, whichever comes last.
// - Urgent changes make the frame due at once, but never overtake the acknowledgement.
// - An acknowledgement for anything but the message in flight (late, repeated, or of a subscription that has ended) does
//   nothing.
// - What waits grows over its bound, also while the topic is still being opened: the subscription ends and the window is
//   told to ask for a new snapshot. Nothing is dropped silently.
// - The window ends a subscription, the port closes, and the bound is reached, in any order: the topic is closed once.

import type { PortMessage, Topic } from "../../preload/contract";
import type { AppChange, AppSnapshot } from "../../preload/contract/app";
import type { RunChange, RunSnapshot } from "../../preload/contract/cells";
import type { TerminalChange, TerminalSnapshot } from "../../preload/contract/terminals";
import type { ThreadChange, ThreadSnapshot } from "../../preload/contract/thread";
import type { Clock, Timer } from "../clock";
import { Fault } from "../fault";
import type { Log } from "../log";
import type { Listener, OpenTopic, Topics } from "./backend";
import { AppMerger, type Merger, ThreadMerger } from "./mergeChanges";
import { RunMerger } from "./mergeRunChanges";
import { TerminalMerger } from "./mergeTerminalChanges";

export interface SubscriptionLimits {
  /** About two frames: how long text that streams waits so that more can join it. Everything else is urgent. */
  frameMs: number;
  /** A flood in a thread, which nobody reads while it runs: after so many bytes, the next text waits for `floodFrameMs`. */
  floodBytes: number;
  floodFrameMs: number;
  /** What may wait for one subscription before it is ended instead. */
  waitingBytes: number;
  subscriptions: number;
}

export const subscriptionLimits: SubscriptionLimits = {
  frameMs: 32,
  floodBytes: 256 * 1024,
  floodFrameMs: 125,
  waitingBytes: 16 * 1024 * 1024,
  subscriptions: 64,
};

type Changes = Extract<PortMessage, { kind: "change" }>["changes"];

export type Snapshot =
  | { topic: "app"; app: AppSnapshot }
  | { topic: "thread"; thread: ThreadSnapshot }
  | { topic: "run"; run: RunSnapshot }
  | { topic: "terminal"; terminal: TerminalSnapshot };

/** One subscription, of any topic. */
interface Subscription {
  begin(): void;
  acknowledged(seq: number): void;
  end(): void;
}

export interface SubscriptionsOptions {
  topics: Topics;
  /** Puts a message on the port; false when it could not be (it is not plain data). Never throws. */
  post(message: PortMessage): boolean;
  clock: Clock;
  log: Log;
  limits: SubscriptionLimits;
}

export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #open = new Map<number, Subscription>();
  #lastId = 0;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /**
   * Opens a topic. Nothing is sent for it until `begin`, which the caller calls after it has posted the snapshot. Throws
   * Fault: what the topic throws, or `too_many_subscriptions`.
   */
  open(topic: Topic): { subscriptionId: number; snapshot: Snapshot } {
    const { topics, limits } = this.#options;
    if (this.#open.size >= limits.subscriptions) {
      throw new Fault("too_many_subscriptions", "This window shows too many things at once.", {
        detail: `${limits.subscriptions} subscriptions are open`,
      });
    }
    this.#lastId += 1;
    const subscriptionId = this.#lastId;
    const common = { ...this.#options, subscriptionId, ended: () => this.#open.delete(subscriptionId) };
    switch (topic.topic) {
      case "app": {
        const stream = new Stream<AppSnapshot, AppChange>({
          ...common,
          merger: new AppMerger(),
          wrap: (list) => ({ topic: "app", list }),
        });
        const app = stream.open((listener) => topics.openApp(listener));
        this.#open.set(subscriptionId, stream);
        return { subscriptionId, snapshot: { topic: "app", app } };
      }
      case "thread": {
        const stream = new Stream<ThreadSnapshot, ThreadChange>({
          ...common,
          merger: new ThreadMerger(),
          slowsFloods: true,
          wrap: (list) => ({ topic: "thread", list }),
        });
        const thread = stream.open((listener) => topics.openThread(topic.key, listener));
        this.#open.set(subscriptionId, stream);
        return { subscriptionId, snapshot: { topic: "thread", thread } };
      }
      case "run": {
        const stream = new Stream<RunSnapshot, RunChange>({
          ...common,
          merger: new RunMerger(),
          wrap: (list) => ({ topic: "run", list }),
        });
        const run = stream.open((listener) => topics.openRun(topic.runId, listener));
        this.#open.set(subscriptionId, stream);
        return { subscriptionId, snapshot: { topic: "run", run } };
      }
      case "terminal": {
        const merger = new TerminalMerger();
        const stream = new Stream<TerminalSnapshot, TerminalChange>({
          ...common,
          merger,
          wrap: (list) => ({ topic: "terminal", list }),
        });
        const terminal = stream.open((listener) =>
          merger.askAgain(topics.openTerminal(topic.terminalId, listener)),
        );
        this.#open.set(subscriptionId, stream);
        return { subscriptionId, snapshot: { topic: "terminal", terminal } };
      }
      default:
        throw new Error(`not a topic: ${JSON.stringify(topic satisfies never)}`);
    }
  }

  begin(subscriptionId: number): void {
    this.#open.get(subscriptionId)?.begin();
  }

  acknowledged(subscriptionId: number, seq: number): void {
    this.#open.get(subscriptionId)?.acknowledged(seq);
  }

  /** Ending what is not there (any more) is fine: it has ended on its own in between. */
  end(subscriptionId: number): void {
    const subscription = this.#open.get(subscriptionId);
    this.#open.delete(subscriptionId);
    subscription?.end();
  }

  endAll(): void {
    for (const subscriptionId of [...this.#open.keys()]) this.end(subscriptionId);
  }

  get count(): number {
    return this.#open.size;
  }
}

interface StreamOptions<Change> extends SubscriptionsOptions {
  subscriptionId: number;
  merger: Merger<Change>;
  slowsFloods?: boolean;
  wrap(list: Change[]): Changes;
  /** It has ended by itself. */
  ended(): void;
}

type Phase = "opening" | "sending" | "overflowed" | "ended";

class Stream<Snap, Change> implements Subscription {
  readonly #options: StreamOptions<Change>;
  #phase: Phase = "opening";
  #topic: OpenTopic<Snap> | null = null;
  #seq = 0;
  #inFlight = false;
  #frame: Timer | null = null;
  #due = false;
  #isFlood = false;

  constructor(options: StreamOptions<Change>) {
    this.#options = options;
  }

  open(openTopic: (listener: Listener<Change>) => OpenTopic<Snap>): Snap {
    this.#topic = openTopic((changes, urgent) => this.#take(changes, urgent));
    return this.#topic.snapshot;
  }

  begin(): void {
    if (this.#phase === "overflowed") {
      this.#resync();
      return;
    }
    if (this.#phase !== "opening") return;
    this.#phase = "sending";
    this.#schedule(this.#due);
  }

  acknowledged(seq: number): void {
    if (!this.#inFlight || seq !== this.#seq) return;
    this.#inFlight = false;
    this.#flushIfDue();
  }

  end(): void {
    if (this.#phase === "ended") return;
    this.#phase = "ended";
    this.#frame?.cancel();
    this.#frame = null;
    this.#options.merger.take();
    try {
      this.#topic?.close();
    } catch (error) {
      this.#options.log.error("A topic could not be closed", { error });
    }
  }

  #take(changes: Change[], urgent: boolean): void {
    if (this.#phase === "ended" || this.#phase === "overflowed") return;
    const { merger, limits } = this.#options;
    for (const change of changes) merger.add(change);
    if (merger.bytes > limits.waitingBytes) {
      if (this.#phase === "sending") {
        this.#resync();
        return;
      }
      this.#phase = "overflowed";
      merger.take();
      return;
    }
    this.#schedule(urgent);
  }

  /** Makes what waits due: now, or in a frame. */
  #schedule(now: boolean): void {
    if (this.#options.merger.isEmpty) return;
    if (now) {
      this.#frame?.cancel();
      this.#frame = null;
      this.#due = true;
      this.#flushIfDue();
    } else if (!this.#due && this.#frame === null && this.#phase === "sending") {
      const { frameMs, floodFrameMs } = this.#options.limits;
      this.#frame = this.#options.clock.after(this.#isFlood ? floodFrameMs : frameMs, () => {
        this.#frame = null;
        this.#due = true;
        this.#flushIfDue();
      });
    }
  }

  #flushIfDue(): void {
    const { merger, subscriptionId, post, wrap, limits, slowsFloods = false } = this.#options;
    if (this.#phase !== "sending" || !this.#due || this.#inFlight) return;
    this.#due = false;
    this.#seq += 1;
    this.#inFlight = true;
    this.#isFlood = slowsFloods && merger.bytes > limits.floodBytes;
    // A change that is no plain data would leave a gap in the window's copy: it gets a new snapshot instead.
    if (!post({ kind: "change", subscriptionId, seq: this.#seq, changes: wrap(merger.take()) }))
      this.#resync();
  }

  #resync(): void {
    const { subscriptionId, post, ended, log } = this.#options;
    log.warn("A window has to start a subscription anew", {
      subscriptionId,
      waitingBytes: this.#options.merger.bytes,
    });
    this.end();
    ended();
    post({ kind: "resync", subscriptionId });
  }
}
