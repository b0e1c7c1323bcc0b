// The scripts of this window: kept by main, heard of through the list of scripts.

import { appStore } from "../../state/appStore";
import { call, connection } from "../../state/connection";
import { ScriptBook } from "./scriptBook";

const copiedListeners = new Set<(fromScriptId: string, scriptId: string) => void>();

export const scripts = new ScriptBook(
  {
    read: (scriptId) => call("scripts.read", { scriptId }),
    save: (change) => call("scripts.save", change),
    copy: (fromScriptId, source) => call("scripts.create", { fromScriptId, source }),
  },
  {
    nowMs: () => performance.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  },
  (fromScriptId, scriptId) => {
    for (const listener of [...copiedListeners]) listener(fromScriptId, scriptId);
  },
);

/** A copy of a script has taken its words over. Returns what stops the listening. */
export function onCopied(listener: (fromScriptId: string, scriptId: string) => void): () => void {
  copiedListeners.add(listener);
  return () => copiedListeners.delete(listener);
}

let versions = new Map<string, string>();

appStore.subscribe(({ shown }, { shown: before }) => {
  if (shown.phase !== "shown") return;
  const { scripts: rows } = shown.copy.app;
  if (before.phase === "shown" && before.copy.app.scripts === rows) return;
  const next = new Map(rows.map((row) => [row.scriptId, `${row.updatedAtMs} ${row.name}`]));
  scripts.heard([...next].filter(([id, version]) => versions.get(id) !== version).map(([id]) => id));
  versions = next;
});

connection.onState((state) => {
  if (state === "open") scripts.retry();
});

document.addEventListener("visibilitychange", () => document.hidden && scripts.flush());
// `visibilitychange` does not fire when a window is closed; this does.
window.addEventListener("pagehide", () => scripts.flushAtEnd());
