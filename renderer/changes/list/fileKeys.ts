// What a key does in the list of changed files. Pure.

import type { ListRow } from "./files";

export type FileAction =
  | { do: "move"; to: number }
  | { do: "open" | "close" }
  /** To the difference of the file. */
  | { do: "enter" }
  /** To the person's editor. */
  | { do: "editor" }
  | { do: "toggle" | "stage" | "unstage" | "discard" }
  | { do: "file"; by: 1 | -1 };

export interface ListPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const rowsPerPage = 15;

function depthOf(row: ListRow | undefined): number {
  return row === undefined || row.kind === "group" ? -1 : row.depth;
}

/** Null: the key is not the list's own. */
export function fileListKey(rows: readonly ListRow[], active: number, press: ListPress): FileAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey || rows.length === 0) return null;
  const row = rows[active];
  const move = (to: number): FileAction => ({ do: "move", to: Math.max(0, Math.min(rows.length - 1, to)) });
  switch (press.key) {
    case "ArrowDown":
      return move(active + 1);
    case "ArrowUp":
      return move(active - 1);
    case "PageDown":
      return move(active + rowsPerPage);
    case "PageUp":
      return move(active - rowsPerPage);
    case "Home":
      return move(0);
    case "End":
      return move(rows.length - 1);
    case "ArrowRight":
      if (row === undefined || row.kind === "file") return null;
      return row.open ? move(active + 1) : { do: "open" };
    case "ArrowLeft": {
      if (row === undefined) return null;
      if (row.kind !== "file" && row.open) return { do: "close" };
      const above = rows.slice(0, active).findLastIndex((each) => depthOf(each) < depthOf(row));
      return above < 0 ? null : move(above);
    }
    case "Enter":
      if (row !== undefined && row.kind !== "file") return { do: row.open ? "close" : "open" };
      return { do: "enter" };
    case " ":
      return { do: "toggle" };
    case "[":
      return { do: "file", by: -1 };
    case "]":
      return { do: "file", by: 1 };
    default:
  }
  switch (press.key.toLowerCase()) {
    case "j":
    case "n":
      return { do: "file", by: 1 };
    case "k":
    case "p":
      return { do: "file", by: -1 };
    case "o":
      return row?.kind === "file" ? { do: "editor" } : null;
    case "s":
      return { do: "stage" };
    case "u":
      return { do: "unstage" };
    case "x":
    case "delete":
      return { do: "discard" };
    default:
      return null;
  }
}
