// Tool calls: what was asked and what came back, as text that a person can read.

import { boundText, type Item } from "../../../preload/contract/items";
import {
  isRecord,
  type LooseRecord,
  listOf,
  numberOrNull,
  prettyJson,
  stringOf,
  stringOrNull,
  wordsOrNull,
} from "../loose";
import type { ItemBase } from "./base";

/** A string inside JSON that is shown is cut at this length: a picture in base64 helps nobody. */
export const shownStringUnits = 20_000;

export function viewMcpToolCall(base: ItemBase, item: LooseRecord): Item | null {
  const tool = stringOrNull(item.tool);
  if (tool === null) return null;
  return {
    ...base,
    kind: "toolCall",
    server: wordsOrNull(item.server),
    tool,
    argumentsText: boundText(argumentsText(item.arguments, shownStringUnits)),
    resultText: boundText(mcpResultText(item.result, shownStringUnits)),
    error: errorText(item.error),
    progress: null,
    durationMs: numberOrNull(item.durationMs),
  };
}

export function viewDynamicToolCall(base: ItemBase, item: LooseRecord): Item | null {
  const tool = stringOrNull(item.tool);
  if (tool === null) return null;
  const failed = item.success === false && base.status !== "running";
  return {
    ...base,
    status: failed ? "failed" : base.status,
    kind: "toolCall",
    server: wordsOrNull(item.namespace),
    tool,
    argumentsText: boundText(argumentsText(item.arguments, shownStringUnits)),
    resultText: boundText(contentText(listOf(item.contentItems), shownStringUnits)),
    error: failed ? "The tool reported a failure." : null,
    progress: null,
    durationMs: numberOrNull(item.durationMs),
  };
}

export function viewFunctionCallOutput(base: ItemBase, item: LooseRecord): Item | null {
  const tool = stringOrNull(item.name);
  if (tool === null) return null;
  return {
    ...base,
    kind: "toolCall",
    server: wordsOrNull(item.namespace),
    tool,
    argumentsText: boundText(""),
    resultText: boundText(functionOutputText(item.output, shownStringUnits)),
    error: null,
    progress: null,
    durationMs: null,
  };
}

export function argumentsText(value: unknown, longestStringUnits?: number): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : prettyJson(value, longestStringUnits);
}

export function functionOutputText(value: unknown, longestStringUnits?: number): string {
  return typeof value === "string" ? value : contentText(listOf(value), longestStringUnits);
}

function errorText(error: unknown): string | null {
  if (typeof error === "string") return error;
  if (!isRecord(error)) return null;
  return wordsOrNull(error.message) ?? "The tool call failed.";
}

/** The text parts of a result, then its structured part unless that only says the same once more. */
export function mcpResultText(result: unknown, longestStringUnits?: number): string {
  if (result === null || result === undefined) return "";
  if (!isRecord(result)) return argumentsText(result, longestStringUnits);
  const content = contentText(listOf(result.content), longestStringUnits);
  const structured = result.structuredContent;
  if (structured === null || structured === undefined) return content;
  if (saysTheSame(content, structured)) return prettyJson(structured, longestStringUnits);
  return [content, prettyJson(structured, longestStringUnits)].filter((part) => part !== "").join("\n\n");
}

function saysTheSame(text: string, structured: unknown): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    return prettyJson(JSON.parse(text)) === prettyJson(structured);
  } catch {
    // Text that only looks like JSON is text.
    return false;
  }
}

/** Joins the parts of a result. Covers MCP's content blocks and codex's own names for the same things. */
export function contentText(parts: readonly unknown[], longestStringUnits?: number): string {
  return parts
    .map((part) => partText(part, longestStringUnits))
    .filter((text) => text !== "")
    .join("\n");
}

function partText(part: unknown, longestStringUnits?: number): string {
  if (typeof part === "string") return part;
  if (!isRecord(part)) return part === null || part === undefined ? "" : prettyJson(part, longestStringUnits);
  switch (part.type) {
    case "text":
    case "inputText":
    case "input_text":
    case "output_text":
      return stringOf(part.text);
    case "image":
    case "inputImage":
    case "input_image":
      return mediaNote("Image", part);
    case "audio":
    case "inputAudio":
    case "input_audio":
      return mediaNote("Audio", part);
    case "encrypted_content":
      return "[Encrypted content]";
    case "resource_link":
      return `[Resource: ${wordsOrNull(part.uri) ?? wordsOrNull(part.name) ?? "without an address"}]`;
    case "resource":
      return resourceText(part.resource, longestStringUnits);
    default:
      return prettyJson(part, longestStringUnits);
  }
}

function mediaNote(what: string, part: LooseRecord): string {
  const facts: string[] = [];
  const url = stringOf(part.imageUrl) || stringOf(part.image_url) || stringOf(part.audioUrl);
  const dataUrl = /^data:([^;,]{1,100})/.exec(url);
  const type = wordsOrNull(part.mimeType) ?? dataUrl?.[1] ?? null;
  if (type !== null) facts.push(type);
  const encoded = stringOf(part.data) || (dataUrl ? url.slice(url.indexOf(",") + 1) : "");
  if (encoded !== "") facts.push(`about ${Math.max(1, Math.round((encoded.length * 3) / 4 / 1024))} KiB`);
  if (url !== "" && !dataUrl) facts.push(url);
  return facts.length === 0 ? `[${what}]` : `[${what}: ${facts.join(", ")}]`;
}

function resourceText(resource: unknown, longestStringUnits?: number): string {
  if (!isRecord(resource)) return "[Resource]";
  const name = wordsOrNull(resource.uri) ?? "without an address";
  const text = wordsOrNull(resource.text);
  if (text !== null) return `[Resource: ${name}]\n${text}`;
  if (typeof resource.blob === "string") {
    return mediaNote(`Resource: ${name}`, { mimeType: resource.mimeType, data: resource.blob });
  }
  return prettyJson(resource, longestStringUnits);
}
