// The conversation as a list of which only the part in view is drawn. The rows in view stand in normal flow inside one
// block at the height of the first of them, so a row that grows pushes the next one down in the same frame; the list then
// measures it and corrects what is not drawn. See useFollowing.ts for how the end is followed.

import { elementScroll, useVirtualizer, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { type FoundHost, useFound } from "../../find/useFound";
import { onSignal } from "../../state/signals";
import { shownCopy, useHead, useThread, useThreadKey } from "../../state/threadStore";
import { type ScrollMeasure, wantsOlder } from "./follow";
import { JumpToLatest } from "./JumpToLatest";
import { OlderTurns } from "./OlderTurns";
import { loadOlder } from "./older";
import { type Anchor, anchorAt, anchorOf, type DrawnRow, type Place, places, sizesAround } from "./place";
import { RowView } from "./RowView";
import { countAfter, lastSettledKey, type Row, rowKeeper } from "./rows";
import { type Following, measureOf, useFollowing } from "./useFollowing";
import { type HeldHost, type HeldPlace, offsetIn, useHeldPlace } from "./useHeldPlace";
import { useWayBack } from "./useWayBack";
import { WayBackNote } from "./WayBackNote";

const overscanRows = 6;
/** Above the first row, whether there are older turns or not: that the last of them have come moves nothing. */
const headPx = 44;
/** What a row is taken to be until it has been drawn. */
const guesses: Record<Row["kind"], number> = { item: 90, turnEnd: 44, submission: 90, run: 38 };

/** Mounted anew for each thread (give it a key): its list starts with the place that was kept for the thread. */
export function ConversationLog() {
  const threadKey = useThreadKey();
  const rowsOf = useMemo(rowKeeper, []);
  const rows = useThread(rowsOf);
  const scroller = useRef<HTMLDivElement>(null);
  const drawnRows = useRef<HTMLDivElement>(null);
  const kept = useMemo(() => places.get(threadKey), [threadKey]);
  const measured = useRef<ScrollMeasure | null>(null);
  const lastSeen = useRef<string | null>(null);

  const sizes = useMemo(() => new Map(kept?.sizes ?? []), [kept]);
  const anchor = useMemo(() => anchorOf(kept), [kept]);
  const startsFollowing = kept?.following ?? true;
  const list = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => {
      const row = rows[index];
      return row === undefined ? 0 : (sizes.get(row.key) ?? guesses[row.kind]);
    },
    scrollToFn: useCallback<typeof elementScroll>((offset, options, instance) => {
      elementScroll(offset, options, instance);
      if (scroller.current) measured.current = measureOf(scroller.current);
    }, []),
    overscan: overscanRows,
    paddingStart: headPx,
    paddingEnd: 6,
    anchorTo: "end",
    followOnAppend: true,
  });
  const listRef = useRef(list);
  listRef.current = list;

  const keepAtEnd = useCallback(() => listRef.current.scrollToEnd(), []);
  // Following is a wish, not a distance. The list is told at once, not with the next drawing: text may come before it.
  const tellList = useCallback((following: boolean) => {
    listRef.current.options.scrollEndThreshold = following ? Number.POSITIVE_INFINITY : -1;
  }, []);
  const wantOlder = useCallback(() => {
    const copy = shownCopy();
    if (!scroller.current || !copy || !wantsOlder(measureOf(scroller.current), copy.head)) return;
    loadOlder(threadKey).then((outcome) => {
      // Few may have come, and the view is near the top still; that makes no scroll.
      if (outcome === "came") requestAnimationFrame(wantOlder);
    });
  }, [threadKey]);
  // What is not there yet is looked for first: see useWayBack.ts.
  const startsHeld = useRef(anchor !== null && rows.some(({ key }) => key === anchor.key));
  const held = useHeldPlace(scroller, drawnRows, startsHeld.current ? anchor : null, useHeldHost(listRef));
  const isHeld = useCallback(() => held.ref.current !== null, [held]);
  const follow = useFollowing(scroller, measured, startsFollowing, {
    keepAtEnd,
    onScroll: wantOlder,
    isHeld,
    changed: tellList,
  });
  tellList(follow.ref.current);

  // A row above the view that changes its size moves nothing in view, whichever way one is scrolling.
  list.shouldAdjustScrollPositionOnItemSizeChange = useCallback(
    (item: VirtualItem, _delta: number, instance: List) => {
      // What is held is put where it has to be by itself; the list's own moves would come on top of it.
      if (isHeld()) return false;
      const top = instance.scrollOffset ?? 0;
      // At the very top the first row begins below the head: what is put above it ends, not begins, above the view.
      return instance.itemSizeCache.has(item.key) ? item.end <= top : item.start < top + headPx;
    },
    [isHeld],
  );

  // Each row is measured as it is drawn. While the view scrolls the list would leave that to the next frame, and what has come
  // above the view would move it until then.
  const measure = useCallback((row: HTMLDivElement | null) => {
    const shown = listRef.current;
    const { isScrolling } = shown;
    shown.isScrolling = false;
    shown.measureElement(row);
    shown.isScrolling = isScrolling;
  }, []);

  if (follow.following) lastSeen.current = lastSettledKey(rows);
  const newCount = follow.following ? 0 : countAfter(rows, lastSeen.current);

  // The place to start at, unless it is held from the beginning, and the place to come back to.
  useLayoutEffect(() => {
    if (!startsHeld.current) listRef.current.scrollToEnd();
  }, []);
  const arrive = useCallback(() => {
    if (anchor === null) return;
    follow.decide({ type: "returned" });
    held.hold(anchor);
  }, [anchor, follow, held]);
  const found = useFoundHost(listRef, scroller, held, follow);
  useFound(threadKey, scroller, drawnRows, found);
  const { wayBack, ref: lookedFor, lookFurther, stay } = useWayBack(threadKey, kept, rows, scroller, arrive);
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => {
      if (!element) return;
      const isOnTheWay = kept !== undefined && lookedFor.current !== "none";
      const now = held.ref.current ?? anchorAt(drawnIn(listRef.current, element), anchor);
      places.put(threadKey, isOnTheWay ? kept : placeIn(listRef.current, follow.ref.current, now));
    };
  }, [threadKey, kept, anchor, held, follow.ref, lookedFor]);

  // What the thread was opened with may not fill the view. And after a flood main's answer is here before what came with it:
  // that older turns are no longer being loaded is told with them.
  const mayHaveOlder = useHead((head) => head.residency === "loaded" && head.hasOlder && !head.loadingOlder);
  useEffect(() => {
    if (mayHaveOlder) wantOlder();
  }, [mayHaveOlder, wantOlder]);

  const running = useHead((head) => head.run !== null);
  useEffect(() => onSignal("focus-conversation", () => scroller.current?.focus()), []);

  const jump = useCallback(() => {
    stay();
    held.letGo();
    follow.decide({ type: "jumped" });
    listRef.current.scrollToEnd();
  }, [follow, held, stay]);
  useEffect(() => onSignal("show-latest", jump), [jump]);

  // At once, not with the browser's own glide: rows that are measured on the way move the view, and it would stop short.
  const press = (event: KeyboardEvent) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (event.target !== event.currentTarget || modified) return;
    if (event.key === "Home") listRef.current.scrollToOffset(0);
    else if (event.key === "End") jump();
    else return;
    event.preventDefault();
  };

  const drawn = list.getVirtualItems();
  return (
    <div className="relative min-h-0 flex-1">
      <h2 className="sr-only">Conversation</h2>
      <div
        ref={scroller}
        role="log"
        aria-label="Conversation"
        // What is new is announced in short by the window; text that streams is not read out piece by piece.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
        tabIndex={0}
        data-pane-stop
        onKeyDown={press}
        className="ring-inset h-full overflow-x-hidden overflow-y-auto [overflow-anchor:none] [scrollbar-gutter:stable_both-edges]"
      >
        <div className="relative" style={{ height: list.getTotalSize() }}>
          <div
            className="absolute inset-x-0 top-0 flex items-center justify-center"
            style={{ height: headPx }}
          >
            <OlderTurns />
          </div>
          <div ref={drawnRows} className="absolute inset-x-0" style={{ top: drawn[0]?.start ?? 0 }}>
            {drawn.map((item) => {
              const row = rows[item.index];
              return (
                row && (
                  <div
                    key={item.key}
                    ref={measure}
                    data-index={item.index}
                    data-row-key={row.key}
                    className="px-6"
                  >
                    <div className="mx-auto max-w-190 pb-3.5">
                      <RowView row={row} />
                    </div>
                  </div>
                )
              );
            })}
          </div>
        </div>
      </div>
      <WayBackNote wayBack={wayBack} onLookFurther={lookFurther} onStay={stay} />
      {!follow.following && <JumpToLatest newCount={newCount} running={running} onJump={jump} />}
    </div>
  );
}

