// What a scripted model can do in one response, as data. A script yields these in order; `responseStream.ts` turns them into
// the events of the Responses API. A script never touches a socket, so a test can hold a response at any point. The ids of
// messages and reasoning are made when they are sent, so that no two are ever the same: codex makes them its item ids.

import { randomUUID } from "node:crypto";
import type { ModelRequest } from "./modelRequest";

/** A message that explains what comes next, or the one that ends the turn. */
export type Phase = "commentary" | "final_answer";

/** An item that is sent whole. The API knows more; these are the ones that scripts need. */
export type OutputItem =
  | { type: "function_call"; call_id: string; name: string; arguments: string; namespace?: string }
  | { type: "custom_tool_call"; call_id: string; name: string; input: string }
  | { type: "message"; role: "assistant"; content: { type: "output_text"; text: string }[]; phase?: Phase };

export interface Usage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
}

export type Step =
  /** Sends the headers and `response.created`; any other step that sends something does so by itself. */
  | { type: "created" }
  /** Opens a message when none is open, and adds to it. */
  | { type: "textDelta"; text: string; phase?: Phase }
  /** Opens a reasoning item when none is open, and adds to its summary. */
  | { type: "reasoningDelta"; text: string }
  /** Begins the next part of the open reasoning summary. */
  | { type: "reasoningPart" }
  /** Ends the open message or reasoning; so does every step that sends something else. */
  | { type: "itemEnd" }
  | { type: "item"; item: OutputItem }
  /** An event in its wire form, for what has no step of its own. */
  | { type: "event"; event: { type: string } & Record<string, unknown> }
  | { type: "pause"; ms: number }
  /** Waits until `released`; the response is cut when that takes too long. */
  | { type: "hold"; released: (signal: AbortSignal) => Promise<void> }
  /** Destroys the socket with nothing said. */
  | { type: "cut" }
  /** Answers with an HTTP error instead of a stream; only before anything was sent. */
  | { type: "refuse"; status: number; code: string; message: string; headers?: Record<string, string> }
  /** Ends the stream with `response.failed`. */
  | { type: "failed"; code: string; message: string }
  /** Ends the stream; a script that just ends does the same. Without `usage` it is estimated. */
  | { type: "completed"; usage?: Usage };

export type Steps = Iterable<Step> | AsyncIterable<Step>;

/** Decides what the model does with one request; its steps are asked for only as they can be sent. */
export type Script = (request: ModelRequest) => Steps;

export interface CallOptions {
  /** Made up when it is not given. */
  callId?: string;
}

export interface ShellOptions extends CallOptions {
  /** Asks the person for leave to run outside the sandbox, for this reason. */
  escalate?: { justification: string };
  /** How long the tool waits for output before the turn goes on. */
  yieldTimeMs?: number;
}

export type PlanStatus = "pending" | "in_progress" | "completed";

export function messageItem(text: string, phase?: Phase): Step {
  const content = [{ type: "output_text" as const, text }];
  return { type: "item", item: { type: "message", role: "assistant", content, ...(phase ? { phase } : {}) } };
}

export function functionCallItem(
  name: string,
  args: unknown,
  options: CallOptions & { namespace?: string } = {},
): Step {
  const item: OutputItem = {
    type: "function_call",
    call_id: options.callId ?? newCallId(),
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  };
  if (options.namespace) item.namespace = options.namespace;
  return { type: "item", item };
}

export function shellItem(command: string, options: ShellOptions = {}): Step {
  const args = {
    cmd: command,
    ...(options.yieldTimeMs === undefined ? {} : { yield_time_ms: options.yieldTimeMs }),
    ...(options.escalate
      ? { sandbox_permissions: "require_escalated", justification: options.escalate.justification }
      : {}),
  };
  return functionCallItem("exec_command", args, options);
}

/** `patch` is in codex's own form, from `*** Begin Patch` to `*** End Patch`. */
export function patchItem(patch: string, options: CallOptions = {}): Step {
  const call_id = options.callId ?? newCallId();
  return { type: "item", item: { type: "custom_tool_call", call_id, name: "apply_patch", input: patch } };
}

export function planItem(
  plan: { step: string; status: PlanStatus }[],
  options: CallOptions & { explanation?: string } = {},
): Step {
  const args = { ...(options.explanation ? { explanation: options.explanation } : {}), plan };
  return functionCallItem("update_plan", args, options);
}

function newCallId(): string {
  return `call_${randomUUID().replaceAll("-", "")}`;
}
