// The changed files in groups. Only those near the view are in the page, so the keyboard stays on the list itself, and the
// row that it is on is named by `aria-activedescendant`. The file that it is on is shown once it has been still for a moment.

import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight, Minus, Plus, Undo2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { LineCounts } from "../../inspector/Section";
import { cx } from "../../ui/cx";
import { Drawn } from "../../ui/Drawn";
import { discardFiles, openEntry, stageFiles, toggleStaged, unstageFiles } from "../actions";
import { changesStore } from "../state/changesStore";
import { fileListKey } from "./fileKeys";
import { entriesUnder, entryWords, type FileEntry, type FileGroup, isGone, type ListRow } from "./files";
import { stateLook } from "./stateLook";

const rowPx = 26;
const stillMs = 90;

export interface FileListProps {
  workspaceId: string;
  rows: readonly ListRow[];
  groups: readonly FileGroup[];
  /** The key of the file that is shown. */
  shown: string | null;
  onShow: (entry: FileEntry) => void;
  /** The keyboard goes to the difference. */
  onEnter: () => void;
  onFile: (by: 1 | -1) => void;
}

export function FileList({ workspaceId, rows, groups, shown, onShow, onEnter, onFile }: FileListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const found = rows.findIndex((row) => row.key === activeKey);
  const active =
    found >= 0
      ? found
      : Math.max(
          0,
          rows.findIndex((row) => row.key === shown),
        );
  const showSoon = useStill();
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    paddingStart: 2,
    paddingEnd: 8,
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset);
      if (active < from) indexes.unshift(active);
      if (active > to && active < count) indexes.push(active);
      return indexes;
    },
  });
  // Another file is shown, from wherever: the keyboard goes on from it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another file scrolls, not a list that changed
  useEffect(() => {
    if (shown === null) return;
    setActiveKey(shown);
    const index = rows.findIndex((row) => row.key === shown);
    if (index >= 0) list.scrollToIndex(index, { align: "auto" });
  }, [shown]);

  const moveTo = (index: number) => {
    const row = rows[index];
    if (!row) return;
    setActiveKey(row.key);
    list.scrollToIndex(index, { align: "auto" });
    if (row.kind === "file") showSoon(() => onShow(row.entry));
  };
  const setOpen = (row: ListRow, open: boolean) => {
    const closed = new Set(changesStore.getState().closed);
    if (open) closed.delete(row.key);
    else closed.add(row.key);
    changesStore.setState({ closed });
  };
  const click = (row: ListRow) => {
    setActiveKey(row.key);
    if (row.kind === "file") onShow(row.entry);
    else setOpen(row, !row.open);
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const action = fileListKey(rows, active, event);
    const row = rows[active];
    if (!action || !row) return;
    event.preventDefault();
    const entries = entriesUnder(row, groups);
    switch (action.do) {
      case "move":
        moveTo(action.to);
        return;
      case "open":
      case "close":
        setOpen(row, action.do === "open");
        return;
      case "enter":
        if (row.kind === "file") onShow(row.entry);
        onEnter();
        return;
      case "editor":
        if (row.kind === "file") openEntry(workspaceId, row.entry, null);
        return;
      case "file":
        onFile(action.by);
        return;
      case "toggle":
        if (!event.repeat) toggleStaged(workspaceId, entries);
        return;
      case "stage":
        if (!event.repeat) void stageFiles(workspaceId, entries);
        return;
      case "unstage":
        if (!event.repeat) void unstageFiles(workspaceId, entries);
        return;
      case "discard":
        if (!event.repeat) void discardFiles(workspaceId, entries);
        return;
      default:
        return action satisfies never;
    }
  };
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Changed files"
      tabIndex={0}
      data-pane-stop
      data-keyboard-stop
      aria-activedescendant={rows[active] ? `${id}-${rows[active].key}` : undefined}
      onKeyDown={press}
      className="group/list min-h-0 flex-1 scroll-slim overflow-y-auto px-1.5 outline-none focus-visible:outline-none"
    >
      <div role="presentation" className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it has the keyboard
            // biome-ignore lint/a11y/useFocusableInteractive: the list names the active row instead of focusing it
            <div
              key={item.key}
              id={`${id}-${row.key}`}
              role="treeitem"
              aria-level={row.kind === "group" ? 1 : row.depth + 2}
              aria-expanded={row.kind === "file" ? undefined : row.open}
              aria-selected={row.key === shown}
              aria-label={rowName(row)}
              aria-keyshortcuts="Enter Space X"
              title={row.kind === "file" ? entryWords(row.entry) : undefined}
              onClick={(event) => {
                if (!(event.target as Element).closest("button")) click(row);
              }}
              className={cx(
                "group/row absolute inset-x-0 top-0 flex items-center gap-1.5 rounded-s pr-1",
                row.key === shown ? "bg-sel" : "hover:bg-hover",
                item.index === active &&
                  "group-focus-visible/list:outline-2 group-focus-visible/list:-outline-offset-2 group-focus-visible/list:outline-focus",
              )}
              style={{
                height: rowPx,
                transform: `translateY(${item.start}px)`,
                paddingLeft: row.kind === "group" ? 4 : 8 + row.depth * 12,
              }}
            >
              <RowText row={row} />
              <RowButtons workspaceId={workspaceId} row={row} groups={groups} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function RowText({ row }: { row: ListRow }) {
  if (row.kind === "file") {
    const { entry, name, folder } = row;
    const { icon: Icon, className } = stateLook(entry.state);
    return (
      <>
        <Icon aria-hidden size={14} className={cx("shrink-0", className)} />
        <span className="flex min-w-0 flex-1 items-baseline gap-1.5">
          <span className={cx("min-w-10 truncate", isGone(entry) && "line-through decoration-ink-3")}>
            {name}
          </span>
          {folder !== "" && <Drawn className="min-w-0 truncate text-xs text-ink-3" text={folder} />}
        </span>
        {entry.state !== "modified" && (
          <Drawn className="shrink-0 text-xs text-ink-3 group-hover/row:hidden" text={entry.state} />
        )}
        {entry.added !== null && entry.removed !== null && (
          <span className="text-xs group-hover/row:hidden">
            <LineCounts added={entry.added} removed={entry.removed} />
          </span>
        )}
      </>
    );
  }
  return (
    <>
      <ChevronRight
        aria-hidden
        size={14}
        className={cx("shrink-0 text-ink-3 transition-transform", row.open && "rotate-90")}
      />
      {row.kind === "group" ? (
        <span className="flex min-w-0 flex-1 items-baseline gap-2 text-xs font-semibold tracking-[0.02em] text-ink-2">
          <span className="truncate">{row.label}</span>
          <Drawn className="font-normal text-ink-3 tabular" text={String(row.count)} />
        </span>
      ) : (
        <span className="min-w-0 flex-1 truncate text-ink-2">{row.name}</span>
      )}
    </>
  );
}

