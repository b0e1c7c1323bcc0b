// The keyboard comes to a card for an answer, and goes on after it where it was: what is typed next is not lost.
//
// Races, and what settles each:
// - The card stays until codex confirms: the keyboard goes with the answer, not with the card.
// - Others wait, and nothing is being written: the keyboard stays for the next card, whose keys are then at hand.
// - The card goes without an answer from here, it was withdrawn or answered elsewhere: the same, once it is gone.
// - The person has gone elsewhere meanwhile: the keyboard stays there.

import { type RefObject, useCallback, useEffect, useRef } from "react";
import { messageField } from "../composer/composerState";
import { isNowhere } from "../ui/nowhere";

export interface CardKeyboard {
  /** Something is answered; `othersWait`: another card comes after it. */
  answered(othersWait: boolean): void;
}

/** `shownKey`: the card that is there. */
export function useKeyboardFromCard(
  box: RefObject<HTMLElement | null>,
  shownKey: string | null,
): CardKeyboard {
  /** What had the keyboard last, of all that is not a card. */
  const before = useRef<HTMLElement | null>(null);
  const isOnCard = useRef(false);
  useEffect(() => {
    const moved = ({ target }: FocusEvent) => {
      // Menus and dialogs are beside the window's own tree, and give it back themselves.
      if (!(target instanceof HTMLElement) || target.closest("#root") === null) return;
      isOnCard.current = box.current?.contains(target) ?? false;
      if (!isOnCard.current && !isNowhere(target)) before.current = target;
    };
    document.addEventListener("focusin", moved);
    return () => document.removeEventListener("focusin", moved);
  }, [box]);

  const goBack = useCallback(() => {
    const place = before.current?.isConnected ? before.current : messageField();
    isOnCard.current = false;
    place?.focus();
  }, []);
  const answered = useCallback(
    (othersWait: boolean) => {
      const { activeElement } = document;
      const isHere = isNowhere(activeElement) || box.current?.contains(activeElement) === true;
      if (!isHere) return;
      if (othersWait && !isWriting(before.current)) isOnCard.current = true;
      else goBack();
    },
    [box, goBack],
  );
  useEffect(() => {
    if (!isOnCard.current || !isNowhere(document.activeElement)) return;
    if (shownKey === null) goBack();
    else box.current?.querySelector("fieldset")?.focus();
  }, [shownKey, box, goBack]);
  return { answered };
}

function isWriting(place: HTMLElement | null): boolean {
  if (place === null || !place.isConnected) return false;
  if (place instanceof HTMLTextAreaElement || place instanceof HTMLInputElement) return place.value !== "";
  return place.isContentEditable;
}
