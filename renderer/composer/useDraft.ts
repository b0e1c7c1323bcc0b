import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { Draft, DraftView } from "./draft";
import { drafts } from "./drafts";

/** The draft of one thread, for a component that lives as long as that thread is shown. */
export function useDraft(threadKey: string): { draft: Draft; view: DraftView } {
  const [draft] = useState(() => drafts.of(threadKey));
  useEffect(() => drafts.hold(draft), [draft]);
  return { draft, view: useDraftView(draft) };
}

/** What is shown of a draft that somebody else holds. */
export function useDraftView(draft: Draft): DraftView {
  const subscribe = useCallback((listener: () => void) => draft.subscribe(listener), [draft]);
  return useSyncExternalStore(subscribe, () => draft.view);
}
