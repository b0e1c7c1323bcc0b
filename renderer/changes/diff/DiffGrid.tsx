// The rows of one difference. Only those near the view are in the page, so the keyboard stays on the grid itself, and the row
// that it is on is named by `aria-activedescendant`.

import "../../conversation/highlight/tokens.css";
import "./changes.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { languageOfPath } from "../../conversation/highlight/languageNames";
import { useHighlight } from "../../conversation/highlight/useHighlight";
import { cx } from "../../ui/cx";
import { GapRow } from "./GapRow";
import { GridCell } from "./GridCell";
import { type Direction, hiddenWords } from "./gaps";
import { focusNextGrid, takeGridFocus } from "./gridFocus";
import { chosenRange, commentedRow, gridKey, hunkAt } from "./gridKeys";
import { HunkRow } from "./HunkRow";
import { Half, UnifiedLine } from "./LineRow";
import type { PartAction } from "./partAction";
import {
  changeStarts,
  type DiffRow,
  diffRows,
  type Grid,
  type GridHunk,
  type GridLine,
  linesOf,
  lineWords,
} from "./rows";
import type { ContextState } from "./useContext";

const linePx = 20;
const headPx = 28;
const gapPx = 24;
const rowPx = { hunk: headPx, gap: gapPx, section: headPx, line: linePx, pair: linePx, comment: linePx };

export interface DiffGridProps {
  path: string;
  grid: Grid;
  split: boolean;
  /** By the key of the line that they stand below. */
  commentsAt: ReadonlyMap<string, readonly string[]>;
  drawComment: (commentId: string) => ReactNode;
  actions: readonly PartAction[];
  /** Why parts cannot be staged and the like, if anything; null: they can. */
  wholeOnly: string | null;
  /** How to see more of what is around the hunks; null: it is not known. */
  context: ContextState | null;
  onComment: (lines: readonly GridLine[]) => void;
  /** The line in the version that is there; null: it is not known. */
  onEditor: (line: number | null) => void;
  onFile: (by: 1 | -1) => void;
  /** Below the last row. */
  end?: ReactNode;
}

