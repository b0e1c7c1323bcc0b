// This window's end of the port to main: calls with one answer each, subscriptions, and what main asks of the window.
//
// Races, and what settles each:
// - The page starts before the preload has handed the port over: calls made until then are kept and sent in order.
// - The port closes with calls open: each is rejected with `port_closed`; none hangs.
// - A second port is handed over: it replaces the first; open calls are rejected, subscriptions start anew.
// - An answer and the first change under it arrive in one turn of the event loop: answers are settled while their
//   message is handled, not in a later microtask, so the subscription knows its id before the change comes.
// Main ends every wait on its side, so a call has no deadline here.

import { z } from "zod";
import {
  type CallName,
  type CallParams,
  type CallResult,
  calls,
  type MenuCommand,
  type PortMessage,
  portMessageSchema,
  portOfferType,
  type Topic,
  type WindowMessage,
} from "../../preload/contract";
import { type PaintSource, windowPaint } from "./afterPaint";
import { CallFault, misfitFault, portClosedFault } from "./callFault";
import { type Line, type Outcome, type Subscriber, Subscription } from "./subscription";

/** The part of a MessagePort that is used; tests hand in their own. */
export interface Port {
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: () => void): void;
}

export interface PushHandlers {
  command(command: MenuCommand): void;
  show(target: { workspaceId: string; threadKey: string | null; requestKey: string | null }): void;
  showRun(target: { runId: string; questionId: string | null }): void;
}

interface PendingCall {
  name: CallName;
  params: unknown;
  settle(outcome: Outcome<unknown>): void;
}

export type PortState = "awaited" | "open" | "closed";

const changeHeaderSchema = z.object({ kind: z.literal("change"), subscriptionId: z.number() });
const answerHeaderSchema = z.object({ kind: z.enum(["answer", "failure"]), id: z.number() });

export class Connection {
  readonly #line: Line;
  readonly #pending = new Map<number, PendingCall>();
  readonly #subscriptions = new Set<Subscription>();
  readonly #stateListeners = new Set<(state: PortState) => void>();
  #port: Port | null = null;
  #state: PortState = "awaited";
  #nextId = 0;
  #push: PushHandlers | null = null;
  #earlyPushes: PortMessage[] = [];

  constructor(paint: PaintSource = windowPaint) {
    this.#line = {
      isOpen: () => this.#state !== "closed",
      subscribe: (topic, settle) => this.#send<CallResult<"subscribe">>("subscribe", topic, settle),
      unsubscribe: (subscriptionId) => {
        // Nobody waits for this: a subscription that main no longer has is as good as ended.
        if (this.#state === "open") this.#send("unsubscribe", { subscriptionId }, () => {});
      },
      acknowledge: (subscriptionId, seq) => this.#post({ kind: "ack", subscriptionId, seq }),
      paint,
    };
  }

  get state(): PortState {
    return this.#state;
  }

