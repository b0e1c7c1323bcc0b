// Translates codex's items into the ones that a window shows. Pure, and total: an item of a type that this version does
// not know, or one whose essential field is missing, becomes an honest "unknown" with its content; every other odd or
// missing field gets a plain default. Nothing here throws, whatever codex sends.

import { boundText, type Item } from "../../preload/contract/items";
import { baseOf, type ItemBase, type ItemContext } from "./itemView/base";
import { viewCommand } from "./itemView/command";
import { viewFileChange } from "./itemView/fileChange";
import { clipMessage, viewAgentMessage, viewReasoning, viewUserMessage } from "./itemView/message";
import { viewCollabToolCall, viewSubAgentActivity } from "./itemView/subAgent";
import {
  shownStringUnits,
  viewDynamicToolCall,
  viewFunctionCallOutput,
  viewMcpToolCall,
} from "./itemView/toolCall";
import { viewWebSearch } from "./itemView/webSearch";
import {
  isRecord,
  type LooseRecord,
  numberOrNull,
  prettyJson,
  recordOf,
  recordsOf,
  stringOf,
  wordsOrNull,
} from "./loose";

export type { ItemContext } from "./itemView/base";

/** The item's id is unique in its thread (see `itemKey`); codex's own id is unique only in its turn. */
export function viewItem(item: unknown, context: ItemContext): Item {
  const record = recordOf(item);
  const type = isRecord(item) ? (wordsOrNull(record.type) ?? "without a type") : "not an object";
  const base = baseOf(record, type, context);
  return viewKnown(type, base, record) ?? viewUnknown(type, base, item);
}

/** Null: this type is unknown, or the item lacks what it cannot be shown without. */
function viewKnown(type: string, base: ItemBase, item: LooseRecord): Item | null {
  switch (type) {
    case "userMessage":
      return viewUserMessage(base, item);
    case "hookPrompt":
      return viewHookPrompt(base, item);
    case "agentMessage":
      return viewAgentMessage(base, item);
    case "functionCallOutput":
      return viewFunctionCallOutput(base, item);
    case "plan":
      return { ...base, kind: "plan", text: clipMessage(stringOf(item.text)), gaps: [] };
    case "reasoning":
      return viewReasoning(base, item);
    case "commandExecution":
      return viewCommand(base, item);
    case "fileChange":
      return viewFileChange(base, item);
    case "mcpToolCall":
      return viewMcpToolCall(base, item);
    case "dynamicToolCall":
      return viewDynamicToolCall(base, item);
    case "collabAgentToolCall":
      return viewCollabToolCall(base, item);
    case "subAgentActivity":
      return viewSubAgentActivity(base, item);
    case "webSearch":
      return viewWebSearch(base, item);
    case "imageView":
      return { ...base, kind: "image", path: wordsOrNull(item.path), caption: null };
    case "imageGeneration":
      return viewImageGeneration(base, item);
    case "sleep":
      return { ...base, kind: "sleep", durationMs: Math.max(0, numberOrNull(item.durationMs) ?? 0) };
    case "enteredReviewMode":
      return { ...base, kind: "review", phase: "entered", text: clipMessage(stringOf(item.review)) };
    case "exitedReviewMode":
      return { ...base, kind: "review", phase: "exited", text: clipMessage(stringOf(item.review)) };
    case "contextCompaction":
      return { ...base, kind: "compaction" };
    default:
      return null;
  }
}

function viewHookPrompt(base: ItemBase, item: LooseRecord): Item {
  const text = recordsOf(item.fragments)
    .map((fragment) => stringOf(fragment.text))
    .filter((part) => part !== "")
    .join("\n\n");
  return { ...base, kind: "hook", text: clipMessage(text) };
}

function viewImageGeneration(base: ItemBase, item: LooseRecord): Item {
  const failure = recordOf(item.failure);
  const failed = isRecord(item.failure);
  const limit = failure.type === "usageLimitExceeded";
  return {
    ...base,
    status: failed ? "failed" : base.status,
    kind: "image",
    path: wordsOrNull(item.savedPath),
    caption: failed
      ? limit
        ? "The image was not made: the usage limit is reached."
        : "The image was not made."
      : wordsOrNull(item.revisedPrompt),
  };
}

function viewUnknown(type: string, base: ItemBase, item: unknown): Item {
  return { ...base, kind: "unknown", type, json: boundText(prettyJson(item, shownStringUnits)) };
}
