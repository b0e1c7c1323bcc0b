// The keyboard in a list whose rows come, go and move.
//
// Race: a row goes away under the keyboard, or is moved in the page and so loses it. The keyboard then stays with the row
// that was moved, or in the place of the one that has gone. Somebody who has left the list is not called back.

import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { rowAfter } from "../ui/rowAfter";

/** Rows have `data-row` and can take the keyboard. Returns what keeps it with a row that is about to change. */
export function useKeyboardInList(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
): (id: string) => void {
  const before = useRef<readonly string[]>([]);
  const heldBy = useRef<string | null>(null);
  useEffect(() => {
    const moved = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
      heldBy.current = row && list.current?.contains(row) ? (row.dataset.row ?? null) : null;
    };
    const pressed = ({ target }: PointerEvent) => {
      if (target instanceof Node && !list.current?.contains(target)) heldBy.current = null;
    };
    // A row that goes away takes the keyboard with it without a word: until the next `focusin`, it was there.
    document.addEventListener("focusin", moved);
    document.addEventListener("pointerdown", pressed);
    return () => {
      document.removeEventListener("focusin", moved);
      document.removeEventListener("pointerdown", pressed);
    };
  }, [list]);
  // After every drawing: also what a row consists of may have taken the keyboard away.
  useLayoutEffect(() => {
    const was = before.current;
    before.current = ids;
    const held = heldBy.current;
    if (held === null || document.activeElement !== document.body) return;
    focusRow(list.current, ids.includes(held) ? held : rowAfter(held, was, ids));
  });
  return (id) => {
    heldBy.current = id;
  };
}

export function focusRow(list: HTMLElement | null, id: string | null | undefined): void {
  if (id == null) return;
  const row = list?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
  row?.focus();
}
