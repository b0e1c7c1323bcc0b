// The steps of which a model's answer is made, and their form on the wire (server-sent events of the Responses API, as codex
// reads them). A script is a function from a request to steps; it never touches a socket, so the demo model is plain data and
// a test can hold an answer at any point.

import type { ModelRequest } from "./modelRequest";

/** Holds an answer until it is opened. */
export interface Gate {
  name: string;
  opened: Promise<void>;
}

export interface Usage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
}

export type MessagePhase = "commentary" | "final_answer";

export type OutputItem =
  | { type: "message"; id: string; text: string; phase?: MessagePhase }
  | { type: "reasoning"; id: string; summary: string[] }
  | { type: "function_call"; callId: string; name: string; namespace?: string; arguments: string }
  | { type: "custom_tool_call"; callId: string; name: string; input: string };

export type Step =
  /** Sends the head of the answer. Any other step that sends something does it first, if it was not done. */
  | { step: "created" }
  | { step: "itemAdded"; item: OutputItem }
  | { step: "textDelta"; itemId: string; text: string }
  | { step: "reasoningPart"; itemId: string; part: number }
  | { step: "reasoningDelta"; itemId: string; part: number; text: string }
  | { step: "itemDone"; item: OutputItem }
  /** An event in its wire form, for what has no step of its own. */
  | { step: "event"; event: { type: string } & Record<string, unknown> }
  | { step: "pause"; ms: number }
  | { step: "hold"; gate: Gate }
  /** Ends the answer well. Without `usage` it is estimated from the sizes. */
  | { step: "completed"; usage?: Usage }
  /** Ends the answer with an error that the model reports. */
  | { step: "failed"; code: string; message: string }
  /** Instead of an answer; only before anything was sent. */
  | { step: "httpError"; status: number; code: string; message: string; headers?: Record<string, string> }
  /** Breaks the connection in the middle. */
  | { step: "cut" };

/** `signal` is aborted when codex has gone or the server closes; a script that waits for something must heed it. */
export type Script = (request: ModelRequest, signal: AbortSignal) => Iterable<Step> | AsyncIterable<Step>;

export type StreamStep = Exclude<Step, { step: "pause" | "hold" | "httpError" | "cut" }>;

/** Numbers the events of one answer and counts what it says. */
export class EventWriter {
  readonly #request: ModelRequest;
  #sequence = 0;
  #itemIndex = -1;
  #openItem: string | null = null;
  #characters = 0;

  constructor(request: ModelRequest) {
    this.#request = request;
  }

  /** The event as text, ready to be sent. */
  write(step: StreamStep): string {
    const event = { ...this.#event(step), sequence_number: this.#sequence++ };
    return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  }

  #event(step: StreamStep): { type: string } & Record<string, unknown> {
    const id = this.#request.responseId;
    switch (step.step) {
      case "created":
        return { type: "response.created", response: { id } };
      case "itemAdded":
        this.#itemIndex++;
        this.#openItem = itemKey(step.item);
        return {
          type: "response.output_item.added",
          output_index: this.#itemIndex,
          item: wireItem(step.item),
        };
      case "textDelta":
        this.#characters += step.text.length;
        return {
          type: "response.output_text.delta",
          item_id: step.itemId,
          output_index: this.#itemIndex,
          content_index: 0,
          delta: step.text,
        };
      case "reasoningPart":
        return {
          type: "response.reasoning_summary_part.added",
          item_id: step.itemId,
          output_index: this.#itemIndex,
          summary_index: step.part,
        };
      case "reasoningDelta":
        this.#characters += step.text.length;
        return {
          type: "response.reasoning_summary_text.delta",
          item_id: step.itemId,
          output_index: this.#itemIndex,
          summary_index: step.part,
          delta: step.text,
        };
      case "itemDone":
        // An item may come whole, without having been announced.
        if (this.#openItem !== itemKey(step.item)) {
          this.#itemIndex++;
          this.#characters += itemCharacters(step.item);
        }
        this.#openItem = null;
        return {
          type: "response.output_item.done",
          output_index: this.#itemIndex,
          item: wireItem(step.item),
        };
      case "event":
        return step.event;
      case "completed":
        return {
          type: "response.completed",
          response: { id, usage: wireUsage(step.usage ?? this.#estimate()) },
        };
      case "failed":
        return {
          type: "response.failed",
          response: { id, error: { code: step.code, message: step.message } },
        };
      default:
        return step satisfies never;
    }
  }

  /** About four characters a token, which is near enough for a meter. */
  #estimate(): Usage {
    return {
      inputTokens: Math.ceil(this.#request.bodyBytes / 4),
      cachedInputTokens: 0,
      outputTokens: Math.ceil(this.#characters / 4),
      reasoningTokens: 0,
    };
  }
}

function itemKey(item: OutputItem): string {
  return "callId" in item ? item.callId : item.id;
}

function itemCharacters(item: OutputItem): number {
  switch (item.type) {
    case "message":
      return item.text.length;
    case "reasoning":
      return item.summary.join("").length;
    case "function_call":
      return item.arguments.length;
    case "custom_tool_call":
      return item.input.length;
    default:
      return item satisfies never;
  }
}

function wireItem(item: OutputItem): Record<string, unknown> {
  switch (item.type) {
    case "message":
      return {
        type: "message",
        id: item.id,
        role: "assistant",
        content: item.text === "" ? [] : [{ type: "output_text", text: item.text }],
        ...(item.phase === undefined ? {} : { phase: item.phase }),
      };
    case "reasoning":
      return {
        type: "reasoning",
        id: item.id,
        summary: item.summary.map((text) => ({ type: "summary_text", text })),
        encrypted_content: null,
      };
    case "function_call":
      return {
        type: "function_call",
        call_id: item.callId,
        name: item.name,
        arguments: item.arguments,
        ...(item.namespace === undefined ? {} : { namespace: item.namespace }),
      };
    case "custom_tool_call":
      return { type: "custom_tool_call", call_id: item.callId, name: item.name, input: item.input };
    default:
      return item satisfies never;
  }
}

function wireUsage(usage: Usage): Record<string, unknown> {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedInputTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
