// Tells the kinds of messages from codex apart: JSON-RPC without the `jsonrpc` field. Pure, and cheap: it runs for every
// piece of streamed text, so a message is parsed once, looked at only where its kind shows, and trusted for the rest.
// And writes what is sent to codex so that codex can read it.

import type { RequestId } from "./protocol/RequestId";

export interface RpcError {
  code: number;
  message: string;
  data: unknown;
}

export type RpcMessage =
  | { kind: "notification"; method: string; params: unknown }
  | { kind: "request"; id: RequestId; method: string; params: unknown }
  | { kind: "result"; id: RequestId; result: unknown }
  | { kind: "error"; id: RequestId; error: RpcError }
  /** Not to be understood. `id` is the request that it seems to be the answer to, when it shows that much. */
  | { kind: "malformed"; id: RequestId | null; why: string };

export function readMessage(text: string): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error would quote the message, which may be a person's words.
    return { kind: "malformed", id: salvageId(text), why: "it is not JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "malformed", id: null, why: "it is not an object" };
  }
  const { id, method, params, result, error } = value as Record<string, unknown>;
  // An `id` of null is how JSON-RPC says "I could not read yours".
  const hasId = typeof id === "number" || typeof id === "string";
  if (typeof method === "string") {
    if (hasId) return { kind: "request", id, method, params };
    if (id === undefined || id === null) return { kind: "notification", method, params };
    return { kind: "malformed", id: null, why: "its id is neither a number nor a text" };
  }
  if (!hasId) return { kind: "malformed", id: null, why: "it has neither a method nor an id" };
  if (error !== undefined && error !== null) return { kind: "error", id, error: readError(error) };
  if ("result" in value) return { kind: "result", id, result };
  return { kind: "malformed", id, why: "it has neither a result nor an error" };
}

/**
 * Half of a character (an unpaired surrogate, as a cut text can end with) is a text in JavaScript and in its JSON, but none
 * that codex can read: it would drop the whole message, and never answer. It is sent as the sign for a character that is
 * unknown.
 */
export function writeMessage(message: object): string {
  const text = JSON.stringify(message);
  // The only way in which it can be there: everything else beyond ASCII is written as it is.
  return text.includes("\\ud") ? JSON.stringify(message, wholeCharacters) : text;
}

function wholeCharacters(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\uFFFD") : value;
}

function readError(error: unknown): RpcError {
  const { code, message, data } = (typeof error === "object" ? error : { message: error }) as Record<
    string,
    unknown
  >;
  return {
    code: typeof code === "number" ? code : 0,
    message:
      typeof message === "string" && message !== ""
        ? message
        : "codex reported an error without saying which.",
    data,
  };
}

/** The id of a damaged answer, where codex writes it: before the result, or after the error. Never that of a request. */
function salvageId(text: string): number | null {
  const before = /^\s*\{\s*"id"\s*:\s*(\d+)\s*,\s*"(?:result|error)"\s*:/.exec(text);
  const after = /^\s*\{\s*"(?:result|error)"\s*:/.test(text)
    ? /,\s*"id"\s*:\s*(\d+)\s*\}\s*$/.exec(text.slice(-200))
    : null;
  const id = (before ?? after)?.[1];
  return id === undefined ? null : Number(id);
}
