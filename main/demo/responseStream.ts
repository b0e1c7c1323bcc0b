// Plays the steps of one response to one client as server-sent events.
//
// Races: the client may go away, or the server may close, while a step waits (for a pause, a gate, the script itself, or a
// socket that takes no more). All of these waits end with `signal`, and each has a limit of its own besides; whichever ends
// first wins, and nothing is written afterwards. The script is told to return when its response ends early; it is not waited
// for, since a script that ignores its signal must not keep the server open.

import type { ServerResponse } from "node:http";
import type { Clock } from "../clock";
import { ResponseEvents } from "./responseEvents";
import type { Step, Steps } from "./responseSteps";

export interface StreamLimits {
  /** How long a gate, a pause or the script itself may keep a response waiting. */
  holdMs: number;
  /** How long a client may leave the socket full. */
  drainMs: number;
}

export interface StreamContext {
  clock: Clock;
  /** Aborted when the client has gone or the server closes. */
  signal: AbortSignal;
  limits: StreamLimits;
  /** Size of the request, from which token counts are estimated. */
  requestUnits: number;
}

export type StreamOutcome =
  | { type: "completed" }
  | { type: "refused"; status: number }
  | { type: "failed" }
  | { type: "cut"; why: "script" | "client" | "timeout" };

export type Waited<T> = { type: "done"; value: T } | { type: "gone" } | { type: "timeout" };

/** Never rejects for what the client does; rejects with what the script throws. The response is ended when it settles. */
export async function playResponse(
  response: ServerResponse,
  steps: Steps,
  context: StreamContext,
): Promise<StreamOutcome> {
  const iterator = iterate(steps);
  const player = new Player(response, context);
  try {
    for (;;) {
      const next = await within(Promise.resolve(iterator.next()), context, context.limits.holdMs);
      if (next.type !== "done") return player.cut(next.type === "gone" ? "client" : "timeout");
      const step: Step = next.value.done ? { type: "completed" } : next.value.value;
      const outcome = await player.play(step);
      if (outcome) return outcome;
    }
  } catch (error) {
    // The client must see an end that is not a success, whatever the script did.
    player.fail("server_error", "The scripted model stopped with an error.");
    throw error;
  } finally {
    leave(iterator);
  }
}

class Player {
  readonly #response: ServerResponse;
  readonly #context: StreamContext;
  readonly #events: ResponseEvents;

  constructor(response: ServerResponse, context: StreamContext) {
    this.#response = response;
    this.#context = context;
    this.#events = new ResponseEvents(context.requestUnits, (text) => {
      if (!response.headersSent) {
        response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      }
      response.write(text);
    });
  }

  /** The outcome, when the step ends the response. */
  async play(step: Step): Promise<StreamOutcome | null> {
    const events = this.#events;
    switch (step.type) {
      case "refuse":
        return this.#refuse(step);
      case "cut":
        return this.cut("script");
      case "failed":
        this.fail(step.code, step.message);
        return { type: "failed" };
      case "completed":
        events.complete(step.usage);
        this.#response.end();
        return { type: "completed" };
      case "pause":
        return this.#wait((signal) => this.#pause(step.ms, signal));
      case "hold":
        return this.#wait(step.released);
      case "created":
        events.start();
        break;
      case "textDelta":
        events.textDelta(step.text, step.phase);
        break;
      case "reasoningDelta":
        events.reasoningDelta(step.text);
        break;
      case "reasoningPart":
        events.reasoningPart();
        break;
      case "itemEnd":
        events.endItem();
        break;
      case "item":
        events.wholeItem(step.item);
        break;
      case "event":
        events.event(step.event);
        break;
      default:
        return step satisfies never;
    }
    return this.#drained();
  }

  cut(why: "script" | "client" | "timeout"): StreamOutcome {
    this.#response.destroy();
    return { type: "cut", why };
  }

  fail(code: string, message: string): void {
    if (this.#context.signal.aborted) return;
    this.#events.failed(code, message);
    this.#response.end();
  }

  #refuse(step: Extract<Step, { type: "refuse" }>): StreamOutcome {
    if (this.#events.started) throw new TypeError("A response that has begun cannot be refused.");
    const body = JSON.stringify({ error: { type: step.code, code: step.code, message: step.message } });
    this.#response.writeHead(step.status, { ...step.headers, "content-type": "application/json" }).end(body);
    return { type: "refused", status: step.status };
  }

  async #drained(): Promise<StreamOutcome | null> {
    if (this.#context.signal.aborted) return this.cut("client");
    if (!this.#response.writableNeedDrain) return null;
    const drained = new Promise<void>((resolve) => this.#response.once("drain", resolve));
    return this.#settle(await within(drained, this.#context, this.#context.limits.drainMs));
  }

  async #wait(released: (signal: AbortSignal) => Promise<void>): Promise<StreamOutcome | null> {
    const wait = released(this.#context.signal);
    return this.#settle(await within(wait, this.#context, this.#context.limits.holdMs));
  }

  #settle(waited: Waited<void>): StreamOutcome | null {
    if (waited.type === "done") return null;
    return this.cut(waited.type === "gone" ? "client" : "timeout");
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.#context.clock.after(ms, () => {
        signal.removeEventListener("abort", stop);
        resolve();
      });
      const stop = () => {
        timer.cancel();
        resolve();
      };
      signal.addEventListener("abort", stop, { once: true });
    });
  }
}

type StepIterator = Iterator<Step> | AsyncIterator<Step>;

function iterate(steps: Steps): StepIterator {
  return Symbol.asyncIterator in steps ? steps[Symbol.asyncIterator]() : steps[Symbol.iterator]();
}

function leave(iterator: StepIterator): void {
  // Whatever a script throws while it is told to stop, the response has its end already.
  void Promise.resolve()
    .then(() => iterator.return?.())
    .catch(() => undefined);
}

/** Settles with the first of: `wait`, the client's going, the limit. Rejects only with what `wait` rejects with first. */
export function within<T>(
  wait: Promise<T>,
  { clock, signal }: Pick<StreamContext, "clock" | "signal">,
  limitMs: number,
): Promise<Waited<T>> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      timer.cancel();
      signal.removeEventListener("abort", gone);
      settle();
    };
    const gone = () => finish(() => resolve({ type: "gone" }));
    const timer = clock.after(limitMs, () => finish(() => resolve({ type: "timeout" })));
    if (signal.aborted) {
      gone();
      // It may still reject; the response is over, so nobody is left to be told.
      wait.catch(() => undefined);
      return;
    }
    signal.addEventListener("abort", gone, { once: true });
    wait.then(
      (value) => finish(() => resolve({ type: "done", value })),
      (error: unknown) => finish(() => reject(error)),
    );
  });
}
