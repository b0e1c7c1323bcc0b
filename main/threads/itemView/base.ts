// What all items have in common, and how codex's item states become Holdfast's.

import type { Item, ItemStatus } from "../../../preload/contract/items";
import { type LooseRecord, numberOrNull, stringOrNull } from "../loose";
import { itemKey } from "./itemKey";

export interface ItemContext {
  turnId: string;
  /** True while codex has not said that the item has ended. */
  running: boolean;
  /** Times that came beside the item; they win over those inside it. */
  startedAtMs?: number | null;
  completedAtMs?: number | null;
}

export type ItemBase = Pick<Item, "id" | "turnId" | "status" | "startedAtMs" | "completedAtMs">;

export function baseOf(item: LooseRecord, type: string, context: ItemContext): ItemBase {
  return {
    id: itemKey(context.turnId, stringOrNull(item.id) ?? `no id: ${type}`),
    turnId: context.turnId,
    status: statusOf(item.status, context.running),
    startedAtMs: numberOrNull(context.startedAtMs) ?? numberOrNull(item.startedAtMs),
    completedAtMs: numberOrNull(context.completedAtMs) ?? numberOrNull(item.completedAtMs),
  };
}

/**
 * An item that codex still records as in progress although nobody runs it any more lost its end: it was cut off. A
 * state that this version does not know counts as whatever `running` says.
 */
export function statusOf(status: unknown, running: boolean): ItemStatus {
  switch (status) {
    case "completed":
    case "failed":
    case "declined":
      return status;
    case "interrupted":
      return "failed";
    case "inProgress":
      return running ? "running" : "lost";
    default:
      return running ? "running" : "completed";
  }
}
