// What codex asks of a model, read from the body of POST /v1/responses: only what a script needs to choose its answer. The
// whole body is kept beside it, since tests look at everything that was sent. Unknown item types are kept as "other", so that
// a newer codex does not break a script.

export type InputItem =
  | { kind: "message"; role: string; text: string }
  | { kind: "call"; callId: string; name: string; argument: string }
  | { kind: "output"; callId: string; text: string }
  | { kind: "other"; type: string };

export interface ModelRequest {
  /** Made by the server for this answer; a script derives the ids of its items from it, for codex makes them item ids. */
  responseId: string;
  model: string;
  /** Codex's own name for the reason of the request: "turn", "compaction", ... */
  purpose: string;
  threadId: string;
  turnId: string;
  input: InputItem[];
  /** Names of the tools on offer; those of a namespace as "namespace.name". */
  toolNames: string[];
  bodyBytes: number;
  body: Record<string, unknown>;
}

export function readModelRequest(responseId: string, bodyText: string): ModelRequest {
  const body = record(JSON.parse(bodyText));
  const metadata = record(body.client_metadata);
  const turnMetadata = parsedRecord(metadata["x-codex-turn-metadata"]);
  return {
    responseId,
    model: text(body.model),
    purpose: text(turnMetadata.request_kind) || "turn",
    threadId: text(metadata.thread_id),
    turnId: text(metadata.turn_id),
    input: list(body.input).map(readInputItem),
    toolNames: list(body.tools).flatMap(readToolNames),
    bodyBytes: Buffer.byteLength(bodyText),
    body,
  };
}

function readInputItem(value: unknown): InputItem {
  const item = record(value);
  const type = text(item.type);
  switch (type) {
    case "message":
      return { kind: "message", role: text(item.role), text: contentText(item.content) };
    case "function_call":
      return {
        kind: "call",
        callId: text(item.call_id),
        name: text(item.name),
        argument: text(item.arguments),
      };
    case "custom_tool_call":
      return { kind: "call", callId: text(item.call_id), name: text(item.name), argument: text(item.input) };
    case "function_call_output":
    case "custom_tool_call_output":
      return { kind: "output", callId: text(item.call_id), text: contentText(item.output) };
    default:
      return { kind: "other", type };
  }
}

function readToolNames(value: unknown): string[] {
  const tool = record(value);
  const name = text(tool.name) || text(tool.type);
  if (tool.type !== "namespace") return [name];
  return list(tool.tools).map((inner) => `${name}.${text(record(inner).name)}`);
}

/** Content is a string or a list of parts; parts without text (images) leave no trace here. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => text(record(part).text))
    .filter((part) => part !== "")
    .join("\n");
}

function parsedRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== "string") return record(value);
  try {
    return record(JSON.parse(value));
  } catch {
    // Metadata is a hint: a request whose metadata cannot be read is still a request.
    return {};
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
