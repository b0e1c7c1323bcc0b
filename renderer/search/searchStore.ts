// All of codex's threads: what was searched for in them, and what came of it.

import { create } from "zustand";
import type { ThreadHit } from "../../preload/contract/thread";
import { call } from "../state/connection";
import { sendSoon } from "../state/signals";
import { changeLayout, closeOverlay, uiStore } from "../state/uiStore";
import { nothingPaged, type Paged, PagedList } from "./pagedList";
import type { Which } from "./resultRows";

interface SearchStore {
  active: Paged<ThreadHit>;
  archived: Paged<ThreadHit>;
  /** Folders whose threads are folded away. */
  folded: ReadonlySet<string>;
}

export const searchStore = create<SearchStore>(() => ({
  active: nothingPaged(),
  archived: nothingPaged(),
  folded: new Set(),
}));

/** Of all threads so many come by themselves; further ones when asked for. */
const listedByItself = 1_000;
const keyOf = ({ threadId }: ThreadHit) => threadId;

const lists: Record<Which, PagedList<ThreadHit>> = {
  active: new PagedList(keyOf, (active) => searchStore.setState({ active })),
  archived: new PagedList(keyOf, (archived) => searchStore.setState({ archived })),
};

/** Asks anew; an empty query is the list of all. */
export function searchFor(query: string): void {
  for (const which of ["active", "archived"] as const) {
    const archived = which === "archived";
    if (query === "") {
      void lists[which].begin(async (cursor) => {
        const { threads, nextCursor } = await call("threads.listAll", { archived, cursor });
        return { items: threads.map((thread) => ({ ...thread, snippet: "" })), nextCursor };
      }, listedByItself);
    } else {
      void lists[which].begin(async (cursor) => {
        const { hits, nextCursor } = await call("threads.search", { query, archived, cursor });
        return { items: hits, nextCursor };
      });
    }
  }
}

export function moreOf(which: Which): void {
  void lists[which].more();
}

export function clearSearch(): void {
  for (const list of Object.values(lists)) list.clear();
}

export function toggleFolder(cwd: string): void {
  const folded = new Set(searchStore.getState().folded);
  if (!folded.delete(cwd)) folded.add(cwd);
  searchStore.setState({ folded });
}

/** The page, with these words or as it was left. */
export function goToSearch(query?: string): void {
  const { search } = uiStore.getState().layout;
  changeLayout({ page: "search", search: query === undefined ? search : { query } });
  closeOverlay();
  sendSoon("focus-thread-search");
}