export function DiffGrid(props: DiffGridProps) {
  const { path, grid, split, commentsAt, actions, onComment, onEditor, onFile } = props;
  const rows = useMemo(() => diffRows(grid, { split, commentsAt }), [grid, split, commentsAt]);
  const scroller = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [at, setAt] = useState<{ key: string; anchor: string } | null>(null);
  const active = Math.max(0, indexOf(rows, at?.key));
  const anchor = indexOf(rows, at?.anchor);
  const chosen = at === null || anchor < 0 || at.anchor === at.key ? null : chosenRange(rows, anchor, active);
  const language = languageOfPath(path);
  const oldSide = useHighlight(grid.oldText, language, false);
  const newSide = useHighlight(grid.newText, language, false);
  const tokens = (line: GridLine | null) =>
    line === null ? undefined : (line.side === "old" ? oldSide : newSide)?.lines?.[line.index];

  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowPx[rows[index]?.kind ?? "line"],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 20,
    paddingEnd: 24,
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset);
      if (active < from) indexes.unshift(active);
      if (active > to && active < count) indexes.push(active);
      return indexes;
    },
  });

  const go = (to: number, extend: boolean) => {
    const row = rows[to];
    if (!row) return;
    setAt((before) => ({
      key: row.key,
      anchor: extend ? (before?.anchor ?? rows[active]?.key ?? row.key) : row.key,
    }));
    list.scrollToIndex(to, { align: "auto" });
  };
  const chosenLines = (): GridLine[] => {
    if (chosen === null) return linesOf(rows[active]);
    return rows.slice(chosen.from, chosen.to + 1).flatMap(linesOf);
  };
  const act = (actionId: PartAction["id"]) => {
    const action = actions.find((each) => each.id === actionId);
    const hunk = grid.hunks[hunkAt(rows, active) ?? -1];
    if (action && hunk && props.wholeOnly === null) action.run(hunk, chosen === null ? null : chosenLines());
  };
  const showMore = async (gap: number, direction: Direction) => {
    const first = await props.context?.more(gap, direction);
    if (typeof first !== "number" || !box.current?.contains(document.activeElement)) return;
    // The button that was pressed may be gone with its row: the keyboard goes on with what has come.
    box.current.focus({ preventScroll: true });
    const key = `${split ? "p" : "l"}between.${first}`;
    if (at?.key === `g${gap}`) setAt({ key, anchor: key });
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const action = gridKey(rows, active, event);
    if (!action) return;
    event.preventDefault();
    switch (action.do) {
      case "move":
        go(action.to, action.extend);
        return;
      case "file":
        focusNextGrid(event.key === "[" || event.key === "]" ? "as it is" : arrivalOf(action.by));
        onFile(action.by);
        return;
      case "comment": {
        const lines = chosenLines();
        if (lines.length > 0) onComment(lines);
        return;
      }
      case "more":
        for (const { at: gap, direction } of action.gaps) void showMore(gap, direction);
        return;
      case "editor":
        onEditor(lineThere(rows, active, grid));
        return;
      case "enter":
        document
          .getElementById(`${id}-${rows[active]?.key}`)
          ?.querySelector<HTMLElement>("textarea, button")
          ?.focus();
        return;
      case "clear":
        setAt((before) => before && { key: before.key, anchor: before.key });
        return;
      case "stage":
      case "unstage":
      case "discard":
        act(action.do);
        return;
      default:
        return action satisfies never;
    }
  };
  /** Whoever writes a comment, or does something with one, goes on from the lines that it is on. */
  const reached = ({ target }: FocusEvent) => {
    const index = target.closest<HTMLElement>("[data-index]")?.dataset.index;
    const on = index === undefined ? null : commentedRow(rows, Number(index));
    if (on === null || (chosen !== null && on >= chosen.from && on <= chosen.to)) return;
    const { key } = rows[on] as DiffRow;
    setAt({ key, anchor: key });
  };
  // A row that was chosen and is no more: the keyboard goes on near the place that it had.
  const lastActive = useRef(active);
  useEffect(() => {
    if (at !== null && indexOf(rows, at.key) < 0) {
      const near = rows[Math.min(lastActive.current, rows.length - 1)];
      setAt(near ? { key: near.key, anchor: near.key } : null);
    } else lastActive.current = active;
  }, [rows, at, active]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it comes on screen
  useEffect(() => {
    const arrival = takeGridFocus();
    if (arrival === null) return;
    box.current?.focus({ preventScroll: true });
    const starts = changeStarts(rows);
    const to = arrival === "first change" ? starts[0] : starts.at(-1);
    if (arrival !== "as it is" && to !== undefined) go(to, false);
  }, []);

  const onNumber = (line: GridLine, extend: boolean) => {
    const index = rows.findIndex((row) => linesOf(row).includes(line));
    box.current?.focus({ preventScroll: true });
    go(index, extend);
  };
  const commentOnLine = (line: GridLine) => {
    const lines = chosenLines();
    onComment(chosen !== null && lines.includes(line) ? lines : [line]);
  };
  const items = list.getVirtualItems();
  return (
    <div ref={scroller} className="change-grid min-h-0 flex-1 scroll-slim overflow-y-auto bg-raised">
      {/* biome-ignore lint/a11y/useSemanticElements: a table could not be drawn in part */}
      <div
        ref={box}
        role="grid"
        tabIndex={0}
        aria-label={`Changes in ${path}`}
        aria-rowcount={rows.length}
        aria-multiselectable
        aria-activedescendant={rows[active] ? `${id}-${rows[active].key}` : undefined}
        aria-keyshortcuts="J K C E O"
        data-pane-stop
        data-keyboard-stop
        onKeyDown={press}
        onFocus={reached}
        className="group/grid relative outline-none focus-visible:outline-none"
        style={{ height: list.getTotalSize() }}
      >
        {items.map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          const isChosen = chosen !== null && item.index >= chosen.from && item.index <= chosen.to;
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the grid names the active row instead of focusing it
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keyboard
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div
              key={item.key}
              ref={list.measureElement}
              data-index={item.index}
              id={`${id}-${row.key}`}
              role="row"
              aria-rowindex={item.index + 1}
              aria-selected={isChosen}
              aria-label={rowWords(row, grid)}
              onClick={(event) => {
                // Text that is being marked is no click, and a button in the row is its own.
                const marks = window.getSelection()?.isCollapsed === false;
                if (marks || event.target instanceof HTMLButtonElement || row.kind === "comment") return;
                go(item.index, event.shiftKey);
              }}
              className={cx(
                "group/row absolute inset-x-0 top-0",
                isChosen && "change-chosen",
                item.index === active &&
                  "group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2 group-focus-visible/grid:outline-focus",
              )}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {row.kind === "section" && (
                <GridCell className="bg-panel px-3 py-1 font-sans text-s font-medium text-ink-2">
                  {row.title}
                </GridCell>
              )}
              {row.kind === "hunk" && (
                <HunkRow
                  hunk={grid.hunks[row.hunk] as GridHunk}
                  isActive={hunkAt(rows, active) === row.hunk}
                  chosen={
                    chosen !== null && hunkAt(rows, chosen.from) === row.hunk
                      ? chosenLines().filter(({ kind }) => kind !== "context").length
                      : 0
                  }
                  actions={props.wholeOnly === null ? actions : []}
                  onAction={(action) => {
                    const lines =
                      chosen !== null && hunkAt(rows, chosen.from) === row.hunk ? chosenLines() : null;
                    action.run(grid.hunks[row.hunk] as GridHunk, lines);
                  }}
                />
              )}
              {row.kind === "gap" && row.gap.hidden !== null && (
                <GapRow
                  gap={row.gap}
                  hidden={row.gap.hidden}
                  isActive={item.index === active}
                  busy={props.context?.busy.has(row.at) ?? false}
                  onMore={(direction) => void showMore(row.at, direction)}
                />
              )}
              {row.kind === "line" && (
                <UnifiedLine
                  line={row.line}
                  tokens={tokens(row.line)}
                  onComment={commentOnLine}
                  onNumber={onNumber}
                />
              )}
              {row.kind === "pair" && (
                <div className="change-pair">
                  <Half
                    line={row.left}
                    which="old"
                    tokens={tokens(row.left)}
                    onComment={commentOnLine}
                    onNumber={onNumber}
                  />
                  <Half
                    line={row.right}
                    which="new"
                    tokens={tokens(row.right)}
                    onComment={commentOnLine}
                    onNumber={onNumber}
                  />
                </div>
              )}
              {row.kind === "comment" && (
                <GridCell className="py-1.5 pr-3 pl-[52px] font-sans">
                  {props.drawComment(row.commentId)}
                </GridCell>
              )}
            </div>
          );
        })}
      </div>
      {props.end}
    </div>
  );
}

