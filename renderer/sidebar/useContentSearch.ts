// codex's own search, beside the filter over the list. Race: answers overtake each other, so only the answer to the last
// question counts; and what was found stays on screen until the next answer is there, so that the list does not jump.

import { useEffect } from "react";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { uiStore } from "../state/uiStore";
import { listStore } from "./listStore";

const stillMs = 250;
const leastLetters = 2;

export function useContentSearch(): void {
  const query = uiStore((store) => store.filter.trim());
  useEffect(() => {
    if (query.length < leastLetters) {
      listStore.setState({ hits: query === "" ? null : [], searching: false });
      return;
    }
    let current = true;
    listStore.setState({ searching: true });
    const timer = setTimeout(async () => {
      try {
        const { hits } = await call("threads.search", { query });
        if (current) listStore.setState({ hits, searching: false });
      } catch (error) {
        // The titles are filtered all the same; without codex there is nothing more to find.
        console.warn("codex could not search", faultOf(error).message);
        if (current) listStore.setState({ hits: [], searching: false });
      }
    }, stillMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [query]);
}
