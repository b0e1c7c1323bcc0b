// How threads belong together: which agents they are, and which threads these work for.

import type { AgentView, ThreadRow } from "../../preload/contract/app";
import { useRows, useThreadRow } from "./appStore";
import { parentsOf } from "./parentsOf";
import { useHead } from "./threadStore";

/** Null: the shown thread is no other thread's agent. */
export function useShownAgent(): AgentView | null {
  return useThreadRow(useHead((head) => head.threadId))?.agent ?? null;
}

/** The title of the thread that the shown one works for; null: it is no agent, or that one is not listed. */
export function useParentTitle(): string | null {
  const threadId = useHead((head) => head.threadId);
  return useRows((rows) => parentsOf(rows, threadId).at(-1)?.title ?? null);
}

/** The row of the thread right above the shown one, and of the one at the top of its tree where that is another one. */
export function useParents(): { top: ThreadRow | null; parent: ThreadRow | null } {
  const threadId = useHead((head) => head.threadId);
  const parent = useRows((rows) => parentsOf(rows, threadId).at(-1) ?? null);
  const top = useRows((rows) => parentsOf(rows, threadId)[0] ?? null);
  return { top: top === parent ? null : top, parent };
}

/** The names of these agents; `said` is what the conversation itself calls the only one. Unknown ones are left out. */
export function useAgentNames(threadIds: readonly string[], said: string | null): readonly string[] {
  const joined = useRows((rows) =>
    threadIds.flatMap((id) => said ?? rows.get(id)?.agent?.name ?? rows.get(id)?.title ?? []).join("\n"),
  );
  return joined === "" ? [] : joined.split("\n");
}
