// The list of files that opens while "@" is typed.
//
// Races, and what settles each:
// - Answers overtake each other: only the answer to the newest query is shown.
// - The list closes while a search is on its way: the closed list has no query, so the answer fits nothing.

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { CallResult } from "../../preload/contract";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { type MentionQuery, mentionAt, writtenPath } from "./mention";

export type FoundFile = CallResult<"files.search">["files"][number];

const searchAfterMs = 120;
const mostShown = 30;

interface Found {
  query: string;
  files: readonly FoundFile[];
  failed: boolean;
}

export interface Mention {
  open: boolean;
  /** Of the query that is typed now; null while it is looked for. */
  found: Found | null;
  active: number;
  setActive(index: number): void;
  choose(index: number): void;
  close(): void;
  /** Something was typed. */
  typed(): void;
  /** The caret was moved without typing: the list never opens by that. */
  caretMoved(): void;
  /** True: the key was the list's. */
  press(event: KeyboardEvent): boolean;
}

export interface MentionOptions {
  field: RefObject<HTMLTextAreaElement | null>;
  workspaceId: string;
  /** The text of the file is in the field already. */
  onChosen: (file: FoundFile) => void;
}

export function useMention({ field, workspaceId, onChosen }: MentionOptions): Mention {
  const [at, setAt] = useState<MentionQuery | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const [active, setActive] = useState(0);
  const newest = useRef(0);
  const query = at?.query ?? null;

  useEffect(() => {
    newest.current += 1;
    const search = newest.current;
    if (query === null) {
      setFound(null);
      return;
    }
    const show = (files: readonly FoundFile[], failed: boolean) => {
      if (newest.current !== search) return;
      setFound({ query, files: files.slice(0, mostShown), failed });
      setActive(0);
    };
    const timer = setTimeout(() => {
      call("files.search", { workspaceId, query }).then(
        (answer) => show(answer.files.filter(isMentionable), false),
        (error: unknown) => {
          console.warn("Files could not be searched", faultOf(error).message);
          show([], true);
        },
      );
    }, searchAfterMs);
    return () => clearTimeout(timer);
  }, [query, workspaceId]);

  const here = () => {
    const element = field.current;
    if (!element || element.selectionStart !== element.selectionEnd) return null;
    return mentionAt(element.value, element.selectionStart);
  };
  const close = () => setAt(null);
  const choose = (index: number) => {
    const element = field.current;
    const file = found?.files[index];
    if (!element || !file || !at) return;
    element.focus();
    element.setSelectionRange(at.start, element.selectionStart);
    insertText(element, writtenPath(file.path));
    close();
    onChosen(file);
  };
  return {
    open: at !== null,
    found: found !== null && found.query === query ? found : null,
    active,
    setActive,
    choose,
    close,
    typed: () => setAt(here()),
    caretMoved() {
      if (at === null) return;
      const now = here();
      if (now?.start !== at.start) setAt(null);
      else if (now.query !== at.query) setAt(now);
    },
    press(event) {
      if (at === null) return false;
      const count = found?.files.length ?? 0;
      if (event.key === "Escape") close();
      else if (count === 0) return false;
      else if (event.key === "ArrowDown") setActive((active + 1) % count);
      else if (event.key === "ArrowUp") setActive((active - 1 + count) % count);
      else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") choose(active);
      else return false;
      return true;
    },
  };
}

/** codex lists what git keeps for itself too; nobody means that. */
function isMentionable({ path }: FoundFile): boolean {
  return !/(^|[/\\])\.git([/\\]|$)/.test(path);
}

/** As if it were typed: the field's own undo takes it back. */
export function insertText(element: HTMLTextAreaElement, text: string): void {
  element.focus();
  if (document.execCommand("insertText", false, text)) return;
  element.setRangeText(text, element.selectionStart, element.selectionEnd, "end");
  element.dispatchEvent(new Event("input", { bubbles: true }));
}
