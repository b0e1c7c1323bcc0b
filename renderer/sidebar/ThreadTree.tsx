// The tree of workspaces and threads. Only the rows near the view are in the page, so the keyboard stays on the tree
// itself and the row that it is on is named by `aria-activedescendant`; that row is always drawn.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";
import { openFound } from "../search/openFound";
import { goToSearch } from "../search/searchStore";
import { appCopy, appStore } from "../state/appStore";
import { call } from "../state/connection";
import { goToThread, goToWorkspace } from "../state/navigation";
import { onSignal } from "../state/signals";
import { showStart } from "../state/starts";
import { archiveThread, deleteThread } from "../state/threadActions";
import { threadStore } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { startRenaming, toggleCollapsed, uiStore, useLayout } from "../state/uiStore";
import { type MenuPlace, PlacedMenu } from "../ui/Menu";
import { holdOrder, listStore } from "./listStore";
import { ThreadMenu, WorkspaceMenu } from "./menus";
import { isStop, type ListRow } from "./rows";
import { TreeRow } from "./TreeRow";
import { treeKey, typeAhead } from "./treeKeys";
import { useHeldWhilePointing } from "./useHeldWhilePointing";

const typePauseMs = 600;

function heightOf(row: ListRow | undefined): number {
  switch (row?.kind) {
    case "workspace":
      return 36;
    case "thread":
      return row.level > 2 ? 26 : 30;
    case "hit":
      return 46;
    case "more":
      return 28;
    case "note":
      return row.note === "gone" || row.note === "fault" ? 56 : 28;
    case "heading":
      return row.heading === "nothing" ? 72 : 32;
    default:
      return 30;
  }
}

function wordsOf(row: ListRow): string {
  const copy = appCopy();
  if (row.kind === "thread") return copy?.rows.get(row.threadId)?.title ?? "";
  if (row.kind === "hit") return row.hit.title;
  if (row.kind === "workspace") {
    return copy?.app.workspaces.find((each) => each.id === row.workspaceId)?.name ?? "";
  }
  return "";
}

type MenuTarget = { threadId: string } | { workspaceId: string };

