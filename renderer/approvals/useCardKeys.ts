import { type RefObject, useEffect, useRef } from "react";
import { composerIsEmpty } from "../composer/composerState";
import { confirmStore } from "../state/confirm";
import { uiStore } from "../state/uiStore";
import { isNowhere } from "../ui/nowhere";
import { type Card, mayTakeKey } from "./clickGuard";
import { keyIsForCard, writingPlaces } from "./shortcuts";

const conversation = '[data-pane="conversation"]';

/**
 * Single keys for the decisions of a card. `onKey` says whether it had a use for the key. `from`: whether they count where
 * nothing in particular has the keyboard, too, or in the card alone.
 */
export function useCardKeys(
  box: RefObject<HTMLElement | null>,
  card: () => Card,
  onKey: (key: string) => boolean,
  from: "page" | "card" = "page",
): void {
  const current = useRef({ card, onKey });
  current.current = { card, onKey };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.key.length !== 1) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (from === "card" && !box.current?.contains(target)) return;
      const inCard = (box.current?.contains(target) ?? false) || target.closest(conversation) !== null;
      // Lists and menus have keys of their own.
      const elsewhere = !isNowhere(target) && !inCard;
      const forCard = keyIsForCard({
        key: event.key,
        modified: event.ctrlKey || event.metaKey || event.altKey,
        repeat: event.repeat,
        composing: event.isComposing,
        inField:
          target.closest(writingPlaces) !== null ||
          (target instanceof HTMLElement && target.isContentEditable),
        inCard,
        composerEmpty: composerIsEmpty(),
        covered: elsewhere || uiStore.getState().dialog !== null || confirmStore.getState().open !== null,
      });
      if (!forCard || !mayTakeKey(current.current.card(), event.timeStamp)) return;
      if (current.current.onKey(event.key.toLowerCase())) event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [box, from]);
}