type List = Virtualizer<HTMLDivElement, HTMLDivElement>;

function useFoundHost(
  list: RefObject<List>,
  scroller: RefObject<HTMLDivElement | null>,
  held: HeldPlace,
  { decide }: Following,
): FoundHost {
  return useMemo(
    () => ({
      elementOf: (key) => elementIn(list.current, key),
      hold(key, offsetPx) {
        decide({ type: "returned" });
        held.hold({ key, offsetPx });
      },
      settled() {
        // What is being written would take the place away from the view.
        if (scroller.current && shownCopy()?.head.run === null)
          decide({ type: "settled", now: measureOf(scroller.current) });
      },
      topRowKey: () =>
        scroller.current ? (anchorAt(drawnIn(list.current, scroller.current), null)?.key ?? null) : null,
    }),
    [list, scroller, held, decide],
  );
}

function useHeldHost(list: RefObject<List>): HeldHost {
  return useMemo(
    () => ({
      elementOf: (key) => elementIn(list.current, key),
      startOf: (key) => startOf(list.current, key),
      scrollTo: (top) => list.current.scrollToOffset(top),
    }),
    [list],
  );
}

function elementIn(list: List, key: string): HTMLElement | null {
  const element = list.elementsCache.get(key);
  return element?.isConnected ? element : null;
}

function placeIn(list: List, following: boolean, anchor: Anchor | null): Place {
  const keys = list.measurementsCache.map(({ key }) => String(key));
  const at = Math.max(0, keys.indexOf(anchor?.key ?? ""));
  return {
    following,
    anchorKey: anchor?.key ?? null,
    anchorOffsetPx: anchor?.offsetPx ?? 0,
    sizes: sizesAround(keys, at, (key) => list.itemSizeCache.get(key)),
  };
}

/** The rows as they stand in the page, which the list only knows in whole pixels. */
function drawnIn(list: List, scroller: HTMLElement): DrawnRow[] {
  return list.measurementsCache.flatMap(({ key }) => {
    const row = elementIn(list, String(key));
    if (row === null) return [];
    const topPx = -offsetIn(scroller, row);
    return [{ key: String(key), topPx, bottomPx: topPx + row.getBoundingClientRect().height }];
  });
}

function startOf(list: List, key: string): number | null {
  // Rows that have just been drawn were measured after the list was laid out: asking for its height lays it out again.
  list.getTotalSize();
  return list.measurementsCache.find((each) => each.key === key)?.start ?? null;
}
