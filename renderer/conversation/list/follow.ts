// Whether the conversation follows what is written at its end. Pure: a list of what happened gives the answer.
//
// It follows from the moment that someone is at the end until they go up, and stays where they went. A scroll of our own
// (following, correcting for a row that grew) never changes the wish; only the person's does. Wheel and keys count as soon
// as they are pressed, because the scroll they cause comes later than the next piece of text, which would undo it.

export interface ScrollMeasure {
  top: number;
  viewport: number;
  content: number;
}

export type FollowEvent =
  | { type: "scrolled"; before: ScrollMeasure; now: ScrollMeasure }
  | { type: "wheel"; deltaY: number; now: ScrollMeasure }
  | { type: "key"; key: string; shift: boolean; now: ScrollMeasure }
  /** Something was unfolded or folded by hand: what was clicked must stay under the pointer. */
  | { type: "unfolding" }
  /** What was unfolded has found its size. */
  | { type: "settled"; now: ScrollMeasure }
  | { type: "jumped" };

/** This near to the end is at the end. */
export const nearEndPx = 24;

export function distanceFromEnd({ top, viewport, content }: ScrollMeasure): number {
  return Math.max(0, content - viewport - top);
}

function canGoUp({ top, content, viewport }: ScrollMeasure): boolean {
  return top > 0 && content > viewport;
}

export function decideFollow(following: boolean, event: FollowEvent): boolean {
  switch (event.type) {
    case "scrolled": {
      const { before, now } = event;
      const fromEnd = distanceFromEnd(now);
      // A viewport that grew or content that shrank makes the browser move up by itself.
      const pushed = now.content < before.content || now.viewport > before.viewport;
      const wentUp = now.top < before.top - 1 && !pushed;
      if (wentUp) return fromEnd <= 1;
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
