// What a key does in a list of which the keyboard stays on the list itself. Pure.

export type ListAction =
  | { do: "move"; to: number }
  | { do: "open" }
  | { do: "remove" }
  | { do: "menu" }
  /** Out of what is listed. */
  | { do: "up" }
  | { do: "type"; letter: string };

export interface ListKey {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const pageRows = 10;

/** Null: the key is not the list's own. `active` is -1 when no row has the keyboard yet. */
export function listKey(rows: number, active: number, press: ListKey): ListAction | null {
  const last = rows - 1;
  if (press.key === "ContextMenu" || (press.key === "F10" && press.shiftKey)) {
    return active === -1 ? null : { do: "menu" };
  }
  if (press.key === "ArrowUp" && press.altKey) return { do: "up" };
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  if (press.key === "Backspace") return { do: "up" };
  if (last < 0) return null;
  const to = (index: number): ListAction => ({ do: "move", to: Math.min(Math.max(index, 0), last) });
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
      return active === -1 ? null : { do: "open" };
    case "Delete":
      return active === -1 ? null : { do: "remove" };
    default:
      // "?" and "/" are shortcuts of the window.
      return press.key.length === 1 && !/[/?]/.test(press.key) ? { do: "type", letter: press.key } : null;
  }
}

/** The row that typing goes to: the next after `active` whose name starts with `typed`, around the end. */
export function typeAhead(names: readonly string[], active: number, typed: string): number {
  const wanted = typed.toLowerCase();
  // One letter again and again goes on to the next one; more letters may stay on the row where they are.
  const first = typed.length === 1 ? active + 1 : Math.max(active, 0);
  for (let offset = 0; offset < names.length; offset += 1) {
    const index = (first + offset) % names.length;
    if (names[index]?.toLowerCase().startsWith(wanted)) return index;
  }
  return active;
}