  onState(listener: (state: PortState) => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  /** Throws (rejects with) CallFault, and nothing else. */
  call<Name extends CallName>(name: Name, params: CallParams<Name>): Promise<CallResult<Name>> {
    return new Promise((resolve, reject) => {
      this.#send<CallResult<Name>>(name, params, (outcome) => {
        if (outcome.ok) resolve(outcome.value);
        else reject(new CallFault(outcome.fault));
      });
    });
  }

  subscribe<Name extends Topic["topic"]>(
    topic: Extract<Topic, { topic: Name }>,
    subscriber: Subscriber<Name>,
  ): { close(): void; retry(): void } {
    const subscription = new Subscription<Name>(this.#line, topic, subscriber);
    const held = subscription as unknown as Subscription;
    this.#subscriptions.add(held);
    return {
      close: () => {
        this.#subscriptions.delete(held);
        subscription.close();
      },
      retry: () => subscription.retry(),
    };
  }

  /** What main asks of the window. Whatever came before anyone listened is handed over now. */
  onPush(handlers: PushHandlers): void {
    this.#push = handlers;
    const early = this.#earlyPushes;
    this.#earlyPushes = [];
    for (const message of early) this.#receive(message);
  }

  attach(port: Port): void {
    const first = this.#state === "awaited";
    const replaced = this.#port;
    this.#port = port;
    if (replaced) {
      replaced.close();
      this.#rejectSent();
    }
    port.addEventListener("message", (event) => {
      if (this.#port === port) this.#receiveRaw(event.data);
    });
    port.addEventListener("close", () => {
      if (this.#port === port) this.#detached();
    });
    port.start();
    const kept = [...this.#pending];
    this.#setState("open");
    for (const [id, call] of kept) this.#post({ kind: "call", id, name: call.name, params: call.params });
    if (!first) for (const subscription of this.#subscriptions) subscription.portChanged();
  }

  /** Waits for the preload to hand over the port. Only messages of this very window are looked at. */
  listen(target: Window): void {
    target.addEventListener("message", (event) => {
      if (event.source !== target) return;
      const data: unknown = event.data;
      if (typeof data !== "object" || data === null || !("type" in data) || data.type !== portOfferType)
        return;
      const port = event.ports[0];
      if (port) this.attach(port);
    });
  }

  #send<Value>(name: CallName, params: unknown, settle: (outcome: Outcome<Value>) => void): void {
    if (this.#state === "closed") {
      queueMicrotask(() => settle({ ok: false, fault: portClosedFault }));
      return;
    }
    const id = this.#nextId;
    this.#nextId += 1;
    this.#pending.set(id, {
      name,
      params,
      settle: (outcome) => {
        if (!outcome.ok) {
          settle(outcome);
          return;
        }
        const parsed = calls[name].result.safeParse(outcome.value);
        if (parsed.success) settle({ ok: true, value: parsed.data as Value });
        else settle({ ok: false, fault: misfitFault(`The answer to ${name}`, parsed.error.message) });
      },
    });
    if (this.#state === "open") this.#post({ kind: "call", id, name, params });
  }

  #post(message: WindowMessage): void {
    try {
      this.#port?.postMessage(message);
    } catch (error) {
      // Only what cannot be cloned ends up here, and only a call carries anything of the caller's.
      if (message.kind === "call") {
        this.#settle(message.id, {
          ok: false,
          fault: misfitFault(
            `The call ${message.name}`,
            error instanceof Error ? error.message : String(error),
          ),
        });
      }
    }
  }

  #receiveRaw(data: unknown): void {
    const parsed = portMessageSchema.safeParse(data);
    if (parsed.success) {
      this.#receive(parsed.data);
      return;
    }
    const detail = parsed.error.message;
    const change = changeHeaderSchema.safeParse(data);
    if (change.success) {
      for (const subscription of [...this.#subscriptions]) {
        subscription.unreadable(change.data.subscriptionId, detail);
      }
      return;
    }
    const answer = answerHeaderSchema.safeParse(data);
    if (answer.success) {
      this.#settle(answer.data.id, { ok: false, fault: misfitFault("An answer", detail) });
      return;
    }
    console.error("A message on the port has a form that is not known", detail);
  }

  #receive(message: PortMessage): void {
    switch (message.kind) {
      case "answer":
        this.#settle(message.id, { ok: true, value: message.value });
        return;
      case "failure":
        this.#settle(message.id, { ok: false, fault: message.fault });
        return;
      case "change":
        for (const subscription of [...this.#subscriptions]) subscription.take(message);
        return;
      case "resync":
        for (const subscription of [...this.#subscriptions]) subscription.resync(message.subscriptionId);
        return;
      case "command":
        if (this.#push) this.#push.command(message.command);
        else this.#earlyPushes.push(message);
        return;
      case "show":
        if (this.#push) this.#push.show(message);
        else this.#earlyPushes.push(message);
        return;
      case "show run":
        if (this.#push) this.#push.showRun(message);
        else this.#earlyPushes.push(message);
        return;
      default: {
        const unknown: never = message;
        console.error("A message on the port has a kind that is not known", unknown);
      }
    }
  }

  #settle(id: number, outcome: Outcome<unknown>): void {
    const call = this.#pending.get(id);
    if (!call) return;
    this.#pending.delete(id);
    call.settle(outcome);
  }

  #detached(): void {
    this.#port = null;
    this.#setState("closed");
    this.#rejectSent();
    for (const subscription of [...this.#subscriptions]) subscription.portClosed();
  }

  #rejectSent(): void {
    const sent = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of sent) call.settle({ ok: false, fault: portClosedFault });
  }

  #setState(state: PortState): void {
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }
}

export const connection = new Connection();

/** Calls main. Rejects with CallFault. */
export const call = connection.call.bind(connection);
