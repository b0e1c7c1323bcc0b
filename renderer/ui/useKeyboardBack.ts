// Where a question that has been answered gives the keyboard back to: to what had it before, in the dialog below or in the
// window, whatever menu has led to the question.
//
// Races, and what settles each:
// - A question goes a moment after it was answered. What the answer has led to may have the keyboard by then: it keeps it.
// - What had the keyboard goes away with the answer. Nothing else is given it in its place, since whoever takes something away
//   may give the keyboard to what comes instead in the same moment: what is near finds it by itself (useKeyboardStays).

import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

export function useKeyboardBack(
  popup: RefObject<HTMLElement | null>,
  open: boolean,
): () => HTMLElement | false {
  const before = useRef<Element | null>(null);
  const inWindow = useRef<Element | null>(null);
  useEffect(() => {
    const moved = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest("#root") !== null) inWindow.current = target;
    };
    document.addEventListener("focusin", moved);
    return () => document.removeEventListener("focusin", moved);
  }, []);
  // The question itself takes the keyboard with the next frame.
  useLayoutEffect(() => {
    if (open) before.current = document.activeElement;
  }, [open]);
  return () => {
    const at = document.activeElement;
    const isStillHere = at === null || at === document.body || popup.current?.contains(at) === true;
    if (!isStillHere) return false;
    return [before.current, inWindow.current].find(canHaveIt) ?? false;
  };
}

function canHaveIt(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element !== document.body && element.isConnected;
}
