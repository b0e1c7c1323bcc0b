// Which threads need the person now: those that wait for an answer, oldest first, then those that failed unseen. Pure.

import type { ThreadRow } from "../../preload/contract/app";
import type { Request } from "../../preload/contract/requests";
import type { Rows } from "../state/appCopy";

export interface Need {
  threadId: string;
  /** Null for a thread that is not listed (yet): a child agent that asks as the first thing it does. */
  workspaceId: string | null;
  title: string;
  why: "approve" | "answer" | "failed";
}

function whyOf(request: Request): Need["why"] {
  return request.kind === "questions" ? "answer" : "approve";
}

export function needsOf(waiting: readonly Request[], rows: Rows): Need[] {
  const needs = new Map<string, Need>();
  const byAge = [...waiting].filter((each) => !each.answering).sort((a, b) => a.askedAtMs - b.askedAtMs);
  for (const request of byAge) {
    const row = rows.get(request.threadId);
    if (needs.has(request.threadId)) continue;
    needs.set(request.threadId, {
      threadId: request.threadId,
      workspaceId: row?.workspaceId ?? null,
      title: row?.title ?? "An agent",
      why: whyOf(request),
    });
  }
  const failed: ThreadRow[] = [];
  for (const row of rows.values()) {
    if (row.state === "failed" && row.unread && !row.archived && !needs.has(row.threadId)) failed.push(row);
  }
  failed.sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  for (const { threadId, workspaceId, title } of failed) {
    needs.set(threadId, { threadId, workspaceId, title, why: "failed" });
  }
  return [...needs.values()];
}

export function sameNeeds(a: readonly Need[], b: readonly Need[]): boolean {
  return (
    a.length === b.length &&
    a.every((need, index) => {
      const other = b[index];
      return other?.threadId === need.threadId && other.why === need.why && other.title === need.title;
    })
  );
}
