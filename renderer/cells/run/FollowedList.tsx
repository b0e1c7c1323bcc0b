// A list of which only the part in view is drawn, and which stays at its end until the reader goes up (useFollowing.ts says
// when that is). Rows that are put before the others move nothing: each has a key that it keeps.

import { elementScroll, useVirtualizer, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef } from "react";
import type { ScrollMeasure } from "../../conversation/list/follow";
import { JumpToLatest } from "../../conversation/list/JumpToLatest";
import { measureOf, useFollowing } from "../../conversation/list/useFollowing";

export interface FollowedListProps<Row extends { key: string }> {
  /** The accessible name. */
  label: string;
  rows: readonly Row[];
  /** How many rows there are in all, with those that cannot be drawn yet: what is new is counted by it. */
  total: number;
  /** How high a row is taken to be until it has been drawn. */
  guessPx(row: Row | undefined, widthPx: number): number;
  draw(row: Row): ReactNode;
  /** Above the first row. */
  head: ReactNode;
  headPx: number;
  running: boolean;
}

const overscanRows = 8;
const usualWidthPx = 700;

type List = Virtualizer<HTMLDivElement, HTMLDivElement>;

export function FollowedList<Row extends { key: string }>({
  label,
  rows,
  total,
  guessPx,
  draw,
  head,
  headPx,
  running,
}: FollowedListProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const measured = useRef<ScrollMeasure | null>(null);
  const seen = useRef(total);
  const list = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => guessPx(rows[index], scroller.current?.clientWidth ?? usualWidthPx),
    scrollToFn: useCallback<typeof elementScroll>((offset, options, instance) => {
      elementScroll(offset, options, instance);
      if (scroller.current) measured.current = measureOf(scroller.current);
    }, []),
    overscan: overscanRows,
    paddingStart: headPx,
    paddingEnd: 8,
    anchorTo: "end",
    followOnAppend: true,
  });
  const listRef = useRef(list);
  listRef.current = list;
  const keepAtEnd = useCallback(() => listRef.current.scrollToEnd(), []);
  // Following is a wish, not a distance. The list is told at once, not with the next drawing: more may come before it.
  const tellList = useCallback((following: boolean) => {
    listRef.current.options.scrollEndThreshold = following ? Number.POSITIVE_INFINITY : -1;
  }, []);
  const follow = useFollowing(scroller, measured, true, {
    keepAtEnd,
    onScroll: nothing,
    isHeld: never,
    changed: tellList,
  });
  tellList(follow.ref.current);
  // A row above the view that changes its size moves nothing in view, whichever way one is scrolling.
  list.shouldAdjustScrollPositionOnItemSizeChange = useCallback(
    (item: VirtualItem, _delta: number, instance: List) => {
      const top = instance.scrollOffset ?? 0;
      return instance.itemSizeCache.has(item.key) ? item.end <= top : item.start < top + headPx;
    },
    [headPx],
  );
  useLayoutEffect(() => listRef.current.scrollToEnd(), []);
  const jump = useCallback(() => {
    follow.decide({ type: "jumped" });
    listRef.current.scrollToEnd();
  }, [follow]);
  if (follow.following) seen.current = total;
  const measure = useMeasure(listRef);
  const drawn = list.getVirtualItems();
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-label={label}
        // What is written is no announcement; the window says in short what has changed.
        aria-live="off"
        data-keyboard-stop
        data-pane-stop
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
        tabIndex={0}
        className="ring-inset h-full overflow-x-hidden overflow-y-auto [overflow-anchor:none] [scrollbar-gutter:stable]"
      >
        <div className="relative" style={{ height: list.getTotalSize() }}>
          <div className="absolute inset-x-0 top-0 flex items-center" style={{ height: headPx }}>
            {head}
          </div>
          <div className="absolute inset-x-0" style={{ top: drawn[0]?.start ?? 0 }}>
            {drawn.map((item) => {
              const row = rows[item.index];
              return (
                row && (
                  <div key={item.key} ref={measure} data-index={item.index}>
                    {draw(row)}
                  </div>
                )
              );
            })}
          </div>
        </div>
      </div>
      {!follow.following && <JumpToLatest newCount={total - seen.current} running={running} onJump={jump} />}
    </div>
  );
}

function nothing(): void {
  // Earlier rows come when they are asked for, not because one comes near them.
}

function never(): boolean {
  return false;
}

/** Each row is measured as it is drawn, also while the view scrolls, when the list would leave that to the next frame. */
function useMeasure(list: RefObject<List>): (row: HTMLDivElement | null) => void {
  return useCallback(
    (row) => {
      const shown = list.current;
      const { isScrolling } = shown;
      shown.isScrolling = false;
      shown.measureElement(row);
      shown.isScrolling = isScrolling;
    },
    [list],
  );
}
