// What codex asks of a model, read from the body of `POST /v1/responses`. Only what scripts decide by is read; the whole body
// stays at hand. Nothing in it is trusted to have a shape: an item that is not understood is skipped.

type Loose = Record<string, unknown>;

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
  /** The path that was asked for, as in `/v1/responses`. */
  path: string;
  body: Readonly<Loose>;
  instructions: string;
  /** The conversation without the messages that codex adds by itself (developer notes, environment, aborts). */
  entries: readonly InputEntry[];
  /** Names of the tools that are offered; a namespace counts as one. */
  toolNames: readonly string[];
  /** The last thing a person said. */
  lastUserText: string;
  /** Tool outputs after the last thing a person said. */
  outputsSinceUser: readonly ToolOutput[];
  threadId: string | null;
  turnId: string | null;
  /** What codex wants it for: "turn", "compact", ...; null when it does not say. */
  kind: string | null;
}

/** Texts that codex itself puts into the conversation under the role of the user. */
const addedByCodex =
  /^\s*(<(environment_context|user_instructions|turn_aborted|skill|permissions|recommended_plugins|apps_instructions|subagent_notification)\b|# AGENTS\.md instructions)/;

export function readModelRequest(index: number, path: string, body: Readonly<Loose>): ModelRequest {
  const entries = readEntries(body.input);
  const lastUserAt = entries.findLastIndex((entry) => entry.type === "user");
  const lastUser = entries[lastUserAt];
  const metadata = asRecord(body.client_metadata);
  return {
    index,
    path,
    body,
    instructions: asText(body.instructions),
    entries,
    toolNames: asList(body.tools).map((tool) => asText(asRecord(tool).name) || asText(asRecord(tool).type)),
    lastUserText: lastUser?.type === "user" ? lastUser.text : "",
    outputsSinceUser: entries
      .slice(lastUserAt + 1)
      .flatMap((entry) => (entry.type === "output" ? [{ callId: entry.callId, text: entry.text }] : [])),
    threadId: asText(metadata.thread_id) || null,
    turnId: asText(metadata.turn_id) || null,
    kind: asText(parsed(metadata["x-codex-turn-metadata"]).request_kind) || null,
  };
}

function readEntries(input: unknown): InputEntry[] {
  if (typeof input === "string") return [{ type: "user", text: input, images: 0 }];
  return asList(input).flatMap((raw): InputEntry[] => {
    const item = asRecord(raw);
    switch (item.type) {
      case "message":
      case undefined:
        return readMessage(item);
      case "function_call":
      case "custom_tool_call":
        return [
          {
            type: "call",
            callId: asText(item.call_id),
            name: asText(item.name),
            arguments: asText(item.arguments ?? item.input),
          },
        ];
      case "function_call_output":
      case "custom_tool_call_output":
        return [{ type: "output", callId: asText(item.call_id), text: contentText(item.output) }];
      default:
        return [];
    }
  });
}

function readMessage(item: Loose): InputEntry[] {
  const parts = asList(item.content).map(asRecord);
  if (item.role === "assistant") return [{ type: "assistant", text: contentText(item.content) }];
  if (item.role !== "user") return [];
  // codex adds its notes as messages, and sometimes as parts, of their own.
  const said = parts.filter((part) => !addedByCodex.test(asText(part.text)));
  if (parts.length > 0 && said.length === 0) return [];
  const images = said.filter((part) => part.type === "input_image").length;
  return [{ type: "user", text: parts.length > 0 ? contentText(said) : asText(item.content), images }];
}

/** The text of a content that is a string or a list of parts; other parts have none. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) {
    return content
      .map((part) => asText(asRecord(part).text))
      .filter((text) => text !== "")
      .join("\n");
  }
  return contentText(asRecord(content).content ?? "");
}

function parsed(json: unknown): Loose {
  if (typeof json !== "string") return asRecord(json);
  try {
    return asRecord(JSON.parse(json));
  } catch {
    // Metadata that is not JSON says nothing that a script needs.
    return {};
  }
}

function asRecord(value: unknown): Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
