// Plays the steps of one response to one client as server-sent events.
//
// Races: the client may go away, or the server may close, while a step waits (for a pause, a gate, the script itself, or a
// socket that takes no more). All of these waits end with `signal`, and each has a limit of its own besides; whichever ends
// first wins, and nothing is written afterwards. The script is told to return when its response ends early; it is not waited
// for, since a script that ignores its signal must not keep the server open.

import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Clock } from "../clock";
import type { OutputItem, Phase, Step, Steps, Usage } from "./responseSteps";

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

type OpenItem =
  | { kind: "message"; id: string; index: number; text: string; phase: Phase | undefined }
  | { kind: "reasoning"; id: string; index: number; parts: string[] };

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
  readonly #id = `resp_${plainId()}`;
  #started = false;
  #sequence = 0;
  #outputIndex = 0;
  #outputUnits = 0;
  #output: object[] = [];
  #open: OpenItem | null = null;

  constructor(response: ServerResponse, context: StreamContext) {
    this.#response = response;
    this.#context = context;
  }

  async play(step: Step): Promise<StreamOutcome | null> {
    switch (step.type) {
      case "refuse":
        return this.#refuse(step);
      case "cut":
        return this.cut("script");
      case "failed":
        this.fail(step.code, step.message);
        return { type: "failed" };
      case "pause":
        return this.#wait((signal) => this.#pause(step.ms, signal));
      case "hold":
        return this.#wait(step.released);
      case "created":
        this.#start();
        break;
      case "textDelta":
        this.#textDelta(step.text, step.phase);
        break;
      case "reasoningDelta":
        this.#reasoningDelta(step.text);
        break;
      case "reasoningPart":
        this.#reasoningPart();
        break;
      case "itemEnd":
        this.#endItem();
        break;
      case "item":
        this.#wholeItem(step.item);
        break;
      case "event":
        this.#endItem();
        this.#start();
        this.#send(step.event.type, step.event);
        break;
      case "completed":
        return this.#complete(step.usage);
      default: {
        const unknown: never = step;
        throw new TypeError(`Unknown step: ${JSON.stringify(unknown)}`);
      }
    }
    return this.#drained();
  }

  cut(why: "script" | "client" | "timeout"): StreamOutcome {
    this.#response.destroy();
    return { type: "cut", why };
  }

  fail(code: string, message: string): void {
    if (this.#context.signal.aborted) return;
    this.#start();
    this.#endItem();
    this.#send("response.failed", {
      response: { ...this.#shape("failed"), error: { code, message } },
    });
    this.#response.end();
  }

  #refuse(step: Extract<Step, { type: "refuse" }>): StreamOutcome {
    if (this.#started) throw new TypeError("A response that has begun cannot be refused.");
    const body = JSON.stringify({ error: { type: step.code, code: step.code, message: step.message } });
    this.#response.writeHead(step.status, { ...step.headers, "content-type": "application/json" }).end(body);
    return { type: "refused", status: step.status };
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    this.#send("response.created", { response: this.#shape("in_progress") });
  }

  #textDelta(text: string, phase: Phase | undefined): void {
    if (this.#open?.kind !== "message") {
      this.#endItem();
      this.#start();
      const open: OpenItem = {
        kind: "message",
        id: `msg_${plainId()}`,
        index: this.#outputIndex++,
        text: "",
        phase,
      };
      this.#open = open;
      this.#send("response.output_item.added", { output_index: open.index, item: messageOf(open, []) });
      this.#send("response.content_part.added", {
        item_id: open.id,
        output_index: open.index,
        content_index: 0,
        part: textPart(""),
      });
    }
    const open = this.#open;
    if (open?.kind !== "message") return;
    open.text += text;
    this.#outputUnits += text.length;
    this.#send("response.output_text.delta", {
      item_id: open.id,
      output_index: open.index,
      content_index: 0,
      delta: text,
    });
  }

  #reasoningDelta(text: string): void {
    if (this.#open?.kind !== "reasoning") {
      this.#endItem();
      this.#start();
      const open: OpenItem = {
        kind: "reasoning",
        id: `rs_${plainId()}`,
        index: this.#outputIndex++,
        parts: [],
      };
      this.#open = open;
      this.#send("response.output_item.added", {
        output_index: open.index,
        item: { type: "reasoning", id: open.id, summary: [] },
      });
      this.#reasoningPart();
    }
    const open = this.#open;
    if (open?.kind !== "reasoning") return;
    const part = open.parts.length - 1;
    open.parts[part] = `${open.parts[part] ?? ""}${text}`;
    this.#outputUnits += text.length;
    this.#send("response.reasoning_summary_text.delta", {
      item_id: open.id,
      output_index: open.index,
      summary_index: part,
      delta: text,
    });
  }

  #reasoningPart(): void {
    const open = this.#open;
    if (open?.kind !== "reasoning") return;
    open.parts.push("");
    this.#send("response.reasoning_summary_part.added", {
      item_id: open.id,
      output_index: open.index,
      summary_index: open.parts.length - 1,
      part: { type: "summary_text", text: "" },
    });
  }

  #endItem(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = null;
    if (open.kind === "reasoning") {
      const summary = open.parts.map((text) => ({ type: "summary_text", text }));
      this.#itemDone(open.index, { type: "reasoning", id: open.id, summary, encrypted_content: null });
      return;
    }
    this.#send("response.output_text.done", {
      item_id: open.id,
      output_index: open.index,
      content_index: 0,
      text: open.text,
    });
    this.#itemDone(open.index, messageOf(open, [textPart(open.text)]));
  }

  #wholeItem(item: OutputItem): void {
    this.#endItem();
    this.#start();
    this.#outputUnits += JSON.stringify(item).length;
    this.#itemDone(this.#outputIndex++, { id: `${idPrefix[item.type]}_${plainId()}`, ...item });
  }

  #itemDone(index: number, item: object): void {
    this.#output.push(item);
    this.#send("response.output_item.done", { output_index: index, item });
  }

  #complete(usage: Usage | undefined): StreamOutcome {
    this.#endItem();
    this.#start();
    this.#send("response.completed", {
      response: { ...this.#shape("completed"), usage: usageOf(usage ?? this.#estimate()) },
    });
    this.#response.end();
    return { type: "completed" };
  }

  /** About four characters a token; a scripted model has no tokens, but the gauge that shows them should move. */
  #estimate(): Usage {
    const inputTokens = Math.ceil(this.#context.requestUnits / 4);
    return {
      inputTokens,
      cachedInputTokens: 0,
      outputTokens: Math.ceil(this.#outputUnits / 4),
      reasoningTokens: 0,
    };
  }

  #shape(status: string): object {
    return { id: this.#id, object: "response", status, output: this.#output };
  }

  #send(type: string, fields: object): void {
    const data = JSON.stringify({ type, sequence_number: this.#sequence++, ...fields });
    this.#response.write(`event: ${type}\ndata: ${data}\n\n`);
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

const idPrefix: Record<OutputItem["type"], string> = {
  function_call: "fc",
  custom_tool_call: "ctc",
  message: "msg",
};

function messageOf(open: { id: string; phase: Phase | undefined }, content: object[]): object {
  const phase = open.phase ? { phase: open.phase } : {};
  return { type: "message", id: open.id, role: "assistant", status: "completed", content, ...phase };
}

function textPart(text: string): object {
  return { type: "output_text", text, annotations: [] };
}

function usageOf(usage: Usage): object {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedInputTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}

function plainId(): string {
  return randomUUID().replaceAll("-", "");
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
