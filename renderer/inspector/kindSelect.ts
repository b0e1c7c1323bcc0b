// Items of one kind, out of a copy that changes many times a second. What a selector returns keeps its identity until one
// of its own items changes: text that streams into a message draws nothing here again, and costs one look at each item
// of the kind, not at the whole conversation. An item keeps its kind for life, so the ids are only gathered anew when
// the order changes.

import type { Item, ItemKind } from "../../preload/contract/items";
import type { ThreadCopy } from "../state/threadCopy";

export type ItemOf<Kind extends ItemKind> = Extract<Item, { kind: Kind }>;
export type ItemSource = Pick<ThreadCopy, "order" | "byId">;

function isKind<Kind extends ItemKind>(item: Item | undefined, kind: Kind): item is ItemOf<Kind> {
  return item?.kind === kind;
}

function same<Value>(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
}

/** Ids of the items of a kind, in conversation order. */
export function idsOfKind(kind: ItemKind): (source: ItemSource) => readonly string[] {
  let order: readonly string[] | null = null;
  let ids: readonly string[] = [];
  return (source) => {
    if (source.order === order) return ids;
    order = source.order;
    const next = source.order.filter((id) => source.byId[id]?.kind === kind);
    if (!same(ids, next)) ids = next;
    return ids;
  };
}

/** The items of a kind, in conversation order. */
export function itemsOfKind<Kind extends ItemKind>(
  kind: Kind,
): (source: ItemSource) => readonly ItemOf<Kind>[] {
  const idsOf = idsOfKind(kind);
  let byId: ThreadCopy["byId"] | null = null;
  let lastIds: readonly string[] | null = null;
  let items: readonly ItemOf<Kind>[] = [];
  return (source) => {
    const ids = idsOf(source);
    if (source.byId === byId && ids === lastIds) return items;
    byId = source.byId;
    lastIds = ids;
    const next: ItemOf<Kind>[] = [];
    for (const id of ids) {
      const item = source.byId[id];
      if (isKind(item, kind)) next.push(item);
    }
    if (!same(items, next)) items = next;
    return items;
  };
}

/** Ids of the items of a kind that are running. */
export function runningIds(kind: ItemKind): (source: ItemSource) => readonly string[] {
  const idsOf = idsOfKind(kind);
  let running: readonly string[] = [];
  return (source) => {
    const next = idsOf(source).filter((id) => source.byId[id]?.status === "running");
    if (!same(running, next)) running = next;
    return running;
  };
}

// One of each for the window, which shows one thread: the tabs and the panels share what was derived.
export const commandIds = idsOfKind("command");
export const runningCommandIds = runningIds("command");
export const fileChangeItems = itemsOfKind("fileChange");
