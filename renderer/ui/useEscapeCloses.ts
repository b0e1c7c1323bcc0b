// What lies over a page and was opened by a button of it: Escape closes it, also while the keyboard is still at that button.
//
// Races:
// - Two lie over each other: the one that was opened last is closed, and one only.
// - What has the keyboard has a use for Escape itself, or it is meant for a menu or a dialog above: nothing is closed.

import { useEffect } from "react";
import { isOver } from "./useKeyboardStays";

const open: symbol[] = [];

/** `onClose`: one of the same identity for as long as it is open. */
export function useEscapeCloses(onClose: () => void): void {
  useEffect(() => {
    const mine = Symbol();
    open.push(mine);
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      if (open.at(-1) !== mine || isOver(event.target)) return;
      event.preventDefault();
      onClose();
    };
    window.addEventListener("keydown", press);
    return () => {
      open.splice(open.indexOf(mine), 1);
      window.removeEventListener("keydown", press);
    };
  }, [onClose]);
}
