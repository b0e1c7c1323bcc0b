// This window's copy of one thread, and how main's changes are applied to it. Pure: the same changes in the same order
// give the same copy. What did not change keeps its identity, so that a component that selects one item is only drawn
// again when that item changed, and a batch of appends copies the record of items once.

import { appendBounded, type Item } from "../../preload/contract/items";
import type { ThreadChange, ThreadHead, ThreadSnapshot, TurnView } from "../../preload/contract/thread";

export interface ThreadCopy {
  head: ThreadHead;
  turnOrder: readonly string[];
  turnById: Readonly<Record<string, TurnView>>;
  /** Ids of the items in conversation order. */
  order: readonly string[];
  byId: Readonly<Record<string, Item>>;
}

/** A change that cannot be applied means that the copy is no longer true; the subscription then starts over. */
export class CopyError extends Error {
  override readonly name = "CopyError";
}

export function threadCopyOf(snapshot: ThreadSnapshot): ThreadCopy {
  const copy = new Draft({ head: snapshot.head, turnOrder: [], turnById: {}, order: [], byId: {} });
  copy.putTurns(snapshot.turns);
  copy.putItems(snapshot.items);
  return copy.done();
}

export function applyThreadChanges(copy: ThreadCopy, changes: readonly ThreadChange[]): ThreadCopy {
  const draft = new Draft(copy);
  for (const change of changes) draft.apply(change);
  return draft.done();
}

type Field = Extract<ThreadChange, { type: "append" }>["field"];

/** The item with `text` added to its field, after what was skipped. */
export function appendToItem(item: Item, field: Field, text: string, skippedUnits = 0): Item {
  if (field === "output" && item.kind === "command") {
    return { ...item, output: appendBounded(item.output, text, skippedUnits) };
  }
  if (item.kind === "reasoning") {
    if (field === "summary") return { ...item, summary: item.summary + text };
    if (field === "content") return { ...item, content: item.content + text };
  }
  if (field === "text" && "text" in item) return { ...item, text: item.text + text };
  throw new CopyError(`An item of kind ${item.kind} has no field ${field} to add to`);
}

/** Adds what is not there yet, and says in order what that was. */
function putMissing<Value extends { id: string }>(
  held: Record<string, Value>,
  values: readonly Value[],
): string[] {
  const added: string[] = [];
  for (const value of values) {
    if (Object.hasOwn(held, value.id)) continue;
    held[value.id] = value;
    added.push(value.id);
  }
  return added;
}

/** Copies each part of the state at most once, when it is first written to. */
class Draft {
  #state: ThreadCopy;
  #turnOrder: string[] | null = null;
  #turnById: Record<string, TurnView> | null = null;
  #order: string[] | null = null;
  #byId: Record<string, Item> | null = null;
  #head: ThreadHead;

  constructor(state: ThreadCopy) {
    this.#state = state;
    this.#head = state.head;
  }

  apply(change: ThreadChange): void {
    switch (change.type) {
      case "head":
        this.#head = { ...this.#head, ...change.value };
        return;
      case "turns":
        this.putTurns(change.turns);
        return;
      case "items":
        this.putItems(change.items);
        return;
      case "removeItems":
        this.#removeItems(change.ids);
        return;
      case "append":
        this.#append(change);
        return;
      case "reset":
        this.#turnOrder = [];
        this.#turnById = {};
        this.#order = [];
        this.#byId = {};
        this.putTurns(change.turns);
        this.putItems(change.items);
        return;
      case "older":
        this.#older(change);
        return;
      default: {
        const unknown: never = change;
        throw new CopyError(`Unknown change ${JSON.stringify(unknown)}`);
      }
    }
  }

  putTurns(turns: readonly TurnView[]): void {
    if (turns.length === 0) return;
    const byId = this.#turns();
    for (const turn of turns) {
      if (!Object.hasOwn(byId, turn.id)) this.#turnIds().push(turn.id);
      byId[turn.id] = turn;
    }
  }

  putItems(items: readonly Item[]): void {
    if (items.length === 0) return;
    const byId = this.#items();
    for (const item of items) {
      if (!Object.hasOwn(byId, item.id)) this.#itemIds().push(item.id);
      byId[item.id] = item;
    }
  }

  #removeItems(ids: readonly string[]): void {
    const byId = this.#items();
    const gone = new Set(ids);
    for (const id of gone) delete byId[id];
    this.#order = this.#itemIds().filter((id) => !gone.has(id));
  }

  #append({ itemId, field, text, skippedUnits }: Extract<ThreadChange, { type: "append" }>): void {
    const byId = this.#items();
    const item = Object.hasOwn(byId, itemId) ? byId[itemId] : undefined;
    if (!item) throw new CopyError(`Text came for an item that is not there: ${itemId}`);
    byId[itemId] = appendToItem(item, field, text, skippedUnits);
  }

  #older({ turns, items }: Extract<ThreadChange, { type: "older" }>): void {
    // What is held already is the newer version: it has had every change since.
    this.#turnOrder = [...putMissing(this.#turns(), turns), ...this.#turnIds()];
    this.#order = [...putMissing(this.#items(), items), ...this.#itemIds()];
  }

  #turnIds(): string[] {
    this.#turnOrder ??= [...this.#state.turnOrder];
    return this.#turnOrder;
  }

  #turns(): Record<string, TurnView> {
    this.#turnById ??= { ...this.#state.turnById };
    return this.#turnById;
  }

  #itemIds(): string[] {
    this.#order ??= [...this.#state.order];
    return this.#order;
  }

  #items(): Record<string, Item> {
    this.#byId ??= { ...this.#state.byId };
    return this.#byId;
  }

  done(): ThreadCopy {
    return {
      head: this.#head,
      turnOrder: this.#turnOrder ?? this.#state.turnOrder,
      turnById: this.#turnById ?? this.#state.turnById,
      order: this.#order ?? this.#state.order,
      byId: this.#byId ?? this.#state.byId,
    };
  }
}
