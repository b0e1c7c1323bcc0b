// The text of one script.

import { useEffect, useRef } from "react";
import type { RunError } from "../../../preload/contract/cells";
import { onSignal } from "../../state/signals";
import { cellsStore } from "../cellsStore";
import { onCopied } from "../saving/scripts";
import { lineNow } from "./lineNow";
import { type TextHandlers, TextView } from "./textView";
import { useScriptNames } from "./useScriptNames";

export interface ScriptEditorProps extends TextHandlers {
  scriptId: string;
  source: string;
  /** What the run of this very text that is shown has failed with. */
  error: RunError | null;
}

export function ScriptEditor({ scriptId, source, error, ...handlers }: ScriptEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const text = useRef<TextView | null>(null);
  const first = useRef({ scriptId, source, handlers });
  const names = useScriptNames();
  useEffect(() => {
    if (!box.current) return;
    const { scriptId, source, handlers } = first.current;
    const view = new TextView(box.current, scriptId, source, handlers);
    text.current = view;
    const stop = [
      onSignal("focus-script", () => view.focus()),
      onCopied((from, to) => {
        if (view.scriptId === from) view.becomes(to);
      }),
    ];
    return () => {
      for (const each of stop) each();
      text.current = null;
      view.destroy();
    };
  }, []);
  useEffect(() => {
    if (text.current) text.current.handlers = handlers;
  });
  useEffect(() => {
    first.current = { ...first.current, scriptId, source };
    text.current?.show(scriptId, source);
  }, [scriptId, source]);
  useEffect(() => {
    if (text.current) text.current.names = names;
  }, [names]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another script is shown without one at first
  useEffect(() => {
    const at = error?.at;
    text.current?.showMistake(error && at ? { text: error.text, line: at.line, column: at.column } : null);
  }, [error, scriptId]);
  const isFocusing = cellsStore((store) => store.focusing === scriptId);
  useEffect(() => {
    if (!isFocusing) return;
    cellsStore.setState({ focusing: null });
    text.current?.focus();
  }, [isFocusing]);
  const asked = cellsStore((store) => store.asked);
  useEffect(() => {
    if (asked === null || asked.scriptId !== scriptId) return;
    cellsStore.setState({ asked: null });
    const line = lineNow(source, asked.source, asked.line);
    // Whoever has asked gives the keyboard up first. That it is asked for no more, as of now, takes nothing back.
    requestAnimationFrame(() => text.current?.goToLine(line, asked.column));
  }, [asked, scriptId, source]);
  return <div ref={box} className="min-h-0 flex-1 overflow-hidden" />;
}
