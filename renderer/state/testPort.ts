// Both ends of a port for tests: messages are handed over at once, timers and frames when the test says so.

import type { FaultView } from "../../preload/contract/fault";
import type { Port } from "./connection";

type Sent = {
  kind: string;
  id?: number;
  name?: string;
  params?: unknown;
  subscriptionId?: number;
  seq?: number;
};

export class FakePort implements Port {
  readonly sent: Sent[] = [];
  closed = false;
  started = false;
  #onMessage: (event: { data: unknown }) => void = () => {};
  #onClose: () => void = () => {};

  postMessage(message: unknown): void {
    this.sent.push(structuredClone(message) as Sent);
  }
  start(): void {
    this.started = true;
  }
  close(): void {
    this.closed = true;
  }
  addEventListener(type: "message" | "close", listener: (event: { data: unknown }) => void): void {
    if (type === "message") this.#onMessage = listener;
    else this.#onClose = listener as () => void;
  }

  /** Main says something. */
  say(message: unknown): void {
    this.#onMessage({ data: message });
  }
  /** Main's end goes away. */
  drop(): void {
    this.#onClose();
  }
  calls(name: string): Sent[] {
    return this.sent.filter((message) => message.kind === "call" && message.name === name);
  }
  answer(call: Sent | undefined, value: unknown): void {
    this.say({ kind: "answer", id: call?.id, ok: true, value });
  }
  fail(call: Sent | undefined, fault: FaultView): void {
    this.say({ kind: "failure", id: call?.id, fault });
  }
}

export class FakePaint {
  isHidden = false;
  frames: (() => void)[] = [];
  timers: { callback: () => void; delayMs: number }[] = [];

  frame = (callback: () => void) => {
    this.frames.push(callback);
    return () => {
      this.frames = this.frames.filter((each) => each !== callback);
    };
  };
  timer = (callback: () => void, delayMs: number) => {
    const held = { callback, delayMs };
    this.timers.push(held);
    return () => {
      this.timers = this.timers.filter((each) => each !== held);
    };
  };
  hidden = () => this.isHidden;

  runFrames(): void {
    const due = this.frames;
    this.frames = [];
    for (const callback of due) callback();
  }
  /** Runs the timers that are due within `ms`. */
  runTimers(ms: number): void {
    const due = this.timers.filter((each) => each.delayMs <= ms);
    this.timers = this.timers.filter((each) => each.delayMs > ms);
    for (const each of due) each.callback();
  }
  paint(): void {
    this.runFrames();
    this.runTimers(0);
  }
}
