// Keeps the conversation at its end while that is wanted, and still while it is not. The wish itself is decided in
// follow.ts; here the events are gathered and the list is told.
//
// Races, and what settles each:
// - Text grows in the frame in which someone turns the wheel up: the wheel event comes first and ends the wish, so the
//   growth no longer moves the view.
// - The list corrects its position for a row that it measured: where that put the view is noted as it is written, so the
//   scroll event that follows finds nothing new.
// - Content shrinks and the browser pulls the view up: see follow.ts. The event brings the view back to the end.
// - The pane changes its height (an approval appears, the composer grows): the end stays at the bottom edge if it was
//   followed, the top edge stays otherwise.
// - A fold at the end is opened while following: following ends before the fold has grown, and goes on afterwards only
//   if the view still is at the end.

import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { decideFollow, distanceFromEnd, type FollowEvent, type ScrollMeasure } from "./follow";

/** So long after a turn of the wheel, a key or a finger a scroll may still come of it. */
const handMs = 700;
const releases = ["pointerup", "pointercancel", "pointermove"] as const;

export interface Following {
  following: boolean;
  /** The same, for code that runs between two drawings. */
  ref: RefObject<boolean>;
  decide(event: FollowEvent): void;
}

export function measureOf(element: HTMLElement): ScrollMeasure {
  return { top: element.scrollTop, viewport: element.clientHeight, content: element.scrollHeight };
}

/**
 * All of these must keep their identity. `measured` is the last place that is known; whoever scrolls puts it there.
 * `isHeld`: the view is on its way back to a place; what moves it then, and how near the end that brings it, is no wish.
 */
export interface FollowHost {
  keepAtEnd(): void;
  onScroll(now: ScrollMeasure): void;
  isHeld(): boolean;
  changed(following: boolean): void;
}

export function useFollowing(
  scroller: RefObject<HTMLElement | null>,
  measured: RefObject<ScrollMeasure | null>,
  initially: boolean,
  { keepAtEnd, onScroll, isHeld, changed }: FollowHost,
): Following {
  const ref = useRef(initially);
  const [following, setFollowing] = useState(initially);
  const decide = useCallback(
    (event: FollowEvent) => {
      const next = decideFollow(ref.current, event);
      if (next === ref.current) return;
      ref.current = next;
      changed(next);
      setFollowing(next);
    },
    [changed],
  );

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    measured.current = measureOf(element);
    // The scroll bar has no events of its own: it is held from a press on the scroller itself until no button is down.
    let barHeld = false;
    let movedAtMs = Number.NEGATIVE_INFINITY;
    const moved = () => {
      movedAtMs = performance.now();
    };
    const pressed = (event: PointerEvent) => {
      barHeld = event.target === element;
    };
    const released = (event: PointerEvent) => {
      if (!barHeld || (event.type === "pointermove" && event.buttons !== 0)) return;
      barHeld = false;
      moved();
    };
    const scrolled = () => {
      const now = measureOf(element);
      const before = measured.current ?? now;
      const byHand = barHeld || performance.now() - movedAtMs < handMs;
      if (byHand || !isHeld()) decide({ type: "scrolled", before, now, byHand });
      measured.current = now;
      // The browser or the list went up by itself: back to the end.
      if (ref.current && distanceFromEnd(now) > 1) keepAtEnd();
      onScroll(now);
    };
    const wheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && canScrollUpInside(event.target, element)) return;
      moved();
      decide({ type: "wheel", deltaY: event.deltaY, now: measureOf(element) });
    };
    const key = (event: KeyboardEvent) => {
      moved();
      if (event.target !== element) return;
      decide({ type: "key", key: event.key, shift: event.shiftKey, now: measureOf(element) });
    };
    const unfold = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || !event.target.closest("[aria-expanded]")) return;
      decide({ type: "unfolding" });
      // Two frames: the first draws the fold, in the second the list has measured it.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (element.isConnected) decide({ type: "settled", now: measureOf(element) });
        }),
      );
    };
    const resized = new ResizeObserver(() => {
      measured.current = measureOf(element);
      if (ref.current) keepAtEnd();
    });
    element.addEventListener("scroll", scrolled, { passive: true });
    element.addEventListener("wheel", wheel, { passive: true });
    element.addEventListener("touchmove", moved, { passive: true });
    element.addEventListener("pointerdown", pressed);
    for (const type of releases) window.addEventListener(type, released);
    element.addEventListener("keydown", key);
    element.addEventListener("click", unfold, { capture: true });
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", scrolled);
      element.removeEventListener("wheel", wheel);
      element.removeEventListener("touchmove", moved);
      element.removeEventListener("pointerdown", pressed);
      for (const type of releases) window.removeEventListener(type, released);
      element.removeEventListener("keydown", key);
      element.removeEventListener("click", unfold, { capture: true });
      resized.disconnect();
    };
  }, [scroller, measured, decide, keepAtEnd, onScroll, isHeld]);

  return useMemo(() => ({ following, ref, decide }), [following, decide]);
}

/** True when something between the target and the list (an output, a diff) takes the wheel first. */
function canScrollUpInside(target: EventTarget | null, list: HTMLElement): boolean {
  for (let at = target instanceof Element ? target : null; at && at !== list; at = at.parentElement) {
    if (at.scrollTop > 0 && at.scrollHeight > at.clientHeight) return true;
  }
  return false;
}
