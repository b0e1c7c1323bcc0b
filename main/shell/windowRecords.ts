// What is remembered of each window, so that it comes back as it was. Kept by whoever is handed in; what comes from there
// may be old or damaged and is read with care.
//
// Races, and what settles each:
// - A window is moved while its page writes its layout: both go into one record. What its page hands over is written at once,
//   since a kill would lose it (the page waits by itself while a divider is dragged); where the window is, after a short while.
// - The app ends before that: `finish` writes what waits, and what windows do while they are taken down is not
//   remembered: they did not move, and nobody closed them.
// - A window is closed: its record goes, except the last one's, since closing that is how many people quit.

import type { z } from "zod";
import { firstLayout, type Layout, layoutSchema } from "../../preload/contract/layout";
import type { Clock, Timer } from "../clock";
import type { Log } from "../log";
import { type WindowPlace, windowPlaceSchema } from "./placement";

export interface WindowRecord {
  id: string;
  place: WindowPlace | null;
  layout: Layout;
}

/** Where records are kept. `list` gives them in the order in which they were first put. May throw. */
export interface WindowStore {
  list(): { id: string; place: unknown; layout: unknown }[];
  put(record: WindowRecord): void;
  remove(id: string): void;
}

const writeAfterMs = 400;
const mostWindows = 12;

export class WindowRecords {
  readonly #store: WindowStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #records = new Map<string, WindowRecord>();
  readonly #unwritten = new Set<string>();
  #timer: Timer | null = null;
  #finished = false;

  constructor(store: WindowStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** The windows that were open last time. */
  load(): WindowRecord[] {
    let stored: ReturnType<WindowStore["list"]> = [];
    this.#guarded("read", () => {
      stored = this.#store.list();
    });
    for (const { id, place, layout } of stored.slice(0, mostWindows)) {
      this.#records.set(id, {
        id,
        place: readOr(windowPlaceSchema.nullable(), place, null),
        layout: readOr(layoutSchema, completed(layout), firstLayout),
      });
    }
    return [...this.#records.values()];
  }

  get(id: string): WindowRecord {
    return this.#records.get(id) ?? { id, place: null, layout: firstLayout };
  }

  /** A record whose window is closed: a new window takes it on. */
  unused(open: ReadonlySet<string>): WindowRecord | null {
    return [...this.#records.values()].find((record) => !open.has(record.id)) ?? null;
  }

  update(id: string, change: Partial<Omit<WindowRecord, "id">>): void {
    if (this.#finished) return;
    this.#records.set(id, { ...this.get(id), ...change });
    this.#unwritten.add(id);
    if (change.layout) this.#flush();
    else this.#timer ??= this.#clock.after(writeAfterMs, () => this.#flush());
  }

  /** A window was closed for good. */
  close(id: string): void {
    if (this.#finished || (this.#records.size === 1 && this.#records.has(id))) return;
    this.#records.delete(id);
    this.#unwritten.delete(id);
    this.#guarded("remove", () => this.#store.remove(id));
  }

  #flush(): void {
    this.#timer?.cancel();
    this.#timer = null;
    for (const id of this.#unwritten) {
      const record = this.#records.get(id);
      if (record) this.#guarded("write", () => this.#store.put(record));
    }
    this.#unwritten.clear();
  }

  /** Writes what waits; whatever a window does afterwards is not remembered. */
  finish(): void {
    this.#flush();
    this.#finished = true;
  }

  /** A window that does not come back where it was is no reason not to come up. */
  #guarded(doing: string, task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#log.error("The windows' places could not be kept", { doing, error });
    }
  }
}

/** An earlier version kept fewer fields. */
function completed(layout: unknown): unknown {
  return typeof layout === "object" ? { ...firstLayout, ...layout } : layout;
}

function readOr<Value>(schema: z.ZodType<Value>, value: unknown, otherwise: Value): Value {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : otherwise;
}
