// Items that have begun and not ended. codex tells their beginning once; a connection that comes later gets neither that
// nor the text so far, so both are kept here until the item ends. Written sparsely (a beginning, and the text now and
// then), and relaxed: what was on the screen when the machine itself died is all that can be missing.

import type { Clock } from "../clock";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";
import { readJson, storedJson } from "./storedJson";

export interface RunningItem {
  threadId: string;
  turnId: string;
  itemId: string;
  kind: string;
  /** The item as codex sent it when it began. */
  item: unknown;
  textSoFar: string;
}

export interface RunningItemRecord extends RunningItem {
  updatedAtMs: number;
}

interface Row extends Omit<RunningItemRecord, "item" | "textSoFar"> {
  itemJson: string;
  textSoFar: string | Uint8Array;
}

export class RunningItemsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  upsert(items: readonly RunningItem[]): void {
    if (items.length === 0) return;
    const nowMs = this.#clock.nowMs();
    this.#database.relaxed(() => {
      for (const item of items) {
        this.#database.run(
          `INSERT INTO running_items (threadId, turnId, itemId, kind, itemJson, textSoFar, updatedAtMs)
           VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (threadId, itemId) DO UPDATE SET
             turnId = excluded.turnId, kind = excluded.kind, itemJson = excluded.itemJson,
             textSoFar = excluded.textSoFar, updatedAtMs = excluded.updatedAtMs`,
          item.threadId,
          item.turnId,
          item.itemId,
          item.kind,
          storedJson(item.item),
          storedText(item.textSoFar),
          nowMs,
        );
      }
    });
  }

  /** In the order in which they began. */
  list(threadId: string): RunningItemRecord[] {
    return this.#database
      .all<Row>(
        `SELECT threadId, turnId, itemId, kind, itemJson, textSoFar, updatedAtMs
         FROM running_items WHERE threadId = ? ORDER BY sequence`,
        threadId,
      )
      .map(({ itemJson, textSoFar, ...rest }) => ({
        ...rest,
        item: readJson<unknown>(itemJson),
        textSoFar: readText(textSoFar),
      }));
  }

  /** The item has ended. */
  delete(threadId: string, itemId: string): void {
    this.#database.relaxed(() =>
      this.#database.run("DELETE FROM running_items WHERE threadId = ? AND itemId = ?", threadId, itemId),
    );
  }

  /** The turn has ended, and everything in it. */
  deleteTurn(threadId: string, turnId: string): void {
    this.#database.relaxed(() =>
      this.#database.run("DELETE FROM running_items WHERE threadId = ? AND turnId = ?", threadId, turnId),
    );
  }
}
