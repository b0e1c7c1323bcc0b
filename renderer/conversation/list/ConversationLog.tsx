// The conversation as a list of which only the part in view is drawn. The rows in view stand in normal flow inside one
// block at the height of the first of them, so a row that grows pushes the next one down in the same frame; the list then
// measures it and corrects what is not drawn. See useFollowing.ts for how the end is followed.

import { elementScroll, useVirtualizer, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { onSignal } from "../../state/signals";
import { shownCopy, useThread, useThreadKey } from "../../state/threadStore";
import { type ScrollMeasure, wantsOlder } from "./follow";
import { JumpToLatest } from "./JumpToLatest";
import { anchorAt, places, topFor } from "./place";
import { RowView } from "./RowView";
import { countAfter, lastSettledKey, type Row, rowKeeper } from "./rows";
import { measureOf, useFollowing } from "./useFollowing";

const overscanRows = 6;
/** What a row is taken to be until it has been drawn. */
const guesses: Record<Row["kind"], number> = { older: 44, item: 90, turnEnd: 44, submission: 90, run: 38 };

/** Mounted anew for each thread (give it a key): its list starts with the place that was kept for the thread. */
export function ConversationLog() {
  const threadKey = useThreadKey();
  const rowsOf = useMemo(rowKeeper, []);
  const rows = useThread(rowsOf);
  const scroller = useRef<HTMLDivElement>(null);
  const kept = useMemo(() => places.get(threadKey), [threadKey]);
  const measured = useRef<ScrollMeasure | null>(null);
  const lastSeen = useRef<string | null>(null);

  const sizes = useMemo(() => new Map(kept?.sizes ?? []), [kept]);
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
    paddingStart: 18,
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
  const onScroll = useCallback(
    (now: ScrollMeasure) => {
      const copy = shownCopy();
      if (copy && wantsOlder(now, copy.head)) loadOlder(threadKey);
    },
    [threadKey],
  );
  const follow = useFollowing(scroller, measured, startsFollowing, {
    keepAtEnd,
    onScroll,
    changed: tellList,
  });
  tellList(follow.ref.current);

  // A row above the view that changes its size moves nothing in view, whichever way one is scrolling.
  list.shouldAdjustScrollPositionOnItemSizeChange = useCallback(
    (item: VirtualItem, _delta: number, instance: Virtualizer<HTMLDivElement, HTMLDivElement>) => {
      const top = instance.scrollOffset ?? 0;
      return instance.itemSizeCache.has(item.key) ? item.end <= top : item.start < top;
    },
    [],
  );

  if (follow.following) lastSeen.current = lastSettledKey(rows);
  const newCount = follow.following ? 0 : countAfter(rows, lastSeen.current);

  // The place to start at, and the place to come back to.
  useLayoutEffect(() => {
    const shown = listRef.current;
    const top = kept && !kept.following ? topFor(kept, (key) => startOf(shown, key)) : null;
    if (top === null) shown.scrollToEnd();
    else shown.scrollToOffset(top);
  }, [kept]);
  useLayoutEffect(() => {
    return () => {
      const shown = listRef.current;
      const top = shown.scrollOffset ?? 0;
      places.put(threadKey, {
        following: follow.ref.current,
        ...anchorAt(shown.getVirtualItems().map(laidOut), top),
        sizes: [...shown.itemSizeCache].map(([key, px]) => [String(key), px] as const),
      });
    };
  }, [threadKey, follow.ref]);

  useEffect(() => onSignal("focus-conversation", () => scroller.current?.focus()), []);

  const jump = useCallback(() => {
    follow.decide({ type: "jumped" });
    listRef.current.scrollToEnd();
  }, [follow]);

  const drawn = list.getVirtualItems();
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-label="Conversation"
        // What is new is announced in short by the window; text that streams is not read out piece by piece.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
        tabIndex={0}
        data-pane-stop
        className="ring-inset h-full overflow-x-hidden overflow-y-auto [overflow-anchor:none] [scrollbar-gutter:stable_both-edges]"
      >
        <div className="relative" style={{ height: list.getTotalSize() }}>
          <div className="absolute inset-x-0" style={{ top: drawn[0]?.start ?? 0 }}>
            {drawn.map((item) => {
              const row = rows[item.index];
              return (
                row && (
                  <div key={item.key} ref={list.measureElement} data-index={item.index} className="px-6">
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
      {!follow.following && <JumpToLatest newCount={newCount} onJump={jump} />}
    </div>
  );
}

function laidOut(item: VirtualItem) {
  return { key: String(item.key), start: item.start, end: item.end };
}

function startOf(list: { measurementsCache: VirtualItem[] }, key: string): number | null {
  return list.measurementsCache.find((each) => each.key === key)?.start ?? null;
}

const asked = new Set<string>();
const pauseAfterFailureMs = 15_000;

/** Once at a time for each thread; main says `loadingOlder` only after it has heard of it. */
function loadOlder(threadKey: string): void {
  if (asked.has(threadKey)) return;
  asked.add(threadKey);
  call("threads.loadOlder", { threadKey }).then(
    () => asked.delete(threadKey),
    (error: unknown) => {
      // Not with every further scroll. Nobody asked for it by hand; the button at the top does, and says what is wrong.
      setTimeout(() => asked.delete(threadKey), pauseAfterFailureMs);
      console.warn("Older turns could not be loaded", faultOf(error).message);
    },
  );
}
