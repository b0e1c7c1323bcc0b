import { useCallback, useRef, useSyncExternalStore } from "react";
import { useThrottled } from "../time/useThrottled";
import { type Highlighted, Highlighter } from "./highlighter";
import type { HighlightAnswer } from "./tokens";

const highlighter = new Highlighter({
  start(onAnswer, failed) {
    const worker = new Worker(new URL("./highlight.worker.ts", import.meta.url), {
      type: "module",
      name: "highlight",
    });
    worker.addEventListener("message", (event: MessageEvent<HighlightAnswer>) => onAnswer(event.data));
    worker.addEventListener("error", () => failed());
    worker.addEventListener("messageerror", () => failed());
    return { post: (request) => worker.postMessage(request), close: () => worker.terminate() };
  },
  after(delayMs, task) {
    const handle = setTimeout(task, delayMs);
    return () => clearTimeout(handle);
  },
});

/** While code is still coming in, it is tokenised at most this often. */
const streamingPauseMs = 400;

export interface Highlight {
  /** The text that `lines` belong to: while code streams, it is a beginning of what is shown. */
  code: string;
  lines: Highlighted;
}

/**
 * The tokens of `code`, or of an earlier beginning of it while it is still growing (`open`). Null: show it plain.
 * Passing null as the language asks for nothing.
 */
export function useHighlight(code: string, language: string | null, open: boolean): Highlight | null {
  const asked = useThrottled(code, open ? streamingPauseMs : 0);
  const subscribe = useCallback(
    (changed: () => void) => {
      if (language === null || highlighter.known(language, asked) !== undefined) return () => {};
      return highlighter.request(language, asked, changed);
    },
    [language, asked],
  );
  const lines = useSyncExternalStore(
    subscribe,
    () => (language === null ? null : highlighter.known(language, asked)),
    () => null,
  );
  const last = useRef<Highlight | null>(null);
  if (lines !== undefined) last.current = lines === null ? null : { code: asked, lines };
  const held = last.current;
  return held && code.startsWith(held.code) ? held : null;
}
