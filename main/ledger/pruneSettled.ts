// What is settled for good is of no use after a while, and the ledger is read at every start. Nothing that is open, and
// nothing that a person wrote and codex does not have, is ever removed.

import { pruneRuns } from "./cellRunsLedger";
import type { Database } from "./database";

const keepMs = 30 * 24 * 60 * 60 * 1000;

/** Removes what was settled more than 30 days before `nowMs`, and the oldest runs of scripts; returns how many rows. */
export function pruneSettled(database: Database, nowMs: number): number {
  const beforeMs = nowMs - keepMs;
  return database.relaxed(
    () =>
      database.run(
        "DELETE FROM submissions WHERE state IN ('delivered', 'discarded') AND settledAtMs < ?",
        beforeMs,
      ) +
      database.run("DELETE FROM cleanups WHERE state = 'done' AND doneAtMs < ?", beforeMs) +
      database.run(
        "DELETE FROM requests WHERE state IN ('resolved', 'withdrawn') AND endedAtMs < ?",
        beforeMs,
      ) +
      database.run("DELETE FROM scripts WHERE deletedAtMs < ?", beforeMs) +
      pruneRuns(database) +
      database.run(
        `DELETE FROM handles WHERE state = 'gone' AND endedAtMs < ?
         AND NOT EXISTS (SELECT 1 FROM requests WHERE requests.handleId = handles.handleId)`,
        beforeMs,
      ),
  );
}
