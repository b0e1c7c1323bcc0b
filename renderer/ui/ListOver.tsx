// The list of a page that is too narrow for it: over the rest, until something in it is chosen.

import { type ReactNode, useEffect, useRef } from "react";
import { useEscapeCloses } from "./useEscapeCloses";

/** `onClose`: the list is to go, or has gone. One of the same identity for as long as it is shown. */
export function ListOver({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEscapeCloses(onClose);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.querySelector<HTMLElement>('[role="listbox"], [role="tree"]')?.focus();
    return () => {
      onClose();
      // Whatever was chosen in it may have the keyboard by now.
      const isNowhere = document.activeElement === document.body;
      if (isNowhere && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [onClose]);
  return (
    <div className="absolute inset-0 z-20">
      <button
        type="button"
        tabIndex={-1}
        aria-label="Close the list"
        onClick={onClose}
        className="absolute inset-0 animate-fade bg-scrim"
      />
      <div
        ref={box}
        className="absolute inset-y-0 left-0 w-[min(280px,calc(100%-48px))] border-r border-line shadow-modal"
      >
        {children}
      </div>
    </div>
  );
}
