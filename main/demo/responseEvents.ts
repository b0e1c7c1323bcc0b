// Writes what happens in one response as the events of the Responses API, as codex reads them: opens and ends items, numbers
// events, and counts what was said.

import { randomUUID } from "node:crypto";
import type { OutputItem, Phase, Usage } from "./responseSteps";

type OpenItem =
  | { kind: "message"; id: string; index: number; text: string; phase: Phase | undefined }
  | { kind: "reasoning"; id: string; index: number; parts: string[] };

export class ResponseEvents {
  readonly #write: (text: string) => void;
  readonly #requestUnits: number;
  readonly #id = `resp_${plainId()}`;
  #started = false;
  #sequence = 0;
  #outputIndex = 0;
  #outputUnits = 0;
  #output: object[] = [];
  #open: OpenItem | null = null;

  /** `requestUnits` is the size of the request, from which token counts are estimated. */
  constructor(requestUnits: number, write: (text: string) => void) {
    this.#requestUnits = requestUnits;
    this.#write = write;
  }

  /** Whether anything was written. */
  get started(): boolean {
    return this.#started;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#send("response.created", { response: this.#shape("in_progress") });
  }

  textDelta(text: string, phase: Phase | undefined): void {
    if (this.#open?.kind !== "message") {
      this.endItem();
      this.start();
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

  reasoningDelta(text: string): void {
    if (this.#open?.kind !== "reasoning") {
      this.endItem();
      this.start();
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
      this.reasoningPart();
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

  reasoningPart(): void {
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

  endItem(): void {
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

  wholeItem(item: OutputItem): void {
    this.endItem();
    this.start();
    this.#outputUnits += JSON.stringify(item).length;
    this.#itemDone(this.#outputIndex++, { id: `${idPrefix[item.type]}_${plainId()}`, ...item });
  }

  /** An event in its wire form. */
  event(event: { type: string } & Record<string, unknown>): void {
    this.endItem();
    this.start();
    this.#send(event.type, event);
  }

  failed(code: string, message: string): void {
    this.start();
    this.endItem();
    this.#send("response.failed", { response: { ...this.#shape("failed"), error: { code, message } } });
  }

  #itemDone(index: number, item: object): void {
    this.#output.push(item);
    this.#send("response.output_item.done", { output_index: index, item });
  }

  complete(usage: Usage | undefined): void {
    this.endItem();
    this.start();
    this.#send("response.completed", {
      response: { ...this.#shape("completed"), usage: usageOf(usage ?? this.#estimate()) },
    });
  }

  /** About four characters a token; a scripted model has no tokens, but the gauge that shows them should move. */
  #estimate(): Usage {
    const inputTokens = Math.ceil(this.#requestUnits / 4);
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
    this.#write(`event: ${type}\ndata: ${data}\n\n`);
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
