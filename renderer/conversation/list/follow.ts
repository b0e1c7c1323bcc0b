// Whether the conversation follows what is written at its end. Pure: a list of what happened gives the answer.
//
// It follows from the moment that someone is at the end until they go up, and stays where they went. A scroll of our own
// (following, correcting for a row that grew) never changes the wish; only the person's does. Wheel and keys count as soon
// as they are pressed, because the scroll they cause comes later than the next piece of text, which would undo it.
//
// The browser scrolls too: content that shrinks (the indicator goes, an output folds) pulls the view up, and when more text
// has come before the scroll event does, the event shows longer content at a higher place, just as if someone had gone up.
// Such a scroll only counts as a wish when there is a hand to be seen in it, or when no fold could have caused it.

export interface ScrollMeasure {
  top: number;
  viewport: number;
  content: number;
}

export type FollowEvent =
  /** `byHand`: a scroll bar is held, or wheel, key or finger moved just before. */
  | { type: "scrolled"; before: ScrollMeasure; now: ScrollMeasure; byHand: boolean }
  | { type: "wheel"; deltaY: number; now: ScrollMeasure }
  | { type: "key"; key: string; shift: boolean; now: ScrollMeasure }
  /** Something was unfolded or folded by hand: what was clicked must stay under the pointer. */
  | { type: "unfolding" }
  /** What was unfolded has found its size. */
  | { type: "settled"; now: ScrollMeasure }
  | { type: "jumped" }
  /** The view was brought back to where someone read further up. */
  | { type: "returned" };

/** This near to the end is at the end. */
export const nearEndPx = 24;

/** The most that content shrinks by at once: an output that folds, with its lines above and below. */
const mostPulledPx = 400;

export function distanceFromEnd({ top, viewport, content }: ScrollMeasure): number {
  return Math.max(0, content - viewport - top);
}

function wentUp({ before, now, byHand }: Extract<FollowEvent, { type: "scrolled" }>): boolean {
  const upPx = before.top - now.top;
  if (upPx <= 1) return false;
  // A viewport that grew or content that shrank makes the browser move up by itself.
  if (now.content < before.content || now.viewport > before.viewport) return false;
  const same = now.content === before.content && now.viewport === before.viewport;
  return same || byHand || upPx > mostPulledPx;
}

function canGoUp({ top, content, viewport }: ScrollMeasure): boolean {
  return top > 0 && content > viewport;
}

export function decideFollow(following: boolean, event: FollowEvent): boolean {
  switch (event.type) {
    case "scrolled": {
      const fromEnd = distanceFromEnd(event.now);
      if (wentUp(event)) return fromEnd <= 1;
      return fromEnd <= nearEndPx ? true : following;
    }
    case "wheel":
      return event.deltaY < 0 && canGoUp(event.now) ? false : following;
    case "key": {
      const up =
        event.key === "ArrowUp" ||
        event.key === "PageUp" ||
        event.key === "Home" ||
        (event.key === " " && event.shift);
      return up && canGoUp(event.now) ? false : following;
    }
    case "unfolding":
    case "returned":
      return false;
    case "settled":
      return following || distanceFromEnd(event.now) <= nearEndPx;
    case "jumped":
      return true;
    default: {
      const unknown: never = event;
      return unknown;
    }
  }
}

/** Near enough to the top that older turns should come, but only once per list that is shown. */
export function wantsOlder(now: ScrollMeasure, state: { hasOlder: boolean; loadingOlder: boolean }): boolean {
  return state.hasOlder && !state.loadingOlder && now.top < Math.max(600, now.viewport);
}
