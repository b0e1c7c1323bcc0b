import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import { useApp } from "../state/appStore";
import { send } from "../state/signals";
import { openFolderOf, openFound } from "./openFound";
import { ResultRowView } from "./ResultRowView";
import { nextStop, type ResultRow, resultRows } from "./resultRows";
import { moreOf, searchStore, toggleFolder } from "./searchStore";

export interface ResultListHandle {
  /** Gives the keyboard to the first row. */
  enter(): void;
}

const heights: Record<ResultRow["kind"], number> = {
  heading: 32,
  folder: 40,
  hit: 66,
  thread: 32,
  more: 40,
  fault: 64,
  nothing: 72,
};

export function ResultList({ ref, query }: { ref: Ref<ResultListHandle>; query: string }) {
  const active = searchStore((store) => store.active);
  const archived = searchStore((store) => store.archived);
  const folded = searchStore((store) => store.folded);
  const workspaces = useApp((app) => app.workspaces);
  const rows = useMemo(() => {
    const names = new Map(workspaces.map(({ id, name }) => [id, name]));
    return resultRows({ query, active, archived, folded, nameOf: (id) => names.get(id) ?? null });
  }, [query, active, archived, folded, workspaces]);
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<string | null>(null);
  // The keyboard goes to a row that may have to be drawn first.
  const wanted = useRef<string | null>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => heights[rows[index]?.kind ?? "thread"],
    overscan: 12,
    paddingEnd: 24,
  });
  const stop = rows.some(({ key }) => key === at) ? at : (rows[nextStop(rows, -1, 1)]?.key ?? null);

  const go = (index: number) => {
    const row = rows[index];
    if (!row) return;
    setAt(row.key);
    wanted.current = row.key;
    list.scrollToIndex(index, { align: "auto" });
  };
  useEffect(() => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted.current)}"]`);
    if (!row) return;
    wanted.current = null;
    row.focus();
  });
  useImperativeHandle(ref, () => ({ enter: () => go(nextStop(rows, -1, 1)) }));

  const activate = useCallback(
    (row: ResultRow) => {
      if (row.kind === "hit" || row.kind === "thread") void openFound(row.hit, query);
      else if (row.kind === "folder") toggleFolder(row.cwd);
      else if (row.kind === "more" || row.kind === "fault") moreOf(row.which);
    },
    [query],
  );
  const press = (event: KeyboardEvent) => {
    const index = rows.findIndex(({ key }) => key === stop);
    const row = rows[index];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / heights[row.kind]) - 1);
    const to = (target: number, by: 1 | -1) => {
      event.preventDefault();
      go(nextStop(rows, target - by, by));
    };
    switch (event.key) {
      case "ArrowDown":
        to(index + 1, 1);
        break;
      case "ArrowUp":
        event.preventDefault();
        if (nextStop(rows, index, -1) === index) send("focus-thread-search");
        else go(nextStop(rows, index, -1));
        break;
      case "PageDown":
        to(Math.min(rows.length - 1, index + pageRows), 1);
        break;
      case "PageUp":
        to(Math.max(0, index - pageRows), -1);
        break;
      case "Home":
        to(0, 1);
        break;
      case "End":
        to(rows.length - 1, -1);
        break;
      case "ArrowLeft":
      case "ArrowRight":
        if (row.kind !== "folder" || row.expanded === (event.key === "ArrowRight")) return;
        event.preventDefault();
        toggleFolder(row.cwd);
        break;
      case "Escape":
        event.preventDefault();
        send("focus-thread-search");
        break;
      default:
    }
  };
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-6 max-mid:px-3">
      {/* biome-ignore lint/a11y/useSemanticElements: only the rows in view are in the page */}
      <div
        role="list"
        aria-label={query === "" ? "All threads by folder" : "Threads that have these words"}
        onKeyDown={press}
        className="relative mx-auto max-w-190"
        style={{ height: list.getTotalSize() }}
      >
        {list.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            row && (
              // biome-ignore lint/a11y/useSemanticElements: as above
              <div
                key={item.key}
                role="listitem"
                aria-setsize={rows.length}
                aria-posinset={item.index + 1}
                data-index={item.index}
                // What codex says of a failure is as long as it is.
                ref={row.kind === "fault" ? list.measureElement : undefined}
                className="absolute inset-x-0 top-0"
                style={{
                  [row.kind === "fault" ? "minHeight" : "height"]: heights[row.kind],
                  transform: `translateY(${item.start}px)`,
                }}
              >
                <ResultRowView
                  row={row}
                  query={query}
                  isStop={row.key === stop}
                  onActivate={activate}
                  onOpenFolder={openFolderOf}
                />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
