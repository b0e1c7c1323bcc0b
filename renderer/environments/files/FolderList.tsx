// The entries of a folder. Only the rows near the view are in the page, so the keyboard stays on the list itself and the row
// that it is on is named by `aria-activedescendant`; that row is always drawn.

import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight, File, FileQuestionMark, Folder } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import type { EnvironmentEntry } from "../../../preload/contract/environments";
import { count } from "../../conversation/time/durations";
import { cx } from "../../ui/cx";
import { listKey, typeAhead } from "../list/listKeys";
import { useTyped } from "../list/useTyped";
import type { Listing } from "./browser";
import { moveTo, openFile, openFolder, openParent } from "./filesStore";

const rowPx = 26;

export interface FolderListProps {
  environmentId: string;
  listing: Listing;
  active: string | null;
  /** The file that is shown beside it. */
  openedPath: string | null;
}

export function FolderList({ environmentId, listing, active, openedPath }: FolderListProps) {
  const { entries, more, path } = listing;
  const scroller = useRef<HTMLDivElement>(null);
  const typed = useTyped();
  const id = useId();
  const at = entries.findIndex((entry) => entry.path === active);
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => entries[index]?.path ?? index,
    overscan: 12,
    paddingStart: 4,
    paddingEnd: 8,
    rangeExtractor: ({ startIndex, endIndex, overscan, count: all }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(all - 1, endIndex + overscan);
      const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset);
      if (at >= 0 && at < from) indexes.unshift(at);
      if (at > to) indexes.push(at);
      return indexes;
    },
  });
  // Another folder begins at its top, or at the folder that one came up from.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another folder scrolls
  useEffect(() => list.scrollToIndex(Math.max(at, 0), { align: "auto" }), [path]);

  const go = (index: number) => {
    const entry = entries[index];
    if (!entry) return;
    moveTo(environmentId, entry.path);
    list.scrollToIndex(index, { align: "auto" });
  };
  const open = (entry: EnvironmentEntry) => {
    moveTo(environmentId, entry.path);
    if (entry.kind === "folder") void openFolder(environmentId, entry.path);
    else if (entry.kind === "file") void openFile(environmentId, entry);
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const entry = entries[at];
    // As in a tree: to the right into a folder, to the left out of it.
    if (
      event.key === "ArrowRight" &&
      entry?.kind === "folder" &&
      !event.altKey &&
      !event.metaKey &&
      !event.ctrlKey
    ) {
      event.preventDefault();
      open(entry);
      return;
    }
    if (event.key === "ArrowLeft" && !event.altKey && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      openParent(environmentId);
      return;
    }
    const action = listKey(entries.length, at, event);
    if (!action) return;
    switch (action.do) {
      case "move":
        event.preventDefault();
        go(action.to);
        return;
      case "open":
        event.preventDefault();
        if (entry) open(entry);
        return;
      case "up":
        event.preventDefault();
        openParent(environmentId);
        return;
      case "type":
        event.preventDefault();
        go(
          typeAhead(
            entries.map(({ name }) => name),
            at,
            typed(action.letter, event.timeStamp),
          ),
        );
        return;
      case "remove":
      case "menu":
        return;
      default:
        return action satisfies never;
    }
  };
  return (
    <>
      {entries.length === 0 && (
        <p id={`${id}-empty`} className="shrink-0 px-4 py-3 text-ink-3">
          The folder is empty.
        </p>
      )}
      <div
        ref={scroller}
        role="listbox"
        aria-label="Files"
        tabIndex={0}
        data-pane-stop
        data-keyboard-stop
        aria-activedescendant={at === -1 ? undefined : `${id}-${at}`}
        onKeyDown={press}
        aria-describedby={entries.length === 0 ? `${id}-empty` : undefined}
        className="group/list min-h-0 flex-1 scroll-slim overflow-y-auto px-1.5 outline-none focus-visible:outline-none"
      >
        {entries.length > 0 && (
          <div role="presentation" className="relative" style={{ height: list.getTotalSize() }}>
            {list.getVirtualItems().map((item) => {
              const entry = entries[item.index];
              return (
                entry && (
                  <Row
                    key={item.key}
                    id={`${id}-${item.index}`}
                    entry={entry}
                    position={item.index + 1}
                    total={entries.length + more}
                    topPx={item.start}
                    active={item.index === at}
                    opened={entry.path === openedPath}
                    onOpen={() => open(entry)}
                  />
                )
              );
            })}
          </div>
        )}
      </div>
      {more > 0 && (
        <p className="shrink-0 border-t border-line px-4 py-1.5 text-s text-ink-3">
          and {count(more, "more entry", "more entries")} that are not listed: type the path of one to go
          there
        </p>
      )}
    </>
  );
}

interface RowProps {
  id: string;
  entry: EnvironmentEntry;
  position: number;
  total: number;
  topPx: number;
  active: boolean;
  opened: boolean;
  onOpen: () => void;
}

const kindWords = { folder: "folder", file: "file", other: "no file: a device, a pipe or a socket" } as const;

function Row({ id, entry: { name, kind }, position, total, topPx, active, opened, onOpen }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the list names the active row instead of focusing it
    <div
      id={id}
      role="option"
      aria-selected={opened}
      aria-label={`${name}, ${kindWords[kind]}`}
      aria-posinset={position}
      aria-setsize={total}
      aria-disabled={kind === "other" || undefined}
      title={kind === "other" ? kindWords.other : name}
      onClick={({ detail }) => {
        // The second of a double click on a folder comes to whatever stands there in the folder by then.
        if (detail < 2) onOpen();
      }}
      style={{ top: topPx, height: rowPx }}
      className={cx(
        "absolute inset-x-0 flex items-center gap-2 rounded-s px-2.5",
        opened ? "bg-sel" : "hover:bg-hover",
        kind === "other" && "text-ink-3",
        active &&
          "group-focus-visible/list:outline-2 group-focus-visible/list:-outline-offset-2 group-focus-visible/list:outline-focus",
      )}
    >
      <span aria-hidden className={kind === "folder" ? "text-accent" : "text-ink-3"}>
        {kind === "folder" ? (
          <Folder size={14} />
        ) : kind === "file" ? (
          <File size={14} />
        ) : (
          <FileQuestionMark size={14} />
        )}
      </span>
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {kind === "folder" && <ChevronRight aria-hidden size={13} className="text-ink-3" />}
    </div>
  );
}
