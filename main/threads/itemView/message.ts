// Messages: the person's, the agent's, and what the agent thought.

import { type Attachment, detached, type Item } from "../../../preload/contract/items";
import {
  baseName,
  type LooseRecord,
  recordsOf,
  stringOf,
  stringOrNull,
  stringsOf,
  wordsOrNull,
} from "../loose";
import { runIn } from "../runMarks";
import type { ItemBase } from "./base";

/**
 * The longest text of a message that is kept whole, in UTF-16 units. Only a broken or hostile server sends more; the
 * rest can be loaded with `items.fullText` under the part "text".
 */
export const longestMessageUnits = 1_000_000;

export function clipMessage(text: string): string {
  if (text.length <= longestMessageUnits) return text;
  const left = text.length - longestMessageUnits;
  return `${detached(text.slice(0, longestMessageUnits))}\n\n[${left} more characters are not shown]`;
}

export function viewUserMessage(base: ItemBase, item: LooseRecord): Item | null {
  if (!Array.isArray(item.content)) return null;
  const byRun = runIn(item);
  return {
    ...base,
    kind: "user",
    clientId: stringOrNull(item.clientId),
    ...(byRun && { byRun }),
    text: clipMessage(userText(item)),
    attachments: attachmentsIn(item.content),
  };
}

export function userText(item: LooseRecord): string {
  return recordsOf(item.content)
    .filter((input) => input.type === "text")
    .map((input) => stringOf(input.text))
    .join("\n");
}

export function attachmentsIn(content: unknown[]): Attachment[] {
  return recordsOf(content).flatMap(attachmentOf);
}

function attachmentOf(input: LooseRecord): Attachment[] {
  const path = stringOf(input.path);
  switch (input.type) {
    case "localImage":
      return [{ kind: "image", path, name: baseName(path), bytes: 0 }];
    case "image":
      return [imageByUrl(stringOf(input.url))];
    case "mention":
      return [{ kind: "mention", path, name: wordsOrNull(input.name) ?? baseName(path) }];
    case "skill":
      return [{ kind: "mention", path, name: `$${wordsOrNull(input.name) ?? baseName(path)}` }];
    case "localAudio":
      return [{ kind: "mention", path, name: baseName(path) }];
    case "audio":
      return [{ kind: "mention", path: "", name: "Audio" }];
    default:
      return [];
  }
}

/** An image that is no file here has no path: a picture sent as data, or one that codex knows by an address. */
function imageByUrl(url: string): Attachment {
  const comma = url.startsWith("data:") ? url.indexOf(",") : -1;
  if (comma >= 0) {
    return { kind: "image", path: "", name: "Image", bytes: Math.floor(((url.length - comma - 1) * 3) / 4) };
  }
  return { kind: "image", path: "", name: url === "" ? "Image" : detached(url.slice(0, 300)), bytes: 0 };
}

export function viewAgentMessage(base: ItemBase, item: LooseRecord): Item {
  return {
    ...base,
    kind: "agent",
    text: clipMessage(agentText(item)),
    phase: phaseOf(item.phase),
    gaps: [],
  };
}

/** The text, followed by the questions that came with it, if any: nothing that the agent said is left out. */
export function agentText(item: LooseRecord): string {
  const questions = recordsOf(item.questions).map((question) => {
    const options = stringsOf(question.options).map((option) => `\n- ${option}`);
    return `**${stringOf(question.title)}**${options.join("")}`;
  });
  return [stringOf(item.text), ...questions].filter((part) => part !== "").join("\n\n");
}

function phaseOf(phase: unknown): "commentary" | "answer" | null {
  switch (phase) {
    case "final_answer":
    case "partial_answer":
      return "answer";
    case "commentary":
      return "commentary";
    default:
      return null;
  }
}

export function viewReasoning(base: ItemBase, item: LooseRecord): Item {
  return {
    ...base,
    kind: "reasoning",
    summary: clipMessage(paragraphs(item.summary)),
    summaryGaps: [],
    content: clipMessage(paragraphs(item.content)),
    contentGaps: [],
  };
}

function paragraphs(parts: unknown): string {
  return stringsOf(parts).join("\n\n");
}
