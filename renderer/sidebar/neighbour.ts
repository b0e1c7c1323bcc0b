// The thread above or below the shown one, in the order of the list.

import { appCopy } from "../state/appStore";
import { threadStore } from "../state/threadStore";
import { listStore } from "./listStore";

export function neighbour(by: 1 | -1): { threadId: string; workspaceId: string } | null {
  const threads = listStore.getState().rows.filter((row) => row.kind === "thread");
  if (threads.length === 0) return null;
  const { shown } = threadStore.getState();
  // While it is loading its key says where one is, so that the shortcut can be pressed again and again.
  const shownId =
    shown.phase === "shown" ? shown.copy.head.threadId : shown.phase === "none" ? null : shown.key;
  const at = threads.findIndex((row) => row.threadId === shownId);
  const from = at === -1 && by === -1 ? threads.length : at;
  const next = threads[Math.min(Math.max(from + by, 0), threads.length - 1)];
  if (!next || next.threadId === shownId || !appCopy()?.rows.has(next.threadId)) return null;
  return next;
}
