// What a key does in the list of threads. Pure: rows, the row that has the keyboard and a key give one action.

import type { ListRow } from "./rows";
import { isStop } from "./rows";

export type TreeAction =
  | { do: "move"; to: number }
  | { do: "open"; row: ListRow }
  | { do: "expand" | "collapse"; workspaceId: string }
  | { do: "rename" | "archive" | "delete" | "menu"; row: ListRow }
  | { do: "type"; letter: string };

export interface TreeKey {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const pageRows = 10;

function step(rows: readonly ListRow[], from: number, by: 1 | -1): number {
  for (let index = from + by; index >= 0 && index < rows.length; index += by) {
    const row = rows[index];
    if (row && isStop(row)) return index;
  }
  return from;
}

function many(rows: readonly ListRow[], from: number, by: 1 | -1, times: number): number {
  let index = from;
  for (let count = 0; count < times; count += 1) index = step(rows, index, by);
  return index;
}

function parentOf(rows: readonly ListRow[], index: number): number {
  const row = rows[index];
  const level = row && "level" in row ? row.level : 2;
  for (let at = index - 1; at >= 0; at -= 1) {
    const above = rows[at];
    if (above && "level" in above && above.level < level) return at;
  }
  return index;
}

/** Null: the key is not the list's own. `active` is -1 when no row has the keyboard yet. */
export function treeKey(rows: readonly ListRow[], active: number, press: TreeKey): TreeAction | null {
  const row = rows[active];
  if (press.key === "ContextMenu" || (press.key === "F10" && press.shiftKey)) {
    return row ? { do: "menu", row } : null;
  }
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  switch (press.key) {
    case "ArrowDown":
      return { do: "move", to: step(rows, active, 1) };
    case "ArrowUp":
      return { do: "move", to: active === -1 ? step(rows, rows.length, -1) : step(rows, active, -1) };
    case "PageDown":
      return { do: "move", to: many(rows, active, 1, pageRows) };
    case "PageUp":
      return { do: "move", to: many(rows, active === -1 ? 0 : active, -1, pageRows) };
    case "Home":
      return { do: "move", to: step(rows, -1, 1) };
    case "End":
      return { do: "move", to: step(rows, rows.length, -1) };
    case "ArrowRight": {
      if (row?.kind === "workspace" && !row.expanded) return { do: "expand", workspaceId: row.workspaceId };
      const next = rows[step(rows, active, 1)];
      const goesIn = row && next && "level" in row && "level" in next && next.level > row.level;
      return goesIn ? { do: "move", to: step(rows, active, 1) } : null;
    }
    case "ArrowLeft":
      if (!row) return null;
      if (row.kind === "workspace" && row.expanded) return { do: "collapse", workspaceId: row.workspaceId };
      return { do: "move", to: parentOf(rows, active) };
    case "Enter":
    case " ":
      return row ? { do: "open", row } : null;
    case "F2":
      return row ? { do: "rename", row } : null;
    case "Delete":
      return row?.kind === "thread" ? { do: press.shiftKey ? "delete" : "archive", row } : null;
    default:
      // "?" and "/" are shortcuts of the window.
      return press.key.length === 1 && !/[/?]/.test(press.key) ? { do: "type", letter: press.key } : null;
  }
}

/** The row that typing goes to: the next one after `active` whose words start with `typed`, around the end. */
export function typeAhead(
  rows: readonly ListRow[],
  active: number,
  typed: string,
  wordsOf: (row: ListRow) => string,
): number {
  const wanted = typed.toLowerCase();
  // One letter again and again goes on to the next one; more letters may stay on the row where they are.
  const first = typed.length === 1 ? active + 1 : Math.max(active, 0);
  for (let offset = 0; offset < rows.length; offset += 1) {
    const index = (first + offset) % rows.length;
    const row = rows[index];
    if (row && isStop(row) && wordsOf(row).toLowerCase().startsWith(wanted)) return index;
  }
  return active;
}
