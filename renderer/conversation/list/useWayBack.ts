// The way back to where someone was in a thread, when that lies before what the thread was opened with: older turns are
// loaded until its row is among them. Meanwhile the thread stands at its end, and says so.
//
// Races, and what settles each:
// - Someone scrolls, clicks or types in the list meanwhile: they stay where they are, and nothing is looked for any more.
// - The thread is left before the row was found: the place that was looked for is the one that is kept.
// - The thread is still being loaded, and shows what was listed ahead: what it is opened with may have the row.
// - The row is nowhere (the thread was cut back meanwhile): with the first turn the search ends, and the end is shown.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useHead } from "../../state/threadStore";
import { loadOlder } from "./older";
import type { Place } from "./place";

/** "further": not among the turns that were looked through; it goes on when asked to. */
export type WayBack = "none" | "looking" | "further";

/** Some hundred turns, which takes a few seconds at most. */
const mostPages = 10;
const byHand = ["wheel", "pointerdown", "keydown", "touchmove"] as const;

export function useWayBack(
  threadKey: string,
  place: Place | undefined,
  rows: readonly { key: string }[],
  scroller: RefObject<HTMLElement | null>,
  /** Brings the view to the place, whose row is there now. */
  arrive: () => void,
): { wayBack: WayBack; ref: RefObject<WayBack>; lookFurther(): void; stay(): void } {
  const anchorKey = place && !place.following ? place.anchorKey : null;
  const isHere = rows.some(({ key }) => key === anchorKey);
  // What is there from the beginning is shown there from the beginning, by the list itself.
  const ref = useRef<WayBack>(anchorKey === null || isHere ? "none" : "looking");
  const [wayBack, setWayBack] = useState(ref.current);
  const pages = useRef(0);
  // Counts up when an answer has come: then one looks again.
  const [answers, setAnswers] = useState(0);
  const isLoaded = useHead((head) => head.residency === "loaded");
  const hasOlder = useHead((head) => head.hasOlder);
  const loadingOlder = useHead((head) => head.loadingOlder);

  const put = useCallback((next: WayBack) => {
    ref.current = next;
    setWayBack(next);
  }, []);
  const stay = useCallback(() => put("none"), [put]);
  const lookFurther = useCallback(() => {
    pages.current = 0;
    put("looking");
  }, [put]);

  const isThere = wayBack === "looking" && isHere;
  useLayoutEffect(() => {
    if (!isThere) return;
    put("none");
    arrive();
  }, [isThere, arrive, put]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is looked at
  useEffect(() => {
    if (wayBack !== "looking" || isThere || !isLoaded || loadingOlder) return;
    if (!hasOlder) {
      if (rows.length > 0) put("none");
    } else if (pages.current >= mostPages) put("further");
    else {
      loadOlder(threadKey).then((outcome) => {
        if (outcome === "came") pages.current += 1;
        if (outcome === "failed" && ref.current === "looking") put("further");
        setAnswers((count) => count + 1);
      });
    }
  }, [wayBack, isThere, isLoaded, hasOlder, loadingOlder, rows, answers, threadKey, put]);

  useEffect(() => {
    const element = scroller.current;
    if (wayBack === "none" || !element) return;
    for (const type of byHand) element.addEventListener(type, stay, { passive: true });
    return () => {
      for (const type of byHand) element.removeEventListener(type, stay);
    };
  }, [wayBack, scroller, stay]);

  return { wayBack, ref, lookFurther, stay };
}
