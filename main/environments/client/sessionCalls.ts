// What is asked of one session, over whichever connection it has. A call lives until it is answered, its time is over, or the
// session ends; connections come and go meanwhile.
//
// Races settled here:
// - The connection is lost while a call is under way: one without an effect goes out again over the next connection, and so
//   does one that certainly never left. One that may have had its effect fails, and is never sent again.
// - It is lost before the call: the call waits, and goes out over the next connection in the order in which it was made, before
//   anything that is asked later.
// - Many call at once: only so many are under way, and the others wait in their order. An exec-server that has too much to answer
//   reads and answers nothing any more, for good (codex 0.171.0: about 200).
// - The session ends: every call fails at once, also one whose answer has arrived and was not handed over yet. Only then is the
//   connection closed and whatever takes longer begun.
// - The answer comes after the deadline, or after the end: nobody hears of it.

import type { Clock } from "../../clock";
import type { RpcClient } from "../../codex/rpcClient";
import { RequestFault } from "../../codex/rpcFault";
import { Fault } from "../../fault";
import { DisconnectedFault } from "./disconnected";
import { answers, checkedAnswer, type ExecutorMethod, methodEffects } from "./executorProtocol";

export interface CallOptions {
  deadlineMs?: number;
  /** It is being sent: from now on it may have its effect. Called again when it is sent again. */
  onSent?(): void;
}

type Link =
  /** `underWay`: how many requests it has not answered yet, also those that nobody waits for any more. */
  | { state: "connected"; client: RpcClient; underWay: number }
  | { state: "recovering" }
  | { state: "ended"; fault: DisconnectedFault };

interface Call {
  method: ExecutorMethod;
  params: object;
  /** The number of the call: they go out in this order. */
  order: number;
  deadlineMs: number;
  isSent: boolean;
  onSent(): void;
  succeed(answer: unknown): void;
  fail(error: unknown): void;
}

const defaultDeadlineMs = 30_000;
const deadlinesMs: Partial<Record<ExecutorMethod, number>> = {
  "fs/readFile": 120_000,
  "fs/writeFile": 120_000,
  "fs/remove": 120_000,
  "fs/copy": 120_000,
};
const probeMs = 10_000;
/** The deadline over all connections is kept here; that of a single request only must not come before it. */
const slackMs = 1_000;
/** At one exec-server, which answers one after the other anyway. */
export const mostUnderWay = 32;

export class SessionCalls {
  readonly #clock: Clock;
  #link: Link;
  readonly #calls = new Set<Call>();
  /** In their order. */
  #waiting: Call[] = [];
  #lastOrder = 0;

  constructor(client: RpcClient, clock: Clock) {
    this.#clock = clock;
    this.#link = { state: "connected", client, underWay: 0 };
  }

  /** Null while there is none. */
  get client(): RpcClient | null {
    return this.#link.state === "connected" ? this.#link.client : null;
  }

  get hasEnded(): boolean {
    return this.#link.state === "ended";
  }

