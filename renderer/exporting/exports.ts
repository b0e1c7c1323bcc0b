// Threads on their way into files: begun here, watched until they are there, and cancelled from here.
//
// Races, and what settles each:
// - This window is reloaded while an export goes on: it goes on in main and ends by itself; nobody is told.
// - An export ends while its end is on the way here: only the state that main says counts, and that is said once.

import { create } from "zustand";
import type { ExportFormat, ExportView } from "../../preload/contract/finding";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { reveal } from "../state/threadActions";
import { attempt, showFault, toast } from "../state/toasts";

export interface RunningExport {
  exportId: string;
  view: ExportView | null;
  cancelling: boolean;
}

export const exportStore = create<{ running: readonly RunningExport[] }>(() => ({ running: [] }));

export async function exportThread(threadKey: string, format: ExportFormat): Promise<void> {
  const started = await attempt(call("exports.start", { threadKey, format }));
  const exportId = started?.exportId ?? null;
  if (exportId === null) return;
  put(exportId, { view: null, cancelling: false });
  try {
    told(await watched(exportId), () => void exportThread(threadKey, format));
  } catch (error) {
    showFault(faultOf(error));
  } finally {
    exportStore.setState(({ running }) => ({
      running: running.filter((each) => each.exportId !== exportId),
    }));
  }
}

/** Its last view. */
async function watched(exportId: string): Promise<ExportView> {
  for (let seen = -1; ; ) {
    const view = await call("exports.next", { exportId, seen });
    if (view.state !== "running") return view;
    seen = view.revision;
    put(exportId, { view });
  }
}

function told(view: ExportView, again: () => void): void {
  switch (view.state) {
    case "done":
      toast("Thread exported", {
        tone: "ok",
        hint: view.path,
        actions: [{ label: "Show in folder", run: () => void reveal(view.path) }],
      });
      return;
    case "failed":
      if (view.fault) showFault(view.fault, [{ label: "Try again", run: again }]);
      return;
    case "cancelled":
      toast("Export cancelled", { hint: "Nothing was left behind." });
      return;
    case "running":
      return;
    default:
      view.state satisfies never;
  }
}

export async function cancelExport(exportId: string): Promise<void> {
  put(exportId, { cancelling: true });
  await attempt(call("exports.cancel", { exportId }));
}

export async function copyAsMarkdown(threadKey: string): Promise<void> {
  if (await attempt(call("exports.copy", { threadKey }))) toast("Thread copied as Markdown", { tone: "ok" });
}

function put(exportId: string, change: Partial<RunningExport>): void {
  exportStore.setState(({ running }) => {
    const known = running.find((each) => each.exportId === exportId);
    const next = { exportId, view: null, cancelling: false, ...known, ...change };
    return {
      running: known ? running.map((each) => (each.exportId === exportId ? next : each)) : [...running, next],
    };
  });
}