interface ButtonsProps {
  workspaceId: string;
  row: ListRow;
  groups: readonly FileGroup[];
}

/** For the pointer; the keyboard has Space and X. */
function RowButtons({ workspaceId, row, groups }: ButtonsProps) {
  const group = row.kind === "file" ? row.entry.group : row.group;
  if (group === "thread" || group === "base" || (row.kind === "file" && row.entry.inert)) return null;
  const what = row.kind === "file" ? row.name : row.kind === "group" ? `all: ${row.label}` : row.name;
  const entries = () => entriesUnder(row, groups);
  return (
    <span className="hidden shrink-0 items-center group-hover/row:flex">
      {group === "unstaged" && (
        <RowButton label={`Discard ${what}`} onPress={() => void discardFiles(workspaceId, entries())}>
          <Undo2 aria-hidden size={13} />
        </RowButton>
      )}
      {group === "staged" ? (
        <RowButton label={`Unstage ${what}`} onPress={() => void unstageFiles(workspaceId, entries())}>
          <Minus aria-hidden size={14} />
        </RowButton>
      ) : (
        <RowButton
          label={group === "conflicts" ? `Mark as solved: ${what}` : `Stage ${what}`}
          onPress={() => void stageFiles(workspaceId, entries())}
        >
          <Plus aria-hidden size={14} />
        </RowButton>
      )}
    </span>
  );
}

function RowButton({
  label,
  onPress,
  children,
}: {
  label: string;
  onPress: () => void;
  children: React.ReactNode;
}) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={onPress}
      className="grid size-5 place-items-center rounded-s text-ink-2 hover:bg-pressed hover:text-ink"
    >
      {children}
    </button>
  );
}

function rowName(row: ListRow): string {
  switch (row.kind) {
    case "group":
      return `${row.label}, ${row.count}`;
    case "folder":
      return row.name;
    case "file":
      return entryWords(row.entry);
    default:
      return row satisfies never;
  }
}

/** Does the newest of what it is given, once nothing new has come for a moment. */
function useStill(): (work: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return (work) => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = setTimeout(work, stillMs);
  };
}
