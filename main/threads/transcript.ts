// The merged record of one thread: what was seen live, and what codex lists.
//
// Races settled here (for those with a listing see transcriptMerge.ts):
// - A piece of text before its item's start: the item is made as a placeholder that says a stretch is missing.
// - Pieces after the item's end: ignored for messages; a background command goes on and takes them.
// - A connection that dropped in mid-item: codex repeats neither the start nor the text. What was seen stays, the place
//   is marked as a gap, new pieces follow behind it, and the completed item replaces all of it. Nothing is shown twice.
// - An interrupted turn: codex never completes its running items and does not list them. They are closed here, as lost.
// - What ran or was lost in an earlier life of this transcript comes from the ledger, and is merged as if it had been seen:
//   if its turn goes on, so does the item, behind its gap; codex's own record of it, once there, replaces it.
// - A model server that gives every message of a turn the same id: each is an item of its own here, although codex's
//   record keeps only the last. A start that merely comes late, after a listing that had the item, begins nothing.
//
// Each event costs the same however long the conversation is: indexes are kept instead of searched for.

import { isDeepStrictEqual } from "node:util";
import type { Item } from "../../preload/contract/items";
import type { ThreadChange, TurnView } from "../../preload/contract/thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import { allUnits, withGap } from "./gaps";
import { HeldItems } from "./heldItems";
import { viewItem } from "./itemView";
import { appendToItem, type DeltaTarget, placeholderItem } from "./itemView/delta";
import { longestMessageUnits } from "./itemView/message";
import type { KeptItem } from "./keptItem";
import { beforePlans } from "./planPlace";
import {
  closed,
  closedWith,
  mergePage,
  type RunningNow,
  type TurnPage,
  viewOlderTurns,
  withSeenText,
} from "./transcriptMerge";
import { viewTurn } from "./turnView";

/** Owns the items and turns of one thread. Each method returns the changes that a copy needs; none means none. */
export class Transcript {
  readonly #items = new HeldItems();
  readonly #turns = new Map<string, TurnView>();
  readonly #ofTurn = new Map<string, Set<string>>();
  readonly #running = new Set<string>();
  /** Ids of the person's messages by the client id of their submission. */
  readonly #sent = new Map<string, string>();
  /** Ended as events told it. What starts with the same id in the same turn is another item. */
  readonly #endedLive = new Set<string>();
  /** By codex's id, the item that has it now, where several had it in turn. */
  readonly #latest = new Map<string, string>();
  /** Held to be cut off, since codex listed them as running and said that nothing runs. codex may know better yet. */
  readonly #cutOff = new Set<string>();
  /** Items that codex has asked about, and that no decision has let go on. */
  readonly #asked = new Set<string>();
  #lastTurnId: string | null = null;

  get items(): Item[] {
    return this.#items.all();
  }

