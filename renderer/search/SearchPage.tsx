// All of codex's threads, of every folder: listed by folder while nothing is searched for, otherwise those that have the
// words. Nothing is copied: it is codex's own list and codex's own search.

import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { PaneHead } from "../shell/PaneHead";
import { useApp } from "../state/appStore";
import { goToWorkspace } from "../state/navigation";
import { onSignal } from "../state/signals";
import { changeLayout, useLayout } from "../state/uiStore";
import { IconButton } from "../ui/IconButton";
import { Spinner } from "../ui/Spinner";
import { ResultList, type ResultListHandle } from "./ResultList";
import { clearSearch, searchFor, searchStore } from "./searchStore";

const stillMs = 250;

export function SearchPage() {
  const query = useLayout((layout) => layout.search.query);
  const asked = query.trim();
  const loading = searchStore((store) => store.active.loading || store.archived.loading);
  const count = searchStore((store) => store.active.items.length + store.archived.items.length);
  const hasMore = searchStore((store) => store.active.hasMore || store.archived.hasMore);
  const isOld = searchStore((store) => store.active.isOld || store.archived.isOld);
  const demo = useApp((app) => app.workspaces.find((each) => each.demo));
  const list = useRef<ResultListHandle>(null);
  // What was asked for last; the first is asked for at once.
  const [last, setLast] = useState<string | null>(null);
  useEffect(() => {
    if (asked === last) return;
    const timer = setTimeout(
      () => {
        setLast(asked);
        searchFor(asked);
      },
      last === null ? 0 : stillMs,
    );
    return () => clearTimeout(timer);
  }, [asked, last]);
  useEffect(() => clearSearch, []);
  const settled = last === asked && !loading && !isOld;
  return (
    <>
      <PaneHead inspector={false}>
        <h1 className="truncate text-l font-semibold tracking-[-0.01em]">All threads</h1>
      </PaneHead>
      <div data-pane="search" className="flex min-h-0 flex-1 flex-col">
        <div className="shrink-0 px-6 pt-4 pb-2 max-mid:px-3">
          <div className="mx-auto max-w-190">
            <Field query={query} busy={!settled} onDown={() => list.current?.enter()} />
            <p className="mt-1.5 flex min-h-5 flex-wrap gap-x-1.5 text-s text-ink-3">
              <span role="status">{countWords(asked, settled, count, hasMore)}</span>
              {demo !== undefined && (
                <span>
                  · without those of{" "}
                  <button
                    type="button"
                    className="rounded-xs text-accent underline-offset-2 hover:underline"
                    onClick={() => goToWorkspace(demo.id)}
                  >
                    {demo.name}
                  </button>
                  , whose codex is one of its own
                </span>
              )}
            </p>
          </div>
        </div>
        <ResultList ref={list} query={asked} />
      </div>
    </>
  );
}

function countWords(asked: string, settled: boolean, count: number, hasMore: boolean): string {
  const threads = `${count.toLocaleString("en")}${hasMore ? "+" : ""} ${count === 1 && !hasMore ? "thread" : "threads"}`;
  if (asked === "") return settled || count > 0 ? `${threads}, by folder` : "Asking codex for its threads…";
  return settled ? `Found in ${threads}` : "Searching…";
}

function Field({ query, busy, onDown }: { query: string; busy: boolean; onDown: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const put = (next: string) => changeLayout({ search: { query: next.slice(0, 500) } });
  useEffect(() => {
    const focus = () => {
      field.current?.focus();
      field.current?.select();
    };
    return onSignal("focus-thread-search", focus);
  }, []);
  return (
    <search className="flex h-9 items-center gap-2 rounded-m border border-field-line bg-raised px-3 text-ink-3 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus">
      {busy ? <Spinner /> : <Search aria-hidden size={15} className="shrink-0" />}
      <input
        ref={field}
        type="search"
        aria-label="Search in all threads"
        placeholder="Words that were said in a thread, or its title"
        spellCheck={false}
        autoComplete="off"
        value={query}
        data-keyboard-stop
        onChange={(event) => put(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "ArrowDown" || event.key === "Enter") {
            event.preventDefault();
            onDown();
          } else if (event.key === "Escape" && query !== "") {
            event.preventDefault();
            put("");
          }
        }}
        className="min-w-0 flex-1 bg-transparent text-l text-ink outline-none focus-visible:outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {query !== "" && (
        <IconButton
          label="Clear"
          size="s"
          icon={<X size={14} />}
          onClick={() => {
            put("");
            field.current?.focus();
          }}
          className="-mr-1"
        />
      )}
    </search>
  );
}
