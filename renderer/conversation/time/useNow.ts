import { useSyncExternalStore } from "react";
import { Ticker } from "./ticker";

const ticker = new Ticker({
  nowMs: () => Date.now(),
  after(delayMs, task) {
    const handle = setTimeout(task, delayMs);
    return () => clearTimeout(handle);
  },
  hidden: () => document.hidden,
  onVisibility(listener) {
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  },
});

const never = () => () => {};

/** The time, once a second, for components that count up. Pass false when nothing is counting: it then stands still. */
export function useNow(counting = true): number {
  return useSyncExternalStore(counting ? ticker.subscribe : never, ticker.nowMs, ticker.nowMs);
}

/** Words that change with the time: looked at once a second, drawn again only when they have changed. */
export function useTicking(words: (nowMs: number) => string): string {
  const now = () => words(ticker.nowMs());
  return useSyncExternalStore(ticker.subscribe, now, now);
}