  get turns(): TurnView[] {
    return [...this.#turns.values()];
  }

  get isEmpty(): boolean {
    return this.#items.size === 0 && this.#turns.size === 0;
  }

  get lastTurn(): TurnView | null {
    return this.#lastTurnId === null ? null : this.turn(this.#lastTurnId);
  }

  item(id: string): Item | null {
    return this.#items.get(id) ?? null;
  }

  turn(id: string): TurnView | null {
    return this.#turns.get(id) ?? null;
  }

  itemsOf(turnId: string): Item[] {
    return [...(this.#ofTurn.get(turnId) ?? [])].flatMap((id) => this.#items.get(id) ?? []);
  }

  /** The message that a submission has become, once codex has shown it. */
  sentMessage(clientId: string): Item | null {
    const id = this.#sent.get(clientId);
    return id === undefined ? null : this.item(id);
  }

  turnStarted(turn: Turn): ThreadChange[] {
    const known = this.#turns.get(turn.id);
    // A late start never reopens a turn that has ended.
    if (known && known.status !== "running" && !this.#cutOff.has(turn.id)) return [];
    this.#cutOff.delete(turn.id);
    const view = viewTurn(turn);
    return this.#putTurn({
      ...view,
      status: "running",
      startedAtMs: known?.startedAtMs ?? view.startedAtMs,
      completedAtMs: null,
    });
  }

  turnCompleted(turn: Turn, atMs: number): ThreadChange[] {
    const view = viewTurn(turn);
    const known = this.#turns.get(turn.id);
    const ended: TurnView = {
      ...view,
      status: view.status === "running" ? "completed" : view.status,
      startedAtMs: view.startedAtMs ?? known?.startedAtMs ?? null,
      completedAtMs: view.completedAtMs ?? atMs,
    };
    const changes = this.#putTurn(ended);
    this.#cutOff.delete(turn.id);
    for (const id of this.#ofTurn.get(turn.id) ?? []) this.#endedLive.delete(id);
    const ends = this.#updateRunning((item) => {
      const neverRan = item.turnId === turn.id && ended.status === "interrupted" && this.#asked.has(item.id);
      return neverRan ? { ...item, status: "declined", completedAtMs: atMs } : closedIn(ended, item, atMs);
    });
    for (const id of this.#ofTurn.get(turn.id) ?? []) this.#asked.delete(id);
    return [...changes, ...ends];
  }

  itemStarted(turnId: string, codexItem: unknown, startedAtMs: number): ThreadChange[] {
    const started = viewItem(codexItem, { turnId, running: true, startedAtMs });
    const item = { ...started, id: this.#meant(started.id) };
    const known = this.#items.get(item.id);
    if (!known) return this.#putNew(item);
    if (known.status === "running") return this.#putItem(keepSeenText(known, item));
    if (!this.#endedLive.has(known.id)) return [];
    const again = { ...started, id: this.#freeId(started.id) };
    this.#latest.set(started.id, again.id);
    return this.#putNew(again);
  }

  itemCompleted(turnId: string, codexItem: unknown, completedAtMs: number): ThreadChange[] {
    const item = viewItem(codexItem, { turnId, running: false, completedAtMs });
    const id = this.#meant(item.id);
    const known = this.#items.get(id);
    const turn = this.#turns.get(turnId);
    if (!turn || turn.status === "running") this.#endedLive.add(id);
    const startedAtMs = item.startedAtMs ?? known?.startedAtMs ?? null;
    const ended = { ...item, id, startedAtMs };
    return known ? this.#putItem(withSeenText(known, ended)) : this.#putNew(ended);
  }

  delta(target: DeltaTarget, atMs: number): ThreadChange[] {
    const itemId = this.#meant(target.itemId);
    const known = this.#items.withoutOutput(itemId);
    if (!known) {
      const turn = this.#turns.get(target.turnId);
      // Nothing of an ended turn goes on but a command in the background.
      if (turn && turn.status !== "running" && !(target.kind === "command" && turn.status === "completed"))
        return [];
      return this.#putNew(appendToItem(placeholderItem(target, atMs), target.field, target.text));
    }
    if (known.status !== "running" || isFull(known)) return [];
    if (known.kind === "command" && target.field === "output") this.#items.growOutput(itemId, target.text);
    else {
      const item = appendToItem(known, target.field, target.text);
      if (item === known) return [];
      this.#items.set(itemId, item);
    }
    return [{ type: "append", itemId, field: target.field, text: target.text }];
  }

  /** Replaces an item that is running; for progress and running patches. */
  update(itemId: string, change: (item: Item) => Item): ThreadChange[] {
    const known = this.item(this.#meant(itemId));
    if (known?.status !== "running") return [];
    const item = change(known);
    return item === known ? [] : this.#putItem(item);
  }

  /** Something Holdfast says at the end of the conversation. */
  add(item: Item): ThreadChange[] {
    return this.#putItem(item);
  }

  /** Puts an item that codex does not list into its turn, by its time. Nothing when it is there, or its turn is not. */
  insert(item: Item): ThreadChange[] {
    const turnIds = [...this.#turns.keys()];
    const turnAt = turnIds.indexOf(item.turnId);
    if (turnAt === -1 || this.#items.has(item.id)) return [];
    const { items } = this;
    const at = items.findIndex((other) => {
      const otherAt = turnIds.indexOf(other.turnId);
      if (otherAt !== turnAt) return otherAt > turnAt;
      return (other.startedAtMs ?? Number.POSITIVE_INFINITY) > (item.startedAtMs ?? 0);
    });
    if (at === -1) return this.#putItem(item);
    this.#replace(this.turns, [...items.slice(0, at), item, ...items.slice(at)]);
    return [{ type: "reset", turns: this.turns, items: this.items }];
  }

  /** Puts an item that codex does not list behind that one, or at the end of its turn. Nothing when it is there. */
  insertBehind(item: Item, itemId: string | null): ThreadChange[] {
    if (!this.#turns.has(item.turnId) || this.#items.has(item.id)) return [];
    const ofTurn = this.itemsOf(item.turnId);
    const before = ofTurn.find(({ id }) => itemId !== null && id === this.#meant(itemId)) ?? ofTurn.at(-1);
    const { items } = this;
    const at = before === undefined ? items.length : items.indexOf(before) + 1;
    if (at === items.length) return this.#putItem(item);
    this.#replace(this.turns, [...items.slice(0, at), item, ...items.slice(at)]);
    return [{ type: "reset", turns: this.turns, items: this.items }];
  }

  /**
   * codex has said which commands of ended turns go on. One that a Stop had seemed to cut off runs again; one of which codex
   * says nothing has ended while nobody heard it. `isWhole`: codex has named them all.
   */
  leftRunning(goesOn: (item: Item) => boolean, isWhole: boolean, atMs: number): ThreadChange[] {
    return this.items.flatMap((item) => {
      if (item.kind !== "command" || this.isOfRunningTurn(item)) return [];
      if (goesOn(item))
        return item.status === "lost"
          ? this.#putItem({ ...item, status: "running", completedAtMs: null })
          : [];
      return isWhole && item.status === "running" ? this.#putItem(closed(item, atMs)) : [];
    });
  }

  isOfRunningTurn({ turnId }: Pick<Item, "turnId">): boolean {
    return this.turn(turnId)?.status === "running";
  }

  /** Why this turn was interrupted has become known. */
  explain(turnId: string, fault: TurnView["fault"]): ThreadChange[] {
    const turn = this.turn(turnId);
    return turn?.status === "interrupted" ? this.#putTurn({ ...turn, fault }) : [];
  }

  remove(ids: string[]): ThreadChange[] {
    const present = ids.filter((id) => this.#items.has(id));
    for (const id of present) this.#forgetItem(id);
    return present.length === 0 ? [] : [{ type: "removeItems", ids: present }];
  }

  /** codex has taken this turn and all after it out of its record. None means that it is not here. */
  cutBefore(turnId: string): { changes: ThreadChange[]; turnIds: string[] } {
    const { turns, items } = this;
    const at = turns.findIndex((turn) => turn.id === turnId);
    if (at < 0) return { changes: [], turnIds: [] };
    const turnIds = turns.slice(at).map((turn) => turn.id);
    const gone = new Set(turnIds);
    const left = { turns: turns.slice(0, at), items: items.filter((item) => !gone.has(item.turnId)) };
    this.#replace(left.turns, left.items);
    return { changes: [{ type: "reset", ...left }], turnIds };
  }

  /** The connection is gone and the process lives: what codex says now is missed. What waits for the person says nothing. */
  markGap(waiting: ReadonlySet<string> = new Set()): ThreadChange[] {
    const ids = new Set([...waiting].map((id) => this.#meant(id)));
    return this.#updateRunning((item) => (ids.has(item.id) ? item : withGap(item)));
  }

  /** codex asks whether it may run: then nothing of it can have been missed. */
  notRunYet(itemId: string): ThreadChange[] {
    this.#asked.add(itemId);
    return this.update(itemId, (item) =>
      item.kind === "command" && item.gaps.length > 0 && allUnits(item.output) === 0
        ? { ...item, gaps: [] }
        : item,
    );
  }

  /** A decision was given: from here on codex says what becomes of it. */
  decided(itemId: string): void {
    this.#asked.delete(itemId);
  }

  /** The process is gone: nothing that ran will be completed. */
  markLost(atMs: number, fault: TurnView["fault"]): ThreadChange[] {
    const turns = this.turns
      .filter((turn) => turn.status === "running")
      .map((turn) => ({ ...turn, status: "interrupted" as const, completedAtMs: atMs, fault }));
    this.#endedLive.clear();
    return [
      ...turns.flatMap((turn) => this.#putTurn(turn)),
      ...this.#updateRunning((item) => closed(item, atMs)),
    ];
  }

  /** Whether the page and what is known have a turn in common, or nothing is known: no turn is missing in between. */
  meets(page: TurnPage): boolean {
    return this.#turns.size === 0 || page.turns.some((turn) => this.#turns.has(turn.id));
  }

  /** Merges the newest turns as codex lists them into what is known. `kept` is what the ledger has of items that ran. */
  merge(page: TurnPage, running: RunningNow, atMs: number, kept: KeptItem[] = []): ThreadChange[] {
    const before = { turns: this.turns, items: this.items };
    const back = kept.filter(({ item }) => !this.#items.has(item.id) && this.#isNewest(item.turnId, page));
    // While the turn goes on, what codex lists by an id is not what runs by it.
    if (running === "none") for (const { item } of back) this.#takeMeaning(item);
    const known = {
      turns: [...before.turns, ...this.#unlistedTurns(back, page)],
      items: [...before.items, ...back.map(({ item }) => item)],
      meant: (id: string) => this.#meant(id),
      followed: followedIn(back),
    };
    const merged = mergePage(known, page, running, atMs);
    for (const { id, status } of page.turns) {
      const had = this.#turns.get(id);
      if (status === "inProgress" && (!had || had.status === "running")) this.#cutOff.add(id);
    }
    if (isDeepStrictEqual(merged, before)) return [];
    this.#replace(merged.turns, merged.items);
    if (running !== "none") for (const { item } of back) this.#takeMeaning(item);
    return [{ type: "reset", ...merged }];
  }

  /** Puts an older page before everything that is known. `kept` is what the ledger has of items that ran. */
  prepend(page: TurnPage, atMs: number, kept: KeptItem[] = []): ThreadChange[] {
    const older = page.turns.filter((turn) => !this.#turns.has(turn.id));
    if (older.length === 0) return [];
    const orphans = new Map(older.map((turn) => [turn.id, this.itemsOf(turn.id)]));
    const back = kept.filter(({ item }) => orphans.has(item.turnId) && !this.#items.has(item.id));
    const knownOf = (turnId: string) => [
      ...(orphans.get(turnId) ?? []),
      ...back.flatMap(({ item }) => (item.turnId === turnId ? item : [])),
    ];
    const view = viewOlderTurns(older, knownOf, followedIn(back), atMs);
    // What a command in the background said since its turn made way stands at the end until its turn is back.
    const removed = this.remove([...orphans.values()].flat().map((item) => item.id));
    this.#replace([...view.turns, ...this.turns], [...view.items, ...this.items]);
    return [...removed, { type: "older", ...view }];
  }

  /** The page, or what is known, has its turn; or it is younger than both. */
  #isNewest(turnId: string, page: TurnPage): boolean {
    if (this.#turns.has(turnId) || page.turns.some((turn) => turn.id === turnId)) return true;
    const newest = page.turns[0];
    // codex's turn ids (UUIDv7) are in order of time.
    return page.nextCursor === null || newest === undefined || turnId > newest.id;
  }

  /** codex was killed before it wrote the turn down: it is shown as far as it was heard. */
  #unlistedTurns(back: KeptItem[], page: TurnPage): TurnView[] {
    const turns = new Map<string, TurnView>();
    for (const { item } of back) {
      const { turnId: id, startedAtMs } = item;
      if (turns.has(id) || this.#turns.has(id) || page.turns.some((turn) => turn.id === id)) continue;
      turns.set(id, {
        id,
        status: "running",
        startedAtMs,
        completedAtMs: null,
        durationMs: null,
        fault: null,
      });
    }
    return [...turns.values()];
  }

  /** codex goes on to call the item by an id that had been used before in the same turn. */
  #takeMeaning({ id, status }: Item): void {
    const again = /^(.+)#\d+$/.exec(id);
    const mayBeNamed = status === "running" || status === "lost";
    if (again?.[1] !== undefined && mayBeNamed) this.#latest.set(again[1], id);
  }

  #meant(id: string): string {
    return this.#latest.get(id) ?? id;
  }

  #freeId(id: string): string {
    let count = 2;
    while (this.#items.has(`${id}#${count}`)) count += 1;
    return `${id}#${count}`;
  }

  #replace(turns: TurnView[], items: Item[]): void {
    for (const index of [this.#turns, this.#items, this.#ofTurn, this.#running, this.#sent]) index.clear();
    this.#lastTurnId = null;
    for (const turn of turns) this.#putTurn(turn);
    for (const item of items) this.#putItem(item);
    for (const [id, latest] of this.#latest) if (!this.#items.has(latest)) this.#latest.delete(id);
    for (const id of this.#asked) if (!this.#items.has(id)) this.#asked.delete(id);
    for (const id of this.#endedLive) if (!this.#items.has(id)) this.#endedLive.delete(id);
    for (const id of this.#cutOff) if (!this.#turns.has(id)) this.#cutOff.delete(id);
  }

  #putTurn(turn: TurnView): ThreadChange[] {
    if (!this.#turns.has(turn.id)) this.#lastTurnId = turn.id;
    this.#turns.set(turn.id, turn);
    return [{ type: "turns", turns: [turn] }];
  }

  /** Of something that is heard of for the first time: at the end, but a message before the plan that came in it. */
  #putNew(item: Item): ThreadChange[] {
    const ofTurn = item.kind === "agent" ? this.itemsOf(item.turnId) : [];
    const plan = ofTurn[beforePlans(ofTurn.map(({ kind }) => kind))];
    if (plan === undefined) return this.#putItem(item);
    const { items } = this;
    const at = items.indexOf(plan);
    this.#replace(this.turns, [...items.slice(0, at), item, ...items.slice(at)]);
    return [{ type: "reset", turns: this.turns, items: this.items }];
  }

  #putItem(item: Item): ThreadChange[] {
    this.#items.set(item.id, item);
    const ofTurn = this.#ofTurn.get(item.turnId);
    if (ofTurn) ofTurn.add(item.id);
    else this.#ofTurn.set(item.turnId, new Set([item.id]));
    if (item.status === "running") this.#running.add(item.id);
    else this.#running.delete(item.id);
    if (item.kind === "user" && item.clientId !== null) this.#sent.set(item.clientId, item.id);
    return [{ type: "items", items: [item] }];
  }

  #forgetItem(id: string): void {
    const item = this.#items.get(id);
    if (!item) return;
    this.#items.delete(id);
    this.#ofTurn.get(item.turnId)?.delete(id);
    this.#running.delete(id);
    if (item.kind === "user" && item.clientId !== null) this.#sent.delete(item.clientId);
  }

  #updateRunning(change: (item: Item) => Item): ThreadChange[] {
    const changed: Item[] = [];
    for (const id of [...this.#running]) {
      const item = this.#items.get(id);
      const next = item && change(item);
      if (!next || next === item) continue;
      this.#putItem(next);
      changed.push(next);
    }
    return changed.length === 0 ? [] : [{ type: "items", items: changed }];
  }
}

function closedIn(turn: TurnView, item: Item, atMs: number): Item {
  return item.turnId === turn.id ? closedWith(turn, item, atMs) : item;
}

function followedIn(kept: KeptItem[]): (itemId: string) => string | null {
  const places = new Map(kept.map(({ item, after }) => [item.id, after]));
  return (itemId) => places.get(itemId) ?? null;
}

/** Only a broken or hostile server says more in one message. Bounded texts look after themselves. */
function isFull(item: Item): boolean {
  if (item.kind === "agent" || item.kind === "plan") return item.text.length > longestMessageUnits;
  return item.kind === "reasoning" && item.summary.length + item.content.length > 2 * longestMessageUnits;
}

/** A start that comes again, or after pieces: what was already seen is not taken back, nor that some of it is missing. */
function keepSeenText(known: Item, started: Item): Item {
  if (known.kind === "agent" && started.kind === "agent") {
    if (started.text.length > known.text.length) return started;
    return { ...started, text: known.text, gaps: known.gaps };
  }
  if (known.kind === "plan" && started.kind === "plan") {
    if (started.text.length > known.text.length) return started;
    return { ...started, text: known.text, gaps: known.gaps };
  }
  if (known.kind === "command" && started.kind === "command") {
    return { ...started, output: known.output, gaps: known.gaps };
  }
  if (known.kind === "reasoning" && started.kind === "reasoning") {
    const { summary, summaryGaps, content, contentGaps } = known;
    return {
      ...started,
      ...(started.summary.length > summary.length ? {} : { summary, summaryGaps }),
      ...(started.content.length > content.length ? {} : { content, contentGaps }),
    };
  }
  return started;
}
