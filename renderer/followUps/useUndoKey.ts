import { type RefObject, useEffect } from "react";
import { pressMatches } from "../ui/keys";
import { isNowhere } from "../ui/nowhere";
import { undoDelete } from "./followUps";

/**
 * Undo brings a deleted follow-up back while the keyboard is in the panel, or nowhere: the last row takes it along when it
 * goes. In a field the key is the field's own.
 */
export function useUndoKey(panel: RefObject<HTMLElement | null>, threadKey: string): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || !pressMatches(event, "mod+z")) return;
      const target = event.target instanceof Element ? event.target : document.body;
      const isHere = isNowhere(target) || panel.current?.contains(target);
      if (!isHere || target.closest("input, textarea, [contenteditable=true]") !== null) return;
      if (undoDelete(threadKey)) event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [panel, threadKey]);
}
