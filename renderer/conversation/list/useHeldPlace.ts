// Brings the conversation back to where someone was, and holds it there until it stands. What the list knows of a row's size
// is no help for that: a row is drawn lower at first than it was when the place was kept (code is not coloured yet, an
// image not loaded, the window has another width), and the list would move the view by the difference. So the row itself
// is looked at, as it stands in the page, and the view is moved until its top is where it was.
//
// Races, and what settles each:
// - Rows are measured after the view was brought there: it is looked at again after each drawing, after each change of the
//   rows' height, before the frame is painted, and in each frame until nothing has moved for a while.
// - The content is too short at first, so the browser stops before the place: the same, as it grows.
// - Its row is gone meanwhile (the thread was cut back): nothing moves any more, and it is let go.
// - Someone scrolls, clicks or types in the list meanwhile: it is let go at once.
// - The thread is left before it stands: the place that was held is the one that is kept.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { Anchor } from "./place";

/** For so many frames in a row it has to stand: code is coloured, and images come, some frames after they are drawn. */
const stillFrames = 30;
const byHand = ["wheel", "pointerdown", "keydown", "touchmove"] as const;

/** All of these must keep their identity. */
export interface HeldHost {
  /** The row as it is drawn; null while it is not. */
  elementOf(key: string): HTMLElement | null;
  /** Where the list takes it to be, for as long as it is not drawn. Null when it is not there. */
  startOf(key: string): number | null;
  scrollTo(top: number): void;
}

export interface HeldPlace {
  /** What is held now. */
  ref: RefObject<Anchor | null>;
  hold(anchor: Anchor): void;
  letGo(): void;
}

export function useHeldPlace(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  initially: Anchor | null,
  { elementOf, startOf, scrollTo }: HeldHost,
): HeldPlace {
  const ref = useRef(initially);
  const still = useRef(0);
  const frame = useRef<number | null>(null);

  const settle = useCallback(() => {
    const element = scroller.current;
    const held = ref.current;
    if (!element || !held) return;
    const row = elementOf(held.key);
    const start = row ? null : startOf(held.key);
    const awayPx = row
      ? offsetIn(element, row) - held.offsetPx
      : start === null
        ? 0
        : element.scrollTop - start - held.offsetPx;
    const before = element.scrollTop;
    // Less than half a pixel cannot be scrolled.
    if (Math.abs(awayPx) > 0.5) scrollTo(Math.max(0, before - awayPx));
    if (element.scrollTop !== before) still.current = 0;
  }, [scroller, elementOf, startOf, scrollTo]);

  const letGo = useCallback(() => {
    ref.current = null;
    if (frame.current !== null) cancelAnimationFrame(frame.current);
    frame.current = null;
  }, []);

  const watch = useCallback(() => {
    const next = () => {
      still.current += 1;
      settle();
      if (still.current < stillFrames) frame.current = requestAnimationFrame(next);
      else letGo();
    };
    still.current = 0;
    if (frame.current !== null) cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(next);
  }, [settle, letGo]);

  const hold = useCallback(
    (anchor: Anchor) => {
      ref.current = anchor;
      settle();
      watch();
    },
    [settle, watch],
  );

  // After each drawing, which may have been one in which the list has moved its rows.
  useLayoutEffect(settle);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return;
    if (ref.current) watch();
    const grown = new ResizeObserver(settle);
    grown.observe(content.current);
    for (const type of byHand) element.addEventListener(type, letGo, { passive: true });
    return () => {
      grown.disconnect();
      if (frame.current !== null) cancelAnimationFrame(frame.current);
      for (const type of byHand) element.removeEventListener(type, letGo);
    };
  }, [scroller, content, settle, watch, letGo]);

  return useMemo(() => ({ ref, hold, letGo }), [hold, letGo]);
}

/** How far the top edge of the view is below the start of the row. */
export function offsetIn(scroller: HTMLElement, row: HTMLElement): number {
  return scroller.getBoundingClientRect().top - row.getBoundingClientRect().top;
}
