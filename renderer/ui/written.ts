// What is written in a dialog and saved nowhere is not thrown away by Escape, its cross or a press beside it: that is asked
// about first. Its Cancel says what it does.
//
// Race: it is saved, and the dialog closed, while the question is open: the question then closes nothing.

import { createContext, useContext, useEffect, useRef } from "react";
import { askFirst } from "../state/confirm";

type Places = Set<symbol>;

/** The places in this dialog where something is written. */
export const WrittenIn = createContext<Places | null>(null);

/** Says for a part of a dialog whether there is something in it that only the person could write again. */
export function useWritten(isWritten: boolean): void {
  const places = useContext(WrittenIn);
  useEffect(() => {
    if (places === null || !isWritten) return;
    const place = Symbol("written");
    places.add(place);
    return () => {
      places.delete(place);
    };
  }, [places, isWritten]);
}

/** `close`, once it is agreed to where something is written. `isOpen`: the dialog is still there. */
export async function askToDiscard(close: () => void, isOpen: () => boolean): Promise<void> {
  const agrees = await askFirst({
    title: "Discard what you have written?",
    text: "It was not saved.",
    confirmLabel: "Discard",
    tone: "danger",
  });
  if (agrees && isOpen()) close();
}

/** What closes a dialog without an answer, and the places that may stand against it. */
export function useAskedClose(written: boolean, onClose: () => void): { places: Places; close: () => void } {
  const places = useRef<Places>(new Set()).current;
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const close = () => {
    if (written || places.size > 0) void askToDiscard(onClose, () => isOpen.current);
    else onClose();
  };
  return { places, close };
}
