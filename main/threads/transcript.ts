// The merged record of one thread: what was seen live, and what codex lists.
//
// Races settled here:
// - A piece of text before its item's start: the item is made as a placeholder that says a stretch is missing.
// - Pieces after the item's end: ignored for messages; a background command goes on and takes them.
// - A connection that dropped in mid-item: codex repeats neither the start nor the text. What was seen stays, the item is
//   marked as having a gap, new pieces follow, and the completed item replaces all of it. Nothing is shown twice.
// - A listing that arrives while live events go on: events are applied as they come; the listing then only adds or
//   completes. It never takes away, and never replaces a longer output by a shorter one (codex lists at most 64 KiB).
// - An interrupted turn: codex never completes its running items and does not list them. They are closed here, as lost.

import type { Item } from "../../preload/contract/items";
import type { ThreadChange, TurnView } from "../../preload/contract/thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import { viewItem } from "./itemView";
import { appendToItem, type DeltaTarget, placeholderItem } from "./itemView/delta";
import { viewTurn } from "./turnView";

export interface TurnPage {
  /** As codex lists them: newest first. */
  turns: Turn[];
  nextCursor: string | null;
}

/** Owns the items and turns of one thread. Each method returns the changes that a copy needs; none means none. */
export class Transcript {
  readonly #items = new Map<string, Item>();
  readonly #turns = new Map<string, TurnView>();

  get items(): Item[] {
    return [...this.#items.values()];
  }

  get turns(): TurnView[] {
    return [...this.#turns.values()];
  }

  get lastTurn(): TurnView | null {
    return this.turns.at(-1) ?? null;
  }

  item(id: string): Item | null {
    return this.#items.get(id) ?? null;
  }

  turn(id: string): TurnView | null {
    return this.#turns.get(id) ?? null;
  }

  /** Whether a message with this client id is part of the record. */
  hasUserMessage(clientId: string): boolean {
    return this.items.some((item) => item.kind === "user" && item.clientId === clientId);
  }

  turnStarted(turn: Turn): ThreadChange[] {
    const known = this.#turns.get(turn.id);
    // A late start never reopens a turn that has ended.
    if (known && known.status !== "running") return [];
    return this.#putTurn({
      ...viewTurn(turn),
      status: "running",
      startedAtMs: known?.startedAtMs ?? viewTurn(turn).startedAtMs,
    });
  }

