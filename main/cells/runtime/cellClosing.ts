// Telling the delegate that a cell has ended, as work that is owed: written down before it is begun, and gone only when the
// delegate has returned. One that fails, or does not return in time, stays owed and is tried again; the cell itself is
// gone all the same, so that nothing waits for it.
//
// Race: the delegate returns after its time was over. The attempt has failed by then; the next one finds nothing left to do.

import { cleanupIdOfRun } from "../../../preload/contract/cells";
import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import type { Cleanups } from "../../supervisor/cleanups";
import type { CellDelegate } from "./delegate";

export const cellCleanupKind = "cell";

export interface CellSubject {
  cellId: string;
  workspaceId?: string;
  scriptName?: string;
}

export interface CellClosing {
  /** Null: the delegate has returned. Never rejects. */
  close(cellId: string): Promise<Fault | null>;
}

const closeDeadlineMs = 10_000;

export interface CellClosingOptions {
  cleanups: Cleanups;
  clock: Clock;
  deadlineMs?: number;
  /** Null: nobody is left who could be told, the session of this cell being gone. */
  delegateOf(cellId: string): CellDelegate | null;
  /** What a person is told of it while it is owed. */
  about?(cellId: string): Omit<CellSubject, "cellId">;
}

/** Takes up what is owed to cells, also what an earlier run has left. One for the app. */
export function recordedClosing(options: CellClosingOptions): CellClosing {
  const { cleanups } = options;
  const attempt = async (cellId: string): Promise<Fault | null> => {
    const delegate = options.delegateOf(cellId);
    if (delegate) await returnsInTime(delegate.cellClosed(cellId), options);
    return null;
  };
  cleanups.register(cellCleanupKind, (record) =>
    cleanups.perform(record, () => attempt(subjectOf(record.subject))),
  );
  return {
    close: (cellId) =>
      cleanups.perform(
        {
          id: cleanupIdOfRun(cellId),
          kind: cellCleanupKind,
          subject: { cellId, ...options.about?.(cellId) } satisfies CellSubject,
          reason: "The script has ended, and nothing that it has begun may stay behind.",
        },
        () => attempt(cellId),
      ),
  };
}

function subjectOf(subject: unknown): string {
  if (typeof subject === "object" && subject !== null && "cellId" in subject) return String(subject.cellId);
  throw new Fault("cleanup_unreadable", "It is not known which cell is to be closed.");
}

function returnsInTime(work: Promise<void>, { clock, deadlineMs = closeDeadlineMs }: CellClosingOptions) {
  return new Promise<void>((resolve, reject) => {
    const timer = clock.after(deadlineMs, () => {
      reject(
        new Fault("cell_close_overdue", "What the script has begun could not be ended in time.", {
          retryable: true,
        }),
      );
    });
    work.finally(() => timer.cancel()).then(resolve, reject);
  });
}
