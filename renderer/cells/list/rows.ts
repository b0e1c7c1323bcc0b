// The list of scripts and runs: which rows it has, in their order, and what a key does in it. Pure.

import type { RunRow, ScriptRow } from "../../../preload/contract/cells";

export type CellsRow =
  | { kind: "script"; key: string; script: ScriptRow }
  | { kind: "run"; key: string; run: RunRow }
  /** More runs than are drawn. */
  | { kind: "more"; key: string; left: number };

export interface CellsRows {
  own: CellsRow[];
  shipped: CellsRow[];
  runs: CellsRow[];
}

/** From so many runs on they can be filtered. */
export const filterFrom = 8;
export const runsAtOnce = 60;

/** `filter` is for runs: every word of it is in the name, the state or the workspace. */
export function cellsRows(
  scripts: readonly ScriptRow[],
  runs: readonly RunRow[],
  filter: string,
  mostRuns: number,
): CellsRows {
  const scriptRows = (origin: ScriptRow["origin"]) =>
    scripts
      .filter((script) => script.origin === origin)
      .map((script): CellsRow => ({ kind: "script", key: `script ${script.scriptId}`, script }));
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = runs.filter((run) => {
    const text = `${run.scriptName} ${run.state} ${run.workspaceName}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const runRows = found
    .slice(0, mostRuns)
    .map((run): CellsRow => ({ kind: "run", key: `run ${run.runId}`, run }));
  const left = found.length - runRows.length;
  if (left > 0) runRows.push({ kind: "more", key: "more", left });
  return { own: scriptRows("own"), shipped: scriptRows("shipped"), runs: runRows };
}

export type RowAction =
  | { do: "move"; to: number }
  | { do: "open" | "rename" | "delete" | "menu"; row: CellsRow }
  | { do: "type"; letter: string };

export interface RowKey {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const pageRows = 10;

/** Null: the key is not the list's own. `active` is -1 when no row has the keyboard yet. */
export function rowKey(rows: readonly CellsRow[], active: number, press: RowKey): RowAction | null {
  const row = rows[active];
  const last = rows.length - 1;
  const to = (index: number): RowAction => ({ do: "move", to: Math.min(Math.max(index, 0), last) });
  if (press.key === "ContextMenu" || (press.key === "F10" && press.shiftKey)) {
    return row && row.kind !== "more" ? { do: "menu", row } : null;
  }
  if (press.ctrlKey || press.metaKey || press.altKey || last < 0) return null;
  switch (press.key) {
    case "ArrowDown":
      return to(active + 1);
    case "ArrowUp":
      return to(active === -1 ? last : active - 1);
    case "PageDown":
      return to(active + pageRows);
    case "PageUp":
      return to(active - pageRows);
    case "Home":
      return to(0);
    case "End":
      return to(last);
    case "Enter":
    case " ":
      return row ? { do: "open", row } : null;
    case "F2":
      return row?.kind === "script" && row.script.origin === "own" ? { do: "rename", row } : null;
    case "Delete":
    case "Backspace":
      return row?.kind === "run" || (row?.kind === "script" && row.script.origin === "own")
        ? { do: "delete", row }
        : null;
    default:
      // "?" and "/" are shortcuts of the window.
      return press.key.length === 1 && !/[/?]/.test(press.key) ? { do: "type", letter: press.key } : null;
  }
}

export function nameOf(row: CellsRow): string {
  if (row.kind === "more") return "";
  return row.kind === "script" ? row.script.name : row.run.scriptName;
}

/** The row that typing goes to: the next after `active` whose name starts with `typed`, around the end. */
export function typeAhead(rows: readonly CellsRow[], active: number, typed: string): number {
  const wanted = typed.toLowerCase();
  // One letter again and again goes on to the next one; more letters may stay on the row where they are.
  const first = typed.length === 1 ? active + 1 : Math.max(active, 0);
  for (let offset = 0; offset < rows.length; offset += 1) {
    const index = (first + offset) % rows.length;
    const row = rows[index];
    if (row && nameOf(row).toLowerCase().startsWith(wanted)) return index;
  }
  return active;
}
