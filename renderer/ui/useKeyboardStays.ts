// What has the keyboard may go away: a button with what it has done, a notice that has been seen to, a question that has been
// answered. Nobody is told of that, and a key would then reach nothing. It goes on with what is nearest to that place.
//
// Races:
// - Whoever takes something away may have a place for the keyboard of their own: it is only looked for once they are done.
// - The person presses somewhere else: what goes away after that had the keyboard no more.
// - It goes away under a menu or a dialog, which then has nothing to give the keyboard back to: it had it all the same.

import { type RefObject, useEffect } from "react";

/** What can be near: lists, logs, fields and the text. */
const stops = '[data-keyboard-stop], [contenteditable="true"]';

export function useKeyboardStays(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = page.current;
    if (!box) return;
    /** What had the keyboard last, and what it was in, from the inside out. */
    let held: Element[] = [];
    const moved = ({ target }: FocusEvent) => {
      if (!isOver(target))
        held = target instanceof Element && box.contains(target) ? pathOf(target, box) : [];
    };
    const pressed = ({ target }: PointerEvent) => {
      if (!isOver(target)) held = [];
    };
    const look = () => {
      const [had, ...around] = held;
      if (!had || had.isConnected || document.activeElement !== document.body) return;
      held = [];
      nearest(around)?.focus();
    };
    const observer = new MutationObserver(look);
    observer.observe(box, { childList: true, subtree: true });
    observer.observe(document.body, { childList: true });
    document.addEventListener("focusin", moved);
    document.addEventListener("pointerdown", pressed, true);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", moved);
      document.removeEventListener("pointerdown", pressed, true);
    };
  }, [page]);
}

/** Menus and dialogs are beside the window's own tree. */
export function isOver(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("#root") === null && target !== document.body;
}

function pathOf(element: Element, box: HTMLElement): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    path.push(at);
    if (at === box) break;
  }
  return path;
}

function nearest(around: readonly Element[]): HTMLElement | null {
  for (const each of around) {
    if (!each.isConnected) continue;
    const found = [...each.querySelectorAll<HTMLElement>(stops)].find((stop) => stop.offsetParent !== null);
    if (found) return found;
  }
  return null;
}