  turnCompleted(turn: Turn, atMs: number): ThreadChange[] {
    const view = viewTurn(turn);
    const known = this.#turns.get(turn.id);
    const changes = this.#putTurn({
      ...view,
      startedAtMs: view.startedAtMs ?? known?.startedAtMs ?? null,
      completedAtMs: view.completedAtMs ?? atMs,
      fault: view.fault ?? known?.fault ?? null,
    });
    return [
      ...changes,
      ...this.#closeRunning((item) => item.turnId === turn.id && !goesOn(item, view), atMs),
    ];
  }

  itemStarted(turnId: string, codexItem: unknown, startedAtMs: number): ThreadChange[] {
    const item = viewItem(codexItem, { turnId, running: true, startedAtMs });
    const known = this.#items.get(item.id);
    if (known && known.status !== "running") return [];
    return this.#putItem(known ? keepSeenText(known, item) : item);
  }

  itemCompleted(turnId: string, codexItem: unknown, completedAtMs: number): ThreadChange[] {
    const item = viewItem(codexItem, { turnId, running: false, completedAtMs });
    const known = this.#items.get(item.id);
    const startedAtMs = item.startedAtMs ?? known?.startedAtMs ?? null;
    return this.#putItem({ ...item, startedAtMs });
  }

  delta(target: DeltaTarget, atMs: number): ThreadChange[] {
    const known = this.#items.get(target.itemId);
    if (!known) {
      const item = appendToItem(placeholderItem(target, atMs), target.field, target.text);
      return this.#putItem(item);
    }
    if (known.status !== "running") return [];
    const item = appendToItem(known, target.field, target.text);
    if (item === known) return [];
    this.#items.set(item.id, item);
    return [{ type: "append", itemId: item.id, field: target.field, text: target.text }];
  }

  /** Replaces an item that is there; for progress and running patches. */
  update(itemId: string, change: (item: Item) => Item): ThreadChange[] {
    const known = this.#items.get(itemId);
    if (!known) return [];
    const item = change(known);
    return item === known ? [] : this.#putItem(item);
  }

  /** Something Holdfast says at the end of the conversation. */
  add(item: Item): ThreadChange[] {
    return this.#putItem(item);
  }

  remove(ids: string[]): ThreadChange[] {
    const present = ids.filter((id) => this.#items.delete(id));
    return present.length === 0 ? [] : [{ type: "removeItems", ids: present }];
  }

  /** The connection is gone and the process lives: what codex says now is missed. */
  markGap(): ThreadChange[] {
    return this.#updateAll((item) => {
      if (item.status !== "running") return item;
      return item.kind === "agent" || item.kind === "command" ? { ...item, gap: true } : item;
    });
  }

  /** The process is gone: nothing that ran will be completed. */
  markLost(atMs: number, fault: TurnView["fault"]): ThreadChange[] {
    const running = this.turns.filter((turn) => turn.status === "running");
    const turns = running.map((turn) => ({
      ...turn,
      status: "interrupted" as const,
      completedAtMs: atMs,
      fault,
    }));
    const changes = turns.flatMap((turn) => this.#putTurn(turn));
    return [...changes, ...this.#closeRunning(() => true, atMs)];
  }

  /**
   * Merges the newest turns as codex lists them into what is known. `runningTurnId` is the turn that codex says is
   * running, if any: a listed turn that is in progress otherwise was cut off.
   */
  merge(page: TurnPage, runningTurnId: string | null, atMs: number): ThreadChange[] {
    const listed = [...page.turns].reverse();
    const order = mergeOrder(
      [...this.#turns.keys()],
      listed.map((turn) => turn.id),
    );
    const byId = new Map(listed.map((turn) => [turn.id, turn]));
    const turns: TurnView[] = [];
    const items: Item[] = [];
    const known = groupByTurn(this.items);
    for (const turnId of order) {
      const turn = byId.get(turnId);
      const knownTurn = this.#turns.get(turnId);
      const knownItems = known.get(turnId) ?? [];
      if (!turn) {
        if (knownTurn) turns.push(knownTurn);
        items.push(...knownItems);
        continue;
      }
      const view = mergeTurn(knownTurn, turn, runningTurnId);
      turns.push(view);
      const merged = mergeItems(knownItems, turn, view.status === "running");
      items.push(...(view.status === "running" ? merged : merged.map((item) => closed(item, atMs))));
    }
    // Items of turns that have no record (a delta before its turn's start) stay at the end.
    for (const [turnId, orphans] of known) if (!order.includes(turnId)) items.push(...orphans);
    this.#replace(turns, items);
    return [{ type: "reset", turns: this.turns, items: this.items }];
  }

  /** Puts an older page before everything that is known. */
  prepend(page: TurnPage): ThreadChange[] {
    const older = [...page.turns].reverse().filter((turn) => !this.#turns.has(turn.id));
    if (older.length === 0) return [];
    const turns = older.map((turn) => mergeTurn(undefined, turn, null));
    const items = older.flatMap((turn) => mergeItems([], turn, false));
    this.#replace([...turns, ...this.turns], [...items, ...this.items]);
    return [{ type: "older", turns, items }];
  }

  #replace(turns: TurnView[], items: Item[]): void {
    this.#turns.clear();
    for (const turn of turns) this.#turns.set(turn.id, turn);
    this.#items.clear();
    for (const item of items) this.#items.set(item.id, item);
  }

  #putTurn(turn: TurnView): ThreadChange[] {
    this.#turns.set(turn.id, turn);
    return [{ type: "turns", turns: [turn] }];
  }

  #putItem(item: Item): ThreadChange[] {
    this.#items.set(item.id, item);
    return [{ type: "items", items: [item] }];
  }

  #closeRunning(which: (item: Item) => boolean, atMs: number): ThreadChange[] {
    return this.#updateAll((item) => (item.status === "running" && which(item) ? closed(item, atMs) : item));
  }

  #updateAll(change: (item: Item) => Item): ThreadChange[] {
    const changed: Item[] = [];
    for (const [id, item] of this.#items) {
      const next = change(item);
      if (next === item) continue;
      this.#items.set(id, next);
      changed.push(next);
    }
    return changed.length === 0 ? [] : [{ type: "items", items: changed }];
  }
}

