// The age of something in words, kept up to date by one timer for the whole window, however many rows show one. A row is
// drawn again only when its words change. A hidden window has no timer.

import { useSyncExternalStore } from "react";
import { ageWords } from "./age";

const everyMs = 20_000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function tick(): void {
  nowMs = Date.now();
  for (const listener of [...listeners]) listener();
}

function visibilityChanged(): void {
  if (timer !== null) clearInterval(timer);
  timer = null;
  if (document.hidden) return;
  timer = setInterval(tick, everyMs);
  tick();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    document.addEventListener("visibilitychange", visibilityChanged);
    if (!document.hidden) timer = setInterval(tick, everyMs);
    nowMs = Date.now();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener("visibilitychange", visibilityChanged);
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
}

export function useAge(thenMs: number): string {
  return useSyncExternalStore(subscribe, () => ageWords(thenMs, nowMs));
}
