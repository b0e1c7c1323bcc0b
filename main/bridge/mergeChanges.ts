// Changes that wait for a window, merged so that a slow one costs no more than a fast one. Applying what `take` gives
// leads to the same state as applying, one by one, everything that went through `add`, whatever the state was before.
//
// What that rests on, for a thread:
// - The head, the turns and the items are changed independently of each other.
// - `removeItems` of an unknown id, and `append` to an unknown item, do nothing. So removals can go first: whatever is
//   put in again afterwards is at the end then, which is where it would be.
// - `appendBounded` cuts by what there was in all, not by pieces. So appends to one field can be joined, and of a flood of a
//   command's output the end is enough, with how much went before it.
// - `older` puts things before everything that is there, also before what waits here. What came before it must be in
//   place first, so nothing is merged across it except the head.
// - After `reset`, nothing of what came before it matters, except the head.
// For the app: fields of the state replace each other; rows are removed first and put in again after.

import type { AppChange, AppState, ThreadRow } from "../../preload/contract/app";
import { appendBounded, type Item } from "../../preload/contract/items";
import type { ThreadChange, ThreadHead, TurnView } from "../../preload/contract/thread";
import { JoinedText } from "../threads/joinedText";
import { sizeOf } from "./sizeOf";

export interface Merger<Change> {
  add(change: Change): void;
  /** Hands over what is merged so far and starts anew. */
  take(): Change[];
  readonly isEmpty: boolean;
  /** Roughly what is held here; see `sizeOf`. */
  readonly bytes: number;
}

type Append = Extract<ThreadChange, { type: "append" }>;
/** What nothing is merged across. */
type Barrier = Extract<ThreadChange, { type: "older" | "reset" }>;

/** One patch over another; a field that is there but undefined says nothing. */
export function patch<Fields extends object>(target: Partial<Fields>, value: Partial<Fields>): void {
  for (const key of Object.keys(value) as (keyof Fields)[]) {
    if (value[key] !== undefined) target[key] = value[key];
  }
}

/** Values by id in the order in which the ids came first, with the size of all of them. */
export class Sized<Value> {
  readonly #values = new Map<string, { value: Value; bytes: number }>();
  bytes = 0;

  get size(): number {
    return this.#values.size;
  }

  get(id: string): Value | undefined {
    return this.#values.get(id)?.value;
  }

  set(id: string, value: Value): void {
    this.bytes -= this.#values.get(id)?.bytes ?? 0;
    const bytes = sizeOf(value);
    this.#values.set(id, { value, bytes });
    this.bytes += bytes;
  }

  /** `value` has grown by `bytes`; measuring it again would cost its whole size for every piece. */
  grown(id: string, value: Value, bytes: number): void {
    const held = this.#values.get(id);
    this.#values.set(id, { value, bytes: (held?.bytes ?? 0) + bytes });
    this.bytes += bytes;
  }

  delete(id: string): void {
    this.bytes -= this.#values.get(id)?.bytes ?? 0;
    this.#values.delete(id);
  }

  list(): Value[] {
    return [...this.#values.values()].map((held) => held.value);
  }
}

/** The item with text added to one of its fields, and by how much it grew; null when it has no such field. */
function appendTo(item: Item, { field, text, skippedUnits }: Append): { item: Item; units: number } | null {
  if (field === "output") {
    if (item.kind !== "command") return null;
    const output = appendBounded(item.output, text, skippedUnits);
    return { item: { ...item, output }, units: output.text.length - item.output.text.length };
  }
  if (!(field in item)) return null;
  const held: unknown = item[field as keyof Item];
  if (typeof held !== "string") return null;
  return { item: { ...item, [field]: held + text } as Item, units: text.length };
}

/** What came between two barriers. */
class Stretch {
  readonly turns = new Sized<TurnView>();
  readonly #items = new Sized<Item>();
  readonly #removed = new Set<string>();
  readonly #appends = new Map<string, Map<Append["field"], JoinedText>>();
  #appendBytes = 0;
  #removedBytes = 0;

  get bytes(): number {
    return this.turns.bytes + this.#items.bytes + this.#appendBytes + this.#removedBytes;
  }

  get isEmpty(): boolean {
    return (
      this.turns.size === 0 && this.#items.size === 0 && this.#removed.size === 0 && this.#appends.size === 0
    );
  }

  put(item: Item): void {
    this.#dropAppends(item.id);
    this.#items.set(item.id, item);
  }

