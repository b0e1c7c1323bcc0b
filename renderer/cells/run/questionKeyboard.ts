// Where the keyboard is while a question gives way to the next one. Each is a card of its own, which takes what had the
// keyboard away with it.
//
// Races:
// - A question goes away, answered elsewhere, while somebody is about to answer it by a key: that key must not reach the next
//   question, so the keyboard does not go there by itself.
// - The next question is asked only once the script has had the answer: whoever has pressed nothing since goes on with it;
//   whoever has is somewhere else by now.

import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { answering } from "./answering";

/** Somebody has come for it: its keys, and Tab to its buttons, are at hand; where it has none, its field is. */
export function focusCard(box: HTMLElement | null): void {
  (box?.querySelector<HTMLElement>("fieldset[data-options]") ?? box?.querySelector("textarea"))?.focus();
}

/**
 * Who answers or looks through questions by the keyboard goes on with the next one. Where a question has gone without them,
 * what they are just pressing was not meant for the next.
 */
export function useKeyboardOnNext(box: RefObject<HTMLElement | null>, currentId: string | null): void {
  const held = useRef<{ questionId: string | null; button: string | null } | null>(null);
  const current = useRef(currentId);
  /** The last question was answered here, and the next one is not there yet. */
  const goesOn = useRef(false);
  useLayoutEffect(() => {
    const before = held.current;
    current.current = currentId;
    if (currentId !== null && goesOn.current) {
      goesOn.current = false;
      focusCard(box.current);
      return;
    }
    if (before === null || before.questionId === currentId || document.activeElement !== document.body)
      return;
    held.current = null;
    if (before.button !== null) {
      box.current?.querySelector<HTMLElement>(`[aria-label="${before.button}"]`)?.focus();
    } else if (before.questionId !== null && answering.getState().sending.has(before.questionId)) {
      goesOn.current = currentId === null;
      focusCard(box.current);
    }
  }, [box, currentId]);
  useEffect(() => {
    const moved = ({ target }: FocusEvent) => {
      const isHere = target instanceof Element && box.current?.contains(target) === true;
      const button = isHere && target.matches("[data-go]") ? target.getAttribute("aria-label") : null;
      held.current = isHere ? { questionId: current.current, button } : null;
    };
    const pressed = () => {
      goesOn.current = false;
    };
    document.addEventListener("focusin", moved);
    document.addEventListener("keydown", pressed, true);
    document.addEventListener("pointerdown", pressed, true);
    return () => {
      document.removeEventListener("focusin", moved);
      document.removeEventListener("keydown", pressed, true);
      document.removeEventListener("pointerdown", pressed, true);
    };
  }, [box]);
}
