import { Search, TextSearch, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { goToSearch } from "../search/searchStore";
import { onSignal, send } from "../state/signals";
import { setFilter, uiStore } from "../state/uiStore";
import { IconButton } from "../ui/IconButton";
import { Spinner } from "../ui/Spinner";
import { listStore } from "./listStore";

/** Filters by what the list knows as one types; codex looks through the text of all threads beside it. */
export function SearchField() {
  const filter = uiStore((store) => store.filter);
  const searching = listStore((store) => store.searching);
  const field = useRef<HTMLInputElement>(null);
  useEffect(
    () =>
      onSignal("focus-search", () => {
        field.current?.focus();
        field.current?.select();
      }),
    [],
  );
  return (
    <search className="mx-3 flex h-(--h-control) shrink-0 items-center gap-1.5 rounded-s border border-line bg-canvas px-2 text-ink-3 transition-colors focus-within:border-field-line focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus hover:border-line-strong">
      {searching ? <Spinner className="mx-px" /> : <Search aria-hidden size={14} className="shrink-0" />}
      <input
        ref={field}
        type="search"
        aria-label="Find a thread"
        placeholder="Find"
        spellCheck={false}
        autoComplete="off"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") {
            event.preventDefault();
            if (filter === "") send("focus-thread-list");
            else setFilter("");
          }
          if (event.key === "ArrowDown" || event.key === "Enter") {
            event.preventDefault();
            send("focus-thread-list");
          }
        }}
        className="min-w-0 flex-1 bg-transparent text-ink outline-none focus-visible:outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      <IconButton
        label={filter === "" ? "Search in all threads" : `Search in all threads for “${filter}”`}
        shortcut="mod+shift+f"
        size="xs"
        icon={<TextSearch size={13} />}
        onClick={() => goToSearch(filter)}
        className={filter === "" ? "-mr-1" : undefined}
      />
      {filter !== "" && (
        <IconButton
          label="Clear"
          size="xs"
          icon={<X size={13} />}
          onClick={() => {
            setFilter("");
            field.current?.focus();
          }}
          className="-mr-1"
        />
      )}
    </search>
  );
}
