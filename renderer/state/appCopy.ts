// This window's copy of what every window knows, and how main's changes are applied to it. Pure.

import type { AppChange, AppSnapshot, AppState, ThreadRow } from "../../preload/contract/app";

export type Rows = ReadonlyMap<string, ThreadRow>;

export interface AppCopy {
  app: AppState;
  rows: Rows;
  /**
   * Counts up when the list of threads has to be laid out anew: a thread came or went, or what decides its place changed.
   * A state or a draft that changes touches one row and no place.
   */
  places: number;
}

export function appCopyOf(snapshot: AppSnapshot, places = 0): AppCopy {
  return {
    app: snapshot.state,
    rows: new Map(snapshot.threads.map((row) => [row.threadId, row])),
    places,
  };
}

function samePlace(a: ThreadRow, b: ThreadRow): boolean {
  return (
    a.workspaceId === b.workspaceId &&
    a.parentThreadId === b.parentThreadId &&
    a.archived === b.archived &&
    a.updatedAtMs === b.updatedAtMs &&
    a.title === b.title
  );
}

export function applyAppChanges(copy: AppCopy, changes: readonly AppChange[]): AppCopy {
  let { app, places } = copy;
  let rows: Map<string, ThreadRow> | null = null;
  const writable = () => {
    rows ??= new Map(copy.rows);
    return rows;
  };
  for (const change of changes) {
    switch (change.type) {
      case "state":
        app = { ...app, ...change.value };
        break;
      case "threads": {
        const map = writable();
        for (const id of change.remove) if (map.delete(id)) places += 1;
        for (const row of change.upsert) {
          const before = map.get(row.threadId);
          if (!before || !samePlace(before, row)) places += 1;
          map.set(row.threadId, row);
        }
        break;
      }
      default: {
        const unknown: never = change;
        throw new Error(`Unknown change ${JSON.stringify(unknown)}`);
      }
    }
  }
  return { app, rows: rows ?? copy.rows, places };
}