export function ThreadTree() {
  const rows = listStore((store) => store.rows);
  const scroller = useRef<HTMLDivElement>(null);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ target: MenuTarget; place: MenuPlace } | null>(null);
  const typed = useRef({ text: "", atMs: 0 });
  const selectedId = useSelectedThreadId();
  const shownKey = useLayout((layout) => layout.threadKey);
  const shownWorkspaceId = useLayout((layout) => (layout.threadKey === null ? layout.workspaceId : null));
  // On another page no thread is in front of the person.
  const onPage = useLayout((layout) => layout.page === "threads");
  const found = rows.findIndex((row) => row.key === activeKey);
  const active = found === -1 ? rows.findIndex((row) => row.key === selectedId) : found;

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    paddingEnd: 8,
    rangeExtractor: (range) => {
      const from = Math.max(0, range.startIndex - range.overscan);
      const to = Math.min(range.count - 1, range.endIndex + range.overscan);
      const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset);
      if (active >= 0 && active < from) indexes.unshift(active);
      if (active > to) indexes.push(active);
      return indexes;
    },
  });

  // Rows differ in height, so what was measured for an index does not hold once other rows are there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are what the measures depend on
  useEffect(() => virtualizer.measure(), [rows, virtualizer]);

  // Another thread was chosen (from wherever): the keyboard continues from it, and it is in view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new choice scrolls, not a list that changed
  useEffect(() => {
    if (selectedId === null) return;
    setActiveKey(selectedId);
    const index = rows.findIndex((row) => row.key === selectedId);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: "auto" });
  }, [selectedId]);

  useEffect(() => onSignal("focus-thread-list", () => scroller.current?.focus()), []);
  const pointing = useHeldWhilePointing(holdOrder);

  const moveTo = (index: number) => {
    const row = rows[index];
    if (!row) return;
    setActiveKey(row.key);
    virtualizer.scrollToIndex(index, { align: "auto" });
  };

  const open = (row: ListRow) => {
    if (isStop(row)) setActiveKey(row.key);
    switch (row.kind) {
      case "workspace":
        goToWorkspace(row.workspaceId);
        return;
      case "thread":
        goToThread(row.workspaceId, row.threadId);
        return;
      case "start":
        showStart(row.workspaceId, row.threadKey);
        return;
      case "hit":
        void openFound(row.hit, uiStore.getState().filter.trim());
        return;
      case "search":
        goToSearch(row.query);
        return;
      case "more":
        void attempt(call("threads.loadMore", { workspaceId: row.workspaceId, archived: row.archived }));
        return;
      default:
        return;
    }
  };

  const openMenu = (row: ListRow, place: MenuPlace | null) => {
    const target: MenuTarget | null =
      row.kind === "thread"
        ? { threadId: row.threadId }
        : row.kind === "workspace"
          ? { workspaceId: row.workspaceId }
          : null;
    if (!target) return;
    setActiveKey(row.key);
    const box = document.getElementById(rowId(row.key))?.getBoundingClientRect();
    setMenu({ target, place: place ?? { x: (box?.left ?? 0) + 28, y: (box?.bottom ?? 0) - 4 } });
  };

  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const action = treeKey(rows, active, event);
    if (!action) return;
    event.preventDefault();
    switch (action.do) {
      case "move":
        moveTo(action.to);
        return;
      case "open":
        open(action.row);
        return;
      case "expand":
      case "collapse":
        toggleCollapsed(action.workspaceId, action.do === "collapse");
        return;
      case "menu":
        openMenu(action.row, null);
        return;
      case "archive":
        if (action.row.kind === "thread") archiveFromList(action.row.threadId);
        return;
      case "delete":
        if (action.row.kind === "thread") void deleteThread(action.row.threadId);
        return;
      case "rename":
        if (action.row.kind === "thread") {
          startRenaming({ what: "thread", threadKey: action.row.threadId, where: "list" });
        } else if (action.row.kind === "workspace") {
          startRenaming({ what: "workspace", workspaceId: action.row.workspaceId });
        }
        return;
      case "type": {
        const held = typed.current;
        const goesOn = event.timeStamp - held.atMs < typePauseMs && held.text !== action.letter;
        typed.current = { text: goesOn ? held.text + action.letter : action.letter, atMs: event.timeStamp };
        moveTo(typeAhead(rows, active, typed.current.text, wordsOf));
        return;
      }
      default: {
        const unknown: never = action;
        return unknown;
      }
    }
  };

  const contextMenu = (event: MouseEvent, row: ListRow) => {
    event.preventDefault();
    openMenu(row, { x: event.clientX, y: event.clientY });
  };

  // An ended rename gives the keyboard back to the list.
  useEffect(
    () =>
      uiStore.subscribe((now, before) => {
        const here =
          before.renaming && (before.renaming.what === "workspace" || before.renaming.where === "list");
        // Something else may have it by now: that which has ended the rename.
        if (here && now.renaming === null && scroller.current?.contains(document.activeElement))
          scroller.current.focus();
      }),
    [],
  );

  const activeRow = rows[active];
  return (
    <>
      <div
        ref={scroller}
        role="tree"
        aria-label="Threads"
        tabIndex={0}
        data-pane-stop
        aria-activedescendant={activeRow ? rowId(activeRow.key) : undefined}
        onKeyDown={press}
        {...pointing}
        className="group/tree min-h-0 flex-1 scroll-slim overflow-y-auto overscroll-contain pl-1.5 outline-none focus-visible:outline-none"
      >
        <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <TreeRow
                key={row.key}
                id={rowId(row.key)}
                row={row}
                top={item.start}
                height={heightOf(row)}
                active={item.index === active}
                selected={
                  onPage &&
                  ((row.kind === "thread" && row.threadId === selectedId) ||
                    (row.kind === "workspace" && row.workspaceId === shownWorkspaceId) ||
                    (row.kind === "start" && row.threadKey === shownKey))
                }
                onOpen={open}
                onContextMenu={contextMenu}
                onMenu={(event) => openMenu(row, { x: event.clientX, y: event.clientY })}
              />
            );
          })}
        </div>
      </div>
      <PlacedMenu
        place={menu?.place ?? null}
        onClose={() => setMenu(null)}
        label={menu && "threadId" in menu.target ? "Thread" : "Workspace"}
        returnFocus={scroller}
      >
        {menu && "threadId" in menu.target && <ThreadMenu threadId={menu.target.threadId} where="list" />}
        {menu && "workspaceId" in menu.target && <WorkspaceMenu workspaceId={menu.target.workspaceId} />}
      </PlacedMenu>
    </>
  );
}

function rowId(key: string): string {
  return `row-${key.replaceAll(/\s/g, "-")}`;
}

function archiveFromList(threadId: string): void {
  const row = appStore.getState().shown.phase === "shown" ? appCopy()?.rows.get(threadId) : undefined;
  if (row && !row.archived && row.parentThreadId === null) void archiveThread(threadId);
}

/** The row of the shown thread: a new thread has one as soon as codex has named it. */
function useSelectedThreadId(): string | null {
  const shown = threadStore((store) =>
    store.shown.phase === "shown"
      ? store.shown.copy.head.threadId
      : store.shown.phase === "none"
        ? null
        : store.shown.key,
  );
  return shown;
}
