// Serves the contract to one page over one port. A page that is loaded again gets a new port and a new server.
//
// Races, and what settles each:
// - The port closes, or the page is replaced, while calls are being answered: nothing is posted any more, what the
//   handlers still bring is dropped, every topic is closed once.
// - A call arrives after the end: dropped; the page that made it is gone.
// - A page sends calls faster than they are answered: above a bound each further one fails at once.
// - `subscribe` is answered before the first change under it: both are posted here, in this order, in one turn.
// - A result or a message from the page does not fit the contract: the call fails with a fault, the page goes on. Nothing
//   that a page sends may throw out of here.

import {
  ackMessageSchema,
  type CallMessage,
  type CallName,
  callMessageSchema,
  calls,
  type PortMessage,
  type Topic,
} from "../../preload/contract";
import type { Clock } from "../clock";
import { asFault, Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { Log } from "../log";
import type { BridgeCall, Handlers, Topics } from "./backend";
import { type Checked, checkResult, checkSnapshot, misfitText } from "./checkResult";
import type { BridgePort } from "./port";
import { sizeOf } from "./sizeOf";
import { type SubscriptionLimits, Subscriptions, subscriptionLimits } from "./subscriptions";

export type WindowCall = Exclude<CallName, BridgeCall>;

export interface PortServerLimits extends SubscriptionLimits {
  /** Calls of one page that are not answered yet. */
  outstandingCalls: number;
  /** One message from a page. */
  messageBytes: number;
}

export const portServerLimits: PortServerLimits = {
  ...subscriptionLimits,
  outstandingCalls: 500,
  messageBytes: 64 * 1024 * 1024,
};

export interface PortServerOptions {
  port: BridgePort;
  handlers: Handlers<WindowCall>;
  topics: Topics;
  clock: Clock;
  log: Log;
  limits?: Partial<PortServerLimits>;
  /** The other end has gone; not called after `close`. */
  closed?(): void;
}

/** What main asks of a window. */
export type WindowOrder = Extract<PortMessage, { kind: "command" | "show" | "show run" }>;

export class PortServer {
  readonly #options: PortServerOptions;
  readonly #limits: PortServerLimits;
  readonly #subscriptions: Subscriptions;
  readonly #outstanding = new Set<number>();
  #closed = false;
  #misfits = 0;

  constructor(options: PortServerOptions) {
    this.#options = options;
    this.#limits = { ...portServerLimits, ...options.limits };
    this.#subscriptions = new Subscriptions({
      topics: options.topics,
      post: (message) => this.#post(message),
      clock: options.clock,
      log: options.log,
      limits: this.#limits,
    });
    options.port.listen({
      message: (data) => this.#receive(data),
      closed: () => {
        if (this.#end()) options.closed?.();
      },
    });
  }

  /** What main asks of the window. It waits in the port until the page listens. */
  order(order: WindowOrder): void {
    this.#post(order);
  }

  close(): void {
    if (this.#end()) this.#options.port.close();
  }

  /** Messages that did not fit the contract: a page of this version sends none. */
  get misfits(): number {
    return this.#misfits;
  }

  #end(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#outstanding.clear();
    this.#subscriptions.endAll();
    return true;
  }

  #receive(data: unknown): void {
    if (this.#closed) return;
    if (sizeOf(data, this.#limits.messageBytes) > this.#limits.messageBytes) {
      this.#misfit(data, new Fault("message_too_large", "This is too much to be handled in one piece."));
      return;
    }
    // First: while text streams there is one of these for each frame, and hardly a call.
    const ack = ackMessageSchema.safeParse(data);
    if (ack.success) {
      this.#subscriptions.acknowledged(ack.data.subscriptionId, ack.data.seq);
      return;
    }
    const call = callMessageSchema.safeParse(data);
    if (call.success) {
      this.#call(call.data);
      return;
    }
    this.#misfit(
      data,
      new Fault("contract_broken", "Holdfast's window asked for something that Holdfast does not know.", {
        hint: "Reload the window. If it happens again, please report it.",
        detail: misfitText(call.error),
      }),
    );
  }

  /** A page that sends nonsense costs a few log lines, not a log full of them; and hears of it where it waits. */
  #misfit(data: unknown, fault: Fault): void {
    this.#misfits += 1;
    if (this.#misfits <= 10 || this.#misfits % 1000 === 0) {
      this.#options.log.warn("A message from a window does not fit", {
        count: this.#misfits,
        code: fault.code,
        detail: fault.detail,
      });
    }
    const id: unknown = typeof data === "object" && data !== null && "id" in data ? data.id : undefined;
    if (typeof id === "number" && Number.isSafeInteger(id) && !this.#outstanding.has(id)) {
      this.#post({ kind: "failure", id, fault: toFaultView(fault) });
    }
  }

  #call(message: CallMessage): void {
    const { id, name } = message;
    if (this.#outstanding.has(id)) {
      // Answering would settle the other call of this id with the wrong answer.
      this.#misfit(null, new Fault("contract_broken", "A call id was used twice.", { detail: name }));
      return;
    }
    const params = calls[name].params.safeParse(message.params);
    if (!params.success) {
      this.#misfit(
        message,
        new Fault("contract_broken", "Holdfast's window asked for something in a form that is not known.", {
          detail: `${name}: ${misfitText(params.error)}`,
        }),
      );
      return;
    }
    if (name === "subscribe") {
      this.#subscribe(id, params.data as Topic);
      return;
    }
    if (name === "unsubscribe") {
      this.#subscriptions.end((params.data as { subscriptionId: number }).subscriptionId);
      this.#post({ kind: "answer", id, ok: true, value: { done: true } });
      return;
    }
    if (this.#outstanding.size >= this.#limits.outstandingCalls) {
      this.#fail(id, name, new Fault("too_many_calls", "Too much is going on at once.", { retryable: true }));
      return;
    }
    this.#outstanding.add(id);
    void this.#perform(id, name, params.data);
  }

  async #perform(id: number, name: WindowCall, params: unknown): Promise<void> {
    let outcome: Checked | Fault;
    try {
      // The table has for each name a function of that name's params, and those were checked against that very name.
      const handlers = this.#options.handlers as Record<WindowCall, (params: unknown) => Promise<unknown>>;
      outcome = checkResult(name, await handlers[name](params));
    } catch (error) {
      outcome = this.#faultOf(name, error);
    }
    if (!this.#outstanding.delete(id) || this.#closed) return;
    if (outcome instanceof Fault) this.#fail(id, name, outcome);
    else this.#answer(id, name, outcome);
  }

  #subscribe(id: number, topic: Topic): void {
    try {
      const { subscriptionId, snapshot } = this.#subscriptions.open(topic);
      const checked = checkSnapshot(snapshot);
      const value = { subscriptionId, snapshot };
      if (this.#answer(id, "subscribe", checked.ok ? { ok: true, value } : checked)) {
        this.#subscriptions.begin(subscriptionId);
      } else {
        this.#subscriptions.end(subscriptionId);
      }
    } catch (error) {
      this.#fail(id, "subscribe", this.#faultOf("subscribe", error));
    }
  }

  #faultOf(name: CallName, error: unknown): Fault {
    const fault = asFault(error);
    if (!(error instanceof Fault)) this.#options.log.error("A call failed unexpectedly", { name, error });
    return fault;
  }

  /** True when the answer is on its way. */
  #answer(id: number, name: CallName, checked: Checked): boolean {
    if (checked.ok && this.#post({ kind: "answer", id, ok: true, value: checked.value })) return true;
    const detail = checked.ok ? "it is no plain data" : checked.detail;
    this.#options.log.error("An answer does not fit the contract", { name, detail });
    this.#fail(
      id,
      name,
      new Fault("contract_broken", "Holdfast has an answer that its window would not understand.", {
        hint: "Please report this.",
        detail: `${name}: ${detail}`,
      }),
    );
    return false;
  }

  #fail(id: number, name: CallName, fault: Fault): void {
    this.#options.log.info("A call was answered with a fault", { name, code: fault.code });
    this.#post({ kind: "failure", id, fault: toFaultView(fault) });
  }

  #post(message: PortMessage): boolean {
    if (this.#closed) return false;
    try {
      this.#options.port.post(message);
      return true;
    } catch (error) {
      this.#options.log.error("A message could not be posted", { kind: message.kind, error });
      return false;
    }
  }
}
