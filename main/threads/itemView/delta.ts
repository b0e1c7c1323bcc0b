// codex streams an item's text in pieces. Which item and which of its fields a piece belongs to, what to show when the
// item's start was missed, and how a piece is added.
//
// Races: a piece may come before its item's start (the start was sent while nobody listened), and after its end (a
// command left running in the background). A piece never replaces anything: the completed item does.

import { appendBounded, type FileChange, type Item } from "../../../preload/contract/items";
import { type LooseRecord, numberOrNull, recordOf, stringOrNull } from "../loose";
import { fileChangesOf } from "./fileChange";
import { itemKey } from "./itemKey";

export type DeltaField = "text" | "summary" | "content" | "output";

export interface DeltaTarget {
  turnId: string;
  /** The item's id as windows know it (`itemKey`). */
  itemId: string;
  kind: "agent" | "reasoning" | "command" | "plan";
  field: DeltaField;
  text: string;
}

/**
 * Null for notifications that are no delta, that add nothing, or that cannot be tied to an item.
 * `item/fileChange/outputDelta` is among these: codex no longer sends it, and a file change shows its diff instead.
 */
export function deltaTarget(method: string, params: unknown): DeltaTarget | null {
  const fields = recordOf(params);
  switch (method) {
    case "item/agentMessage/delta":
      return target(fields, "agent", "text", fields.delta);
    case "item/plan/delta":
      return target(fields, "plan", "text", fields.delta);
    case "item/reasoning/summaryTextDelta":
      return target(fields, "reasoning", "summary", fields.delta);
    case "item/reasoning/summaryPartAdded":
      // The first part begins the summary; every later one begins a paragraph.
      return (numberOrNull(fields.summaryIndex) ?? 0) > 0
        ? target(fields, "reasoning", "summary", "\n\n")
        : null;
    case "item/reasoning/textDelta":
      return target(fields, "reasoning", "content", fields.delta);
    case "item/commandExecution/outputDelta":
      return target(fields, "command", "output", fields.delta);
    default:
      return null;
  }
}

function target(
  fields: LooseRecord,
  kind: DeltaTarget["kind"],
  field: DeltaField,
  text: unknown,
): DeltaTarget | null {
  const turnId = stringOrNull(fields.turnId);
  const itemId = stringOrNull(fields.itemId);
  if (turnId === null || itemId === null || typeof text !== "string" || text === "") return null;
  return { turnId, itemId: itemKey(turnId, itemId), kind, field, text };
}

/** Stands in for an item whose start was missed, until its end brings the whole. The caller appends the delta to it. */
export function placeholderItem(of: DeltaTarget, startedAtMs: number | null = null): Item {
  const base = {
    id: of.itemId,
    turnId: of.turnId,
    status: "running" as const,
    startedAtMs,
    completedAtMs: null,
  };
  switch (of.kind) {
    case "agent":
      return { ...base, kind: "agent", text: "", phase: null, gaps: [0] };
    case "reasoning":
      return { ...base, kind: "reasoning", summary: "", summaryGaps: [0], content: "", contentGaps: [0] };
    case "plan":
      return { ...base, kind: "plan", text: "", gaps: [0] };
    case "command":
      return {
        ...base,
        kind: "command",
        command: "",
        cwd: "",
        purpose: null,
        output: { text: "", droppedUnits: 0 },
        gaps: [0],
        exitCode: null,
        durationMs: null,
        byAgent: true,
      };
    default:
      return of.kind satisfies never;
  }
}

/** The item with `text` added to `field`; the item itself when it has no such field. */
export function appendToItem(item: Item, field: DeltaField, text: string): Item {
  switch (field) {
    case "text":
      return item.kind === "agent" || item.kind === "plan" ? { ...item, text: item.text + text } : item;
    case "summary":
      return item.kind === "reasoning" ? { ...item, summary: item.summary + text } : item;
    case "content":
      return item.kind === "reasoning" ? { ...item, content: item.content + text } : item;
    case "output":
      return item.kind === "command" ? { ...item, output: appendBounded(item.output, text) } : item;
    default:
      return field satisfies never;
  }
}

/** `item/mcpToolCall/progress`: what a running tool call says about itself; replaces what it said before. */
export function progressTarget(method: string, params: unknown): { itemId: string; progress: string } | null {
  if (method !== "item/mcpToolCall/progress") return null;
  const fields = recordOf(params);
  const turnId = stringOrNull(fields.turnId);
  const itemId = stringOrNull(fields.itemId);
  const progress = stringOrNull(fields.message);
  if (turnId === null || itemId === null || progress === null) return null;
  return { itemId: itemKey(turnId, itemId), progress };
}

/** `item/fileChange/patchUpdated`: the changes of a running file change so far; replaces the ones before. */
export function patchTarget(
  method: string,
  params: unknown,
): { turnId: string; itemId: string; changes: FileChange[] } | null {
  if (method !== "item/fileChange/patchUpdated") return null;
  const fields = recordOf(params);
  const turnId = stringOrNull(fields.turnId);
  const itemId = stringOrNull(fields.itemId);
  if (turnId === null || itemId === null || !Array.isArray(fields.changes)) return null;
  return { turnId, itemId: itemKey(turnId, itemId), changes: fileChangesOf(fields.changes) };
}
