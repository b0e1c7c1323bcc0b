// The folders in one folder of an environment. One of them is in the order of Tab; the arrows go from one to the next.
//
// Race: a folder is opened from the keyboard and its folders come later. The list before stays until then, and when the new
// one is here the keyboard is in it, unless it has gone somewhere else meanwhile.

import { Folder } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { count } from "../conversation/time/durations";
import { folderKey } from "./folderKeys";
import type { Listing } from "./useFolders";

export interface FolderListProps {
  listing: Listing;
  asking: boolean;
  /** For who comes from the field above. */
  box: RefObject<HTMLUListElement | null>;
  onOpen: (path: string) => void;
}

export function FolderList({ listing, asking, box, onOpen }: FolderListProps) {
  const folders = listing.entries.filter(({ kind }) => kind === "folder");
  const files = listing.entries.length - folders.length;
  const [active, setActive] = useState(0);
  const keyboard = useRef<"here" | "elsewhere">("elsewhere");
  // The folder that was left through its parent is the one to go on from.
  const left = useRef<string | null>(null);
  const { path } = listing;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each folder that is shown, whatever else is drawn anew
  useEffect(() => {
    const at = Math.max(
      0,
      folders.findIndex((each) => each.path === left.current),
    );
    left.current = null;
    setActive(at);
    const list = box.current;
    if (keyboard.current === "elsewhere" || !list) return;
    keyboard.current = "elsewhere";
    if (list.contains(document.activeElement)) focusRow(list, at);
  }, [path]);

  const open = (to: string) => {
    if (asking) return;
    keyboard.current = box.current?.contains(document.activeElement) ? "here" : "elsewhere";
    // The row that has it goes away with the list; the list itself stays.
    if (keyboard.current === "here") box.current?.focus();
    onOpen(to);
  };
  const up = () => {
    if (listing.parent === null) return;
    left.current = path;
    open(listing.parent);
  };
  const press = (event: KeyboardEvent) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    const meant = folderKey(
      { key: event.key, modified },
      active,
      folders.map(({ name }) => name),
      listing.parent !== null,
    );
    if (meant.does === "nothing") return;
    event.preventDefault();
    if (meant.does === "move" && box.current) focusRow(box.current, meant.to);
    else if (meant.does === "up") up();
    else if (meant.does === "open") open(folders[active]?.path ?? path);
  };
  return (
    <div className="grid gap-1">
      <p className="truncate text-s text-ink-3">
        In <span className="font-mono text-xs">{path}</span>
      </p>
      <ul
        ref={box}
        // With nothing in it the way up is still at hand.
        tabIndex={folders.length === 0 ? 0 : -1}
        aria-label={`Folders in ${path}`}
        aria-busy={asking || undefined}
        onKeyDown={press}
        className="ring-inset h-56 overflow-y-auto rounded-s border border-field-line bg-canvas p-1 [scroll-padding-block:4px]"
      >
        {folders.map((folder, index) => (
          <li key={folder.path}>
            <button
              type="button"
              tabIndex={index === active ? 0 : -1}
              onFocus={() => setActive(index)}
              onClick={() => open(folder.path)}
              className="ring-inset flex h-7 w-full min-w-0 items-center gap-2 rounded-s px-2 text-left hover:bg-hover focus-visible:bg-sel"
            >
              <Folder aria-hidden size={14} className="shrink-0 text-ink-3" />
              <span className="truncate">{folder.name}</span>
            </button>
          </li>
        ))}
        <li className="px-2 py-1.5 text-s text-pretty text-ink-3">
          {restWords(folders.length, files, listing.more)}
        </li>
      </ul>
    </div>
  );
}

function restWords(folders: number, files: number, more: number): string {
  const rest = [files > 0 && count(files, "file"), more > 0 && `${more} more, not listed`].filter(Boolean);
  if (folders === 0) return rest.length === 0 ? "Nothing is in it." : `No folders in it; ${rest.join(", ")}.`;
  return rest.length === 0 ? "No files in it." : `Besides: ${rest.join(", ")}.`;
}

function focusRow(list: HTMLElement, at: number): void {
  const row = list.querySelectorAll<HTMLElement>("button")[at];
  (row ?? list).focus();
}
