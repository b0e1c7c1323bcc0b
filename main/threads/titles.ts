// A thread's title where nobody has given it a name: the first line of what was asked.

import { detached } from "../../preload/contract/items";

const longestTitle = 200;

/** The name that the person gave, else the first line of what they asked. */
export function titleOf(thread: { name?: string | null; preview?: string | null }): string {
  return titleFrom(thread.name ?? thread.preview ?? "") || "Untitled thread";
}

/** Empty: it has none. What another agent asked is no title for an agent's thread: that has the agent's name. */
export function titleOfLoaded(thread: {
  name?: string | null;
  preview?: string | null;
  parentThreadId?: string | null;
}): string {
  return titleFrom(thread.name ?? (thread.parentThreadId ? "" : thread.preview) ?? "");
}

export function titleFrom(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  return line.length > longestTitle ? `${detached(line.slice(0, longestTitle - 1))}…` : detached(line);
}