  /**
   * Rejects with a DisconnectedFault, an RpcFault (the executor refuses), Fault `deadline`, or a RequestFault (no usable
   * answer).
   */
  call(method: ExecutorMethod, params: object, options: CallOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const deadlineMs = options.deadlineMs ?? deadlinesMs[method] ?? defaultDeadlineMs;
      const settled = (call: Call) => {
        timer.cancel();
        return this.#calls.delete(call);
      };
      this.#lastOrder += 1;
      const call: Call = {
        method,
        params,
        order: this.#lastOrder,
        deadlineMs,
        isSent: false,
        onSent: () => options.onSent?.(),
        succeed: (answer) => settled(call) && resolve(answer),
        fail: (error) => settled(call) && reject(error),
      };
      const timer = this.#clock.after(deadlineMs, () => call.fail(deadlineFault(call, deadlineMs)));
      this.#calls.add(call);
      this.#wait(call);
      this.#sendWaiting();
    });
  }

  /** Asks over the connection in use, and waits for no other. */
  async probe(): Promise<void> {
    const link = this.#link;
    if (link.state === "ended") throw link.fault;
    if (link.state === "recovering") throw new DisconnectedFault("recovering");
    let answer: unknown;
    try {
      answer = await link.client.requestUntyped("environment/status", {}, { deadlineMs: probeMs });
    } catch (error) {
      if (this.#link.state === "ended") throw this.#link.fault;
      if (error instanceof RequestFault && error.code === "deadline") {
        throw deadlineFault({ method: "environment/status", isSent: true }, probeMs);
      }
      throw isLost(error) ? new DisconnectedFault("lost", { cause: error }) : error;
    }
    if (this.#link !== link) throw new DisconnectedFault("lost");
    const { status } = checkedAnswer("environment/status", answers.status, answer);
    if (status !== "ready") {
      throw new Fault("environment_not_ready", `The environment is not ready: it says "${status}".`, {
        retryable: true,
      });
    }
  }

  suspend(): void {
    if (this.#link.state === "connected") this.#link = { state: "recovering" };
  }

  use(client: RpcClient): void {
    if (this.#link.state === "ended") return;
    this.#link = { state: "connected", client, underWay: 0 };
    this.#sendWaiting();
  }

  /** Everything that is under way has failed when this returns, and the connection is closing. */
  end(fault: DisconnectedFault): void {
    if (this.#link.state === "ended") return;
    const { client } = this;
    this.#link = { state: "ended", fault };
    this.#waiting = [];
    for (const call of [...this.#calls]) call.fail(faultFor(call, fault));
    client?.close();
  }

  #wait(call: Call): void {
    const at = this.#waiting.findLastIndex(({ order }) => order < call.order) + 1;
    this.#waiting.splice(at, 0, call);
  }

  #sendWaiting(): void {
    const link = this.#link;
    if (link.state === "ended") {
      for (const call of this.#waiting.splice(0)) call.fail(link.fault);
      return;
    }
    if (link.state === "recovering") return;
    // A connection that has just ended: that it is lost is told in a moment.
    while (link.client.isOpen && link.underWay < mostUnderWay) {
      const call = this.#waiting.shift();
      if (call === undefined) return;
      if (this.#calls.has(call)) this.#send(call, link);
    }
  }

  #send(call: Call, link: Extract<Link, { state: "connected" }>): void {
    call.isSent = true;
    call.onSent();
    link.underWay += 1;
    link.client
      .requestUntyped(call.method, call.params, { deadlineMs: call.deadlineMs + slackMs, once: true })
      .then(call.succeed, (error: unknown) => this.#failed(call, error))
      .finally(() => {
        link.underWay -= 1;
        if (this.#link === link) this.#sendWaiting();
      });
  }

  #failed(call: Call, error: unknown): void {
    if (!this.#calls.has(call)) return;
    if (!isLost(error)) {
      call.fail(error);
    } else if (error.written && methodEffects[call.method]) {
      call.fail(new DisconnectedFault("lost", { mayHaveHappened: true, cause: error }));
    } else {
      call.isSent = false;
      this.#wait(call);
      this.#sendWaiting();
    }
  }
}

function isLost(error: unknown): error is RequestFault {
  return error instanceof RequestFault && error.code === "connection_lost";
}

function faultFor(call: Call, fault: DisconnectedFault): DisconnectedFault {
  return call.isSent && methodEffects[call.method] ? fault.sent() : fault;
}

function deadlineFault({ method, isSent }: Pick<Call, "method" | "isSent">, deadlineMs: number): Fault {
  const mayHaveHappened = isSent && methodEffects[method];
  return new Fault("deadline", `The environment did not answer within ${deadlineMs / 1000} s.`, {
    hint: mayHaveHappened ? "It may have been done all the same: look before it is done again." : undefined,
    detail: method,
    retryable: true,
  });
}