  remove(id: string): void {
    this.#dropAppends(id);
    this.#items.delete(id);
    if (!this.#removed.has(id)) this.#removedBytes += sizeOf(id);
    this.#removed.add(id);
  }

  append(append: Append): void {
    const { itemId, field, text, skippedUnits } = append;
    const waiting = this.#items.get(itemId);
    if (waiting) {
      const appended = appendTo(waiting, append);
      if (appended) {
        this.#items.grown(itemId, appended.item, 2 * appended.units);
        return;
      }
    } else if (this.#removed.has(itemId)) return;
    const fields = this.#appends.get(itemId) ?? new Map<Append["field"], JoinedText>();
    const joined = fields.get(field) ?? new JoinedText(field === "output");
    const before = joined.units;
    joined.add(text, skippedUnits);
    fields.set(field, joined);
    this.#appends.set(itemId, fields);
    this.#appendBytes += 2 * (joined.units - before);
  }

  changes(): ThreadChange[] {
    const list: ThreadChange[] = [];
    if (this.turns.size > 0) list.push({ type: "turns", turns: this.turns.list() });
    if (this.#removed.size > 0) list.push({ type: "removeItems", ids: [...this.#removed] });
    if (this.#items.size > 0) list.push({ type: "items", items: this.#items.list() });
    for (const [itemId, fields] of this.#appends) {
      for (const [field, joined] of fields) list.push(appendOf(itemId, field, joined));
    }
    return list;
  }

  #dropAppends(id: string): void {
    for (const { units } of this.#appends.get(id)?.values() ?? []) this.#appendBytes -= 2 * units;
    this.#appends.delete(id);
  }
}

function appendOf(itemId: string, field: Append["field"], joined: JoinedText): Append {
  const { text, skippedUnits } = joined.end();
  return { type: "append", itemId, field, text, ...(skippedUnits > 0 && { skippedUnits }) };
}

export class ThreadMerger implements Merger<ThreadChange> {
  #head: Partial<ThreadHead> = {};
  #headBytes = 0;
  #before: { stretch: Stretch; barrier: Barrier }[] = [];
  #beforeBytes = 0;
  #stretch = new Stretch();

  get bytes(): number {
    return this.#headBytes + this.#beforeBytes + this.#stretch.bytes;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#head).length === 0 && this.#before.length === 0 && this.#stretch.isEmpty;
  }

  add(change: ThreadChange): void {
    switch (change.type) {
      case "head":
        patch(this.#head, change.value);
        this.#headBytes = sizeOf(this.#head);
        return;
      case "turns":
        for (const turn of change.turns) this.#stretch.turns.set(turn.id, turn);
        return;
      case "items":
        for (const item of change.items) this.#stretch.put(item);
        return;
      case "removeItems":
        for (const id of change.ids) this.#stretch.remove(id);
        return;
      case "append":
        this.#stretch.append(change);
        return;
      case "reset":
        this.#before = [{ stretch: new Stretch(), barrier: change }];
        this.#beforeBytes = sizeOf(change);
        this.#stretch = new Stretch();
        return;
      case "older":
        this.#beforeBytes += this.#stretch.bytes + sizeOf(change);
        this.#before.push({ stretch: this.#stretch, barrier: change });
        this.#stretch = new Stretch();
        return;
      default:
        unknownChange(change);
    }
  }

  take(): ThreadChange[] {
    const list: ThreadChange[] = [];
    if (Object.keys(this.#head).length > 0) list.push({ type: "head", value: this.#head });
    for (const { stretch, barrier } of this.#before) list.push(...stretch.changes(), barrier);
    list.push(...this.#stretch.changes());
    this.#head = {};
    this.#headBytes = 0;
    this.#before = [];
    this.#beforeBytes = 0;
    this.#stretch = new Stretch();
    return list;
  }
}

export class AppMerger implements Merger<AppChange> {
  #state: Partial<AppState> = {};
  #stateBytes = 0;
  #rows = new Sized<ThreadRow>();
  #removed = new Set<string>();

  get bytes(): number {
    return this.#stateBytes + this.#rows.bytes + 128 * this.#removed.size;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#state).length === 0 && this.#rows.size === 0 && this.#removed.size === 0;
  }

  add(change: AppChange): void {
    switch (change.type) {
      case "state":
        patch(this.#state, change.value);
        this.#stateBytes = sizeOf(this.#state);
        return;
      case "threads":
        for (const id of change.remove) {
          this.#rows.delete(id);
          this.#removed.add(id);
        }
        for (const row of change.upsert) this.#rows.set(row.threadId, row);
        return;
      default:
        unknownChange(change);
    }
  }

  take(): AppChange[] {
    const list: AppChange[] = [];
    if (Object.keys(this.#state).length > 0) list.push({ type: "state", value: this.#state });
    // A row that was removed and came back is put in again at the end, so the removal must not come after it.
    const comesBack = [...this.#removed].some((id) => this.#rows.get(id) !== undefined);
    const remove = [...this.#removed];
    const upsert = this.#rows.list();
    if (comesBack)
      list.push({ type: "threads", upsert: [], remove }, { type: "threads", upsert, remove: [] });
    else if (remove.length > 0 || upsert.length > 0) list.push({ type: "threads", upsert, remove });
    this.#state = {};
    this.#stateBytes = 0;
    this.#rows = new Sized();
    this.#removed = new Set();
    return list;
  }
}

function unknownChange(change: never): never {
  throw new Error(`A change of a type that is not known: ${JSON.stringify(change)}`);
}
