// Shows what was found in the conversation: marks it in the rows that are drawn, and brings the view to the place that one is
// at, with everything unfolded that hides it.
//
// Races, and what settles each:
// - The row is not drawn yet, or draws itself in pieces (code gets its colours, a fold opens, a long message comes bit by
//   bit): the place is looked for again in each frame, until it has been found and stood still, or for a second at most.
// - Rows are drawn anew while one scrolls, which takes the marked text away: what is marked is collected again after each
//   change of the page, once a frame.
// - One goes on to the next match meanwhile: the way to the one before ends.

import { type RefObject, useEffect } from "react";
import { folds } from "../conversation/list/place";
import { rangesIn } from "./domMatches";
import { currentMatch, findStore, knowTopRow } from "./findStore";

export interface FoundHost {
  /** The row as it is drawn; null while it is not. */
  elementOf(key: string): HTMLElement | null;
  /** Goes to a row and holds it there: `belowPx` of its part that starts there from the top of the view. */
  hold(key: string, offsetPx: number): void;
  topRowKey(): string | null;
  /** It stands: whether the end is followed again goes by where that is. */
  settled(): void;
}

const marks = { all: "find", current: "find-current" } as const;
const mostFrames = 60;
const stillFrames = 6;

export function useFound(
  threadKey: string,
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  host: FoundHost,
): void {
  useEffect(() => knowTopRow(host.topRowKey), [host]);
  useEffect(() => {
    const { open, goes } = findStore.getState();
    let seen = open && goes > 0 ? goes - 1 : goes;
    let frame: number | null = null;
    const stop = () => {
      if (frame !== null) cancelAnimationFrame(frame);
      frame = null;
    };
    const start = () => {
      stop();
      const match = currentMatch();
      if (!match || !scroller.current) return;
      folds.reveal(`${threadKey}/${match.itemId}`);
      if (host.elementOf(match.rowKey) === null) host.hold(match.rowKey, -80);
      let frames = 0;
      let still = 0;
      let stood = Number.NaN;
      const look = () => {
        frames += 1;
        const row = host.elementOf(match.rowKey);
        const range = row && rangeOf(row, match.nth);
        if (row && range && scroller.current) {
          showInside(range, scroller.current);
          const top = range.getBoundingClientRect().top - row.getBoundingClientRect().top;
          still = Math.abs(top - stood) < 1 ? still + 1 : 0;
          stood = top;
          if (still === 0) host.hold(match.rowKey, offsetFor(range, top, row, scroller.current));
        }
        if (still < stillFrames && frames < mostFrames) frame = requestAnimationFrame(look);
        else {
          frame = null;
          // What the words are in is shown differently from how it is written: the row then says enough.
          if (!range) host.hold(match.rowKey, -80);
          host.settled();
        }
      };
      frame = requestAnimationFrame(look);
    };
    const goOn = () => {
      const { goes: now } = findStore.getState();
      if (now === seen) return;
      seen = now;
      start();
    };
    goOn();
    const unsubscribe = findStore.subscribe(goOn);
    return () => {
      unsubscribe();
      stop();
    };
  }, [threadKey, scroller, host]);
  useMarks(content);
}

/** What is marked in the rows that are drawn. */
function useMarks(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = content.current;
    if (!element) return;
    let frame: number | null = null;
    const mark = () => {
      frame = null;
      const { open, query } = findStore.getState();
      CSS.highlights.delete(marks.all);
      CSS.highlights.delete(marks.current);
      if (!open) return;
      const match = currentMatch();
      const all: Range[] = [];
      for (const row of element.querySelectorAll("[data-row-key]")) {
        const ranges = rangesIn(row, query);
        all.push(...ranges);
        const current =
          match && row.getAttribute("data-row-key") === match.rowKey ? nthOf(ranges, match.nth) : undefined;
        if (!current) continue;
        const here = new Highlight(current);
        // It is among all of them too.
        here.priority = 1;
        CSS.highlights.set(marks.current, here);
      }
      if (all.length > 0) CSS.highlights.set(marks.all, new Highlight(...all));
    };
    const soon = () => {
      frame ??= requestAnimationFrame(mark);
    };
    const changed = new MutationObserver(() => {
      if (findStore.getState().open) soon();
    });
    changed.observe(element, { childList: true, characterData: true, subtree: true });
    const unsubscribe = findStore.subscribe(soon);
    soon();
    return () => {
      changed.disconnect();
      unsubscribe();
      if (frame !== null) cancelAnimationFrame(frame);
      CSS.highlights.delete(marks.all);
      CSS.highlights.delete(marks.current);
    };
  }, [content]);
}

function rangeOf(row: HTMLElement, nth: number): Range | undefined {
  return nthOf(rangesIn(row, findStore.getState().query), nth);
}

/** What is drawn may have fewer: the last one then is the nearest. */
function nthOf(ranges: readonly Range[], nth: number): Range | undefined {
  return ranges[Math.min(nth, ranges.length - 1)];
}

/** Outputs, code and diffs have a view of their own. */
function showInside(range: Range, list: HTMLElement): void {
  for (let at = range.startContainer.parentElement; at && at !== list; at = at.parentElement) {
    if (at.scrollHeight <= at.clientHeight && at.scrollWidth <= at.clientWidth) continue;
    const { overflowX, overflowY } = getComputedStyle(at);
    const box = at.getBoundingClientRect();
    const place = range.getBoundingClientRect();
    if (/auto|scroll/.test(overflowY) && (place.top < box.top || place.bottom > box.bottom))
      at.scrollTop += place.top - box.top - box.height / 3;
    if (/auto|scroll/.test(overflowX) && (place.left < box.left || place.right > box.right))
      at.scrollLeft += place.left - box.left - box.width / 3;
  }
}

/** A place in view stays where it is; another one comes to the upper third. */
function offsetFor(range: Range, top: number, row: HTMLElement, list: HTMLElement): number {
  const view = list.getBoundingClientRect();
  const place = range.getBoundingClientRect();
  const marginPx = 64;
  if (place.top >= view.top + marginPx && place.bottom <= view.bottom - marginPx)
    return view.top - row.getBoundingClientRect().top;
  return top - view.height / 3;
}
