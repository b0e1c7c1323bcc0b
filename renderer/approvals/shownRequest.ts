// Which request is to be looked at, where somebody has chosen one elsewhere: in the list of everything that waits, in the
// tree of agents, or by the shortcut. The card takes it up as soon as its thread shows it.
//
// Race: the request is gone before its thread is on screen: nothing is shown in its place that was not there anyway.

import { create } from "zustand";

interface ShownRequest {
  /** Chosen, and not shown yet. */
  wanted: string | null;
  /** On the card now. */
  shown: string | null;
}

export const shownRequest = create<ShownRequest>(() => ({ wanted: null, shown: null }));

export function showRequest(requestKey: string): void {
  shownRequest.setState({ wanted: requestKey });
}

/** The card shows this one. */
export function requestIsShown(requestKey: string | null): void {
  shownRequest.setState({ shown: requestKey });
}

/** The one that was chosen is on the card: from now on the person goes on from there. */
export function requestIsFound(): void {
  shownRequest.setState({ wanted: null });
}
