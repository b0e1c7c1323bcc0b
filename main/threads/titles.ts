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

/** "Fix login (fork)", "Fix login (fork 2)", ...: the first one that no other thread is called. */
export function forkTitle(title: string, taken: ReadonlySet<string>): string {
  const forked = /^(.*) \(fork(?: (\d+))?\)$/s.exec(title);
  const base = forked?.[1] ?? title;
  for (let number = forked ? Number(forked[2] ?? 1) + 1 : 1; ; number += 1) {
    const mark = ` (fork${number === 1 ? "" : ` ${number}`})`;
    const room = longestTitle - mark.length;
    const fork = `${base.length > room ? `${detached(base.slice(0, room - 1))}…` : base}${mark}`;
    if (!taken.has(fork)) return fork;
  }
}