/** Where the lines of this row are now; what was removed is where the next line is. */
function lineThere(rows: readonly DiffRow[], at: number, grid: Grid): number | null {
  const row = rows[at];
  const inHunk = row?.kind === "hunk" ? (grid.hunks[row.hunk]?.lines ?? []) : [];
  const after = rows.slice(at).flatMap(linesOf);
  return [...inHunk, ...after].find(({ newLine }) => newLine !== null)?.newLine ?? null;
}

function arrivalOf(by: 1 | -1) {
  return by === 1 ? "first change" : "last change";
}

function indexOf(rows: readonly DiffRow[], key: string | undefined): number {
  return key === undefined ? -1 : rows.findIndex((row) => row.key === key);
}

function rowWords(row: DiffRow, grid: Grid): string | undefined {
  switch (row.kind) {
    case "section":
      return row.title;
    case "hunk": {
      const hunk = grid.hunks[row.hunk];
      return hunk && [`Change at ${hunk.title}`, hunk.heading].filter(Boolean).join(", ");
    }
    case "gap":
      return row.gap.hidden ? hiddenWords(row.gap.hidden) : undefined;
    case "line":
      return lineWords(row.line);
    case "pair":
      return linesOf(row).map(lineWords).join("; ");
    case "comment":
      return "Comment";
    default:
      return row satisfies never;
  }
}
