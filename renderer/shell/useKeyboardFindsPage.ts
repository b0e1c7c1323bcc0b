// Where the keyboard is after a page was opened or the window was loaded: in what is shown, instead of nowhere.
//
// Races, and what settles each:
// - The page is loaded later, or what is in it is: until then the middle itself has the keyboard, and hands it on.
// - Something else takes the keyboard meanwhile (a field that was asked for, a dialog, the person): it keeps it.

import { type RefObject, useEffect } from "react";
import { isNowhere } from "../ui/nowhere";

const stops = ["[data-pane-first]", "[data-pane-stop]", "[data-keyboard-stop]"];
/** How long a page may take to show something that can have the keyboard. */
const waitMs = 5_000;

/** `shown`: what is in the middle; another one is another page. */
export function useKeyboardFindsPage(middle: RefObject<HTMLElement | null>, shown: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is looked for again with every page
  useEffect(() => {
    const box = middle.current;
    if (!box) return;
    const look = () => {
      if (!isNowhere(document.activeElement)) {
        end();
        return;
      }
      const stop = firstStop(box);
      if (stop) {
        end();
        stop.focus({ preventScroll: true });
      } else if (document.activeElement !== box) box.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(look);
    const end = () => {
      observer.disconnect();
      clearTimeout(timer);
      document.removeEventListener("pointerdown", end, true);
    };
    const timer = setTimeout(end, waitMs);
    observer.observe(box, { childList: true, subtree: true });
    document.addEventListener("pointerdown", end, true);
    // What is drawn first may ask for the keyboard itself.
    const frame = requestAnimationFrame(look);
    return () => {
      cancelAnimationFrame(frame);
      end();
    };
  }, [middle, shown]);
}

function firstStop(box: HTMLElement): HTMLElement | undefined {
  for (const selector of stops) {
    const found = [...box.querySelectorAll<HTMLElement>(selector)].find((stop) => stop.offsetParent !== null);
    if (found) return found;
  }
  return undefined;
}
