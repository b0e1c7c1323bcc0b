// What codex asks of a model, read from the body of POST /v1/responses: what scripts choose their answers by. The whole body
// is kept beside it, since tests look at everything that was sent. Nothing in it is trusted to have a shape; what is not
// understood is skipped, so that a newer codex does not break a script.

export interface ToolOutput {
  callId: string;
  text: string;
}

export type InputEntry =
  | { type: "user"; text: string; images: number }
  | { type: "assistant"; text: string }
  | { type: "call"; callId: string; name: string; arguments: string }
  | { type: "output"; callId: string; text: string };

export interface ModelRequest {
  /** The number of this request to this server, from 0. */
  index: number;
  body: Readonly<Record<string, unknown>>;
  instructions: string;
  /** The conversation without the messages that codex adds by itself (developer notes, environment, aborts). */
  entries: readonly InputEntry[];
  /** Names of the tools on offer; those of a namespace as "namespace.name". */
  toolNames: readonly string[];
  /** The last thing a person said. */
  lastUserText: string;
  /** Tool outputs after the last thing a person said. */
  outputsSinceUser: readonly ToolOutput[];
  threadId: string | null;
  turnId: string | null;
  /** codex's own name for the reason of the request: "turn", "compaction", ...; null when it does not say. */
  kind: string | null;
}

/** Texts that codex itself puts into the conversation under the role of the user. */
const addedByCodex =
  /^\s*(<(environment_context|user_instructions|turn_aborted|skill|recommended_plugins|subagent_notification)\b|# AGENTS\.md instructions)/;

export function readModelRequest(index: number, body: Readonly<Record<string, unknown>>): ModelRequest {
  const entries = list(body.input).flatMap(readEntry);
  const lastUserAt = entries.findLastIndex((entry) => entry.type === "user");
  const lastUser = entries[lastUserAt];
  const metadata = record(body.client_metadata);
  return {
    index,
    body,
    instructions: text(body.instructions),
    entries,
    toolNames: list(body.tools).flatMap(readToolNames),
    lastUserText: lastUser?.type === "user" ? lastUser.text : "",
    outputsSinceUser: entries
      .slice(lastUserAt + 1)
      .flatMap((entry) => (entry.type === "output" ? [{ callId: entry.callId, text: entry.text }] : [])),
    threadId: text(metadata.thread_id) || null,
    turnId: text(metadata.turn_id) || null,
    kind: text(parsedRecord(metadata["x-codex-turn-metadata"]).request_kind) || null,
  };
}

function readEntry(value: unknown): InputEntry[] {
  const item = record(value);
  const callId = text(item.call_id);
  switch (item.type) {
    case "message":
      return readMessage(item);
    case "function_call":
      return [{ type: "call", callId, name: text(item.name), arguments: text(item.arguments) }];
    case "custom_tool_call":
      return [{ type: "call", callId, name: text(item.name), arguments: text(item.input) }];
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ type: "output", callId, text: contentText(item.output) }];
    default:
      return [];
  }
}

function readMessage(item: Record<string, unknown>): InputEntry[] {
  if (item.role === "assistant") return [{ type: "assistant", text: contentText(item.content) }];
  if (item.role !== "user") return [];
  // codex adds its notes as messages of their own, and sometimes as parts of one.
  const parts = list(item.content).map(record);
  const said = parts.filter((part) => !addedByCodex.test(text(part.text)));
  if (parts.length > 0 && said.length === 0) return [];
  const images = said.filter((part) => part.type === "input_image").length;
  return [{ type: "user", text: parts.length > 0 ? contentText(said) : text(item.content), images }];
}

function readToolNames(value: unknown): string[] {
  const tool = record(value);
  const name = text(tool.name) || text(tool.type);
  if (tool.type !== "namespace") return [name];
  return list(tool.tools).map((inner) => `${name}.${text(record(inner).name)}`);
}

/** Content is a string or a list of parts; parts without text, such as images, leave no trace here. */
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