/** A command that codex left running in the background ends in its own time, after its turn. */
function goesOn(item: Item, turn: TurnView): boolean {
  return item.kind === "command" && turn.status === "completed";
}

function closed(item: Item, atMs: number): Item {
  return item.status === "running" ? { ...item, status: "lost", completedAtMs: atMs } : item;
}

/** A start that comes again, or after pieces: what was already seen is not taken back. */
function keepSeenText(known: Item, started: Item): Item {
  if (known.kind === "agent" && started.kind === "agent") {
    return { ...started, text: longer(known.text, started.text), gap: known.gap };
  }
  if (known.kind === "plan" && started.kind === "plan") {
    return { ...started, text: longer(known.text, started.text) };
  }
  if (known.kind === "command" && started.kind === "command") {
    return { ...started, output: known.output, gap: known.gap };
  }
  if (known.kind === "reasoning" && started.kind === "reasoning") {
    return {
      ...started,
      summary: longer(known.summary, started.summary),
      content: longer(known.content, started.content),
    };
  }
  return started;
}

function longer(a: string, b: string): string {
  return b.length >= a.length ? b : a;
}

function mergeTurn(known: TurnView | undefined, turn: Turn, runningTurnId: string | null): TurnView {
  const view = viewTurn(turn);
  const cutOff = view.status === "running" && turn.id !== runningTurnId;
  return {
    ...view,
    status: cutOff ? "interrupted" : view.status,
    startedAtMs: view.startedAtMs ?? known?.startedAtMs ?? null,
    completedAtMs: view.completedAtMs ?? known?.completedAtMs ?? null,
    durationMs: view.durationMs ?? known?.durationMs ?? null,
    fault: view.fault ?? known?.fault ?? null,
  };
}

/**
 * The items of one turn, codex's and ours. codex's are in codex's order; one that only we know stays behind the item
 * that it followed.
 */
function mergeItems(known: Item[], turn: Turn, running: boolean): Item[] {
  const listed = turn.items.map((item) => viewItem(item, { turnId: turn.id, running: false }));
  const knownById = new Map(known.map((item) => [item.id, item]));
  const listedIds = new Set(listed.map((item) => item.id));
  const merged = listed.map((item) => mergeItem(knownById.get(item.id), item, running));
  let after: string | null = null;
  for (const item of known) {
    if (!listedIds.has(item.id)) {
      const at: number = after === null ? 0 : merged.findIndex((other) => other.id === after) + 1;
      merged.splice(at, 0, item);
    }
    after = item.id;
  }
  return merged;
}

function mergeItem(known: Item | undefined, listed: Item, turnRunning: boolean): Item {
  if (!known) return listed;
  const times = {
    startedAtMs: listed.startedAtMs ?? known.startedAtMs,
    completedAtMs: listed.completedAtMs ?? known.completedAtMs,
  };
  // A steered message or a command may be listed while it is still going on; what we saw live is fresher.
  if (known.status === "running" && turnRunning && listed.status === "running") return known;
  if (
    known.kind === "command" &&
    listed.kind === "command" &&
    known.status !== "running" &&
    known.status !== "lost"
  ) {
    const knownUnits = known.output.text.length + known.output.droppedUnits;
    const output =
      knownUnits > listed.output.text.length + listed.output.droppedUnits ? known.output : listed.output;
    return { ...listed, ...times, output };
  }
  return { ...listed, ...times };
}

function groupByTurn(items: Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.turnId);
    if (group) group.push(item);
    else groups.set(item.turnId, [item]);
  }
  return groups;
}

/** Both orders in one: codex's order rules where both know a turn; what only we know stays behind its neighbour. */
function mergeOrder(known: string[], listed: string[]): string[] {
  const listedIds = new Set(listed);
  const firstShared = known.findIndex((id) => listedIds.has(id));
  // Turns before the listed window are older pages, loaded earlier.
  const older = firstShared === -1 ? known : known.slice(0, firstShared);
  const order = [...older, ...listed];
  if (firstShared === -1) return [...new Set(order)];
  let after = older.at(-1) ?? null;
  for (const id of known.slice(firstShared)) {
    if (!listedIds.has(id)) order.splice(after === null ? 0 : order.indexOf(after) + 1, 0, id);
    after = id;
  }
  return order;
}
