// Items that have begun and not ended, and those that were cut off before their end or never let run. codex tells an item's
// beginning once: a connection that comes later gets neither that nor the text so far, and what was cut off it never lists. All
// are kept here until codex's own record has the item. Written sparsely (a beginning, and the text now and then), and relaxed:
// what was on the screen when the machine itself died is all that can be missing.

import type { Clock } from "../clock";
import type { Database } from "./database";
import { readText, storedText } from "./exactText";
import { readJson, storedJson } from "./storedJson";

export interface RunningItem {
  turnId: string;
  /** Unique in the thread: codex's own ids are so in their turn only. */
  itemId: string;
  kind: string;
  /** JSON; what it means is the writer's business. */
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

  /** Adds or replaces `running`, and removes `ended`, in one go. */
  update(threadId: string, running: readonly RunningItem[], ended: readonly string[] = []): void {
    if (running.length === 0 && ended.length === 0) return;
    const nowMs = this.#clock.nowMs();
    this.#database.relaxed(() => {
      for (const item of running) {
        this.#database.run(
          `INSERT INTO running_items (threadId, turnId, itemId, kind, itemJson, textSoFar, updatedAtMs)
           VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (threadId, itemId) DO UPDATE SET
             turnId = excluded.turnId, kind = excluded.kind, itemJson = excluded.itemJson,
             textSoFar = excluded.textSoFar, updatedAtMs = excluded.updatedAtMs`,
          threadId,
          item.turnId,
          item.itemId,
          item.kind,
          storedJson(item.item),
          storedText(item.textSoFar),
          nowMs,
        );
      }
      for (const itemId of ended) {
        this.#database.run("DELETE FROM running_items WHERE threadId = ? AND itemId = ?", threadId, itemId);
      }
    });
  }

  /** In the order in which they began. */
  list(threadId: string): RunningItemRecord[] {
    return this.#database
      .all<Row>(
        `SELECT turnId, itemId, kind, itemJson, textSoFar, updatedAtMs
         FROM running_items WHERE threadId = ? ORDER BY sequence`,
        threadId,
      )
      .map(({ itemJson, textSoFar, ...rest }) => ({
        ...rest,
        item: readJson<unknown>(itemJson),
        textSoFar: readText(textSoFar),
      }));
  }

  /** What has these words in it, the newest first, at most `limit`: in its text so far, or in the command that it is. */
  search(words: string, limit: number): { threadId: string; text: string }[] {
    const pattern = `%${words.replaceAll(/[%_!]/g, "!$&")}%`;
    return this.#database
      .all<{ threadId: string; textSoFar: string | Uint8Array; command: string | null }>(
        `SELECT threadId, textSoFar, json_extract(itemJson, '$.item.command') AS command
         FROM running_items WHERE kind != 'fact' AND (textSoFar LIKE ? ESCAPE '!' OR command LIKE ? ESCAPE '!')
         ORDER BY sequence DESC LIMIT ?`,
        pattern,
        pattern,
        limit,
      )
      .map(({ threadId, textSoFar, command }) => ({
        threadId,
        text: [command, readText(textSoFar)].filter(Boolean).join("\n"),
      }));
  }

  /** The thread is gone for good. */
  forget(threadId: string): void {
    this.#database.relaxed(() =>
      this.#database.run("DELETE FROM running_items WHERE threadId = ?", threadId),
    );
  }
}
