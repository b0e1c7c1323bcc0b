// Why a thread's follow-ups are not sent by themselves: written down before the turn is stopped, so that no crash sets
// them going.

import type { Clock } from "../clock";
import type { Database } from "./database";

export type QueueHold = "stopped" | "failed";

export class QueueHoldsLedger {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  get(threadId: string): QueueHold | null {
    const row = this.#database.get<{ why: QueueHold }>(
      "SELECT why FROM queue_holds WHERE threadId = ?",
      threadId,
    );
    return row?.why ?? null;
  }

  /** `null`: nothing holds it any more. */
  set(threadId: string, why: QueueHold | null): void {
    if (why === null) {
      this.#database.run("DELETE FROM queue_holds WHERE threadId = ?", threadId);
      return;
    }
    this.#database.run(
      `INSERT INTO queue_holds (threadId, why, updatedAtMs) VALUES (?, ?, ?)
       ON CONFLICT (threadId) DO UPDATE SET why = excluded.why, updatedAtMs = excluded.updatedAtMs`,
      threadId,
      why,
      this.#clock.nowMs(),
    );
  }
}
