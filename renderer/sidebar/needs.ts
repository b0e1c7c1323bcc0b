// Everything that waits for the person, in one order for the whole window: what waits for an answer, of an agent or of a
// script, the longest first, then the threads that failed unseen. Pure.

import type { ThreadRow } from "../../preload/contract/app";
import type { CellQuestion } from "../../preload/contract/cells";
import type { Request } from "../../preload/contract/requests";
import type { Rows } from "../state/appCopy";
import { parentsOf } from "../state/parentsOf";

interface NeedBase {
  /** Of the request, the question or the thread that failed. */
  key: string;
  /** Null for a thread that is not listed (yet): a child agent that asks as the first thing it does. */
  workspaceId: string | null;
  /** Of the agent or the script that asks, or of the thread. */
  title: string;
  /** The thread at the top of the agent's tree; null: it is no agent. */
  within: string | null;
  why: "approve" | "answer" | "failed";
  /** What it is about: "command", "file change". */
  what: string | null;
  /** What a script asks: it may ask several things at once. */
  question: string | null;
  sinceMs: number;
}

export type Need = NeedBase &
  (
    | { of: "request"; threadId: string }
    /** A script asks; its key is the question's id. */
    | { of: "question"; runId: string }
    /** A thread has failed. */
    | { of: "failure"; threadId: string }
  );

const kinds: Record<Request["kind"], { why: Need["why"]; what: string }> = {
  command: { why: "approve", what: "command" },
  fileChange: { why: "approve", what: "file change" },
  permissions: { why: "approve", what: "permissions" },
  questions: { why: "answer", what: "question" },
  link: { why: "answer", what: "link" },
};

export function needsOf(waiting: readonly Request[], questions: readonly CellQuestion[], rows: Rows): Need[] {
  const requests = waiting
    .filter((each) => !each.answering)
    .map((request): Need => {
      const row = rows.get(request.threadId);
      return {
        of: "request",
        key: request.key,
        threadId: request.threadId,
        workspaceId: row?.workspaceId ?? null,
        title: request.agentName ?? row?.title ?? "An agent",
        within: request.agentName === null ? null : (parentsOf(rows, request.threadId)[0]?.title ?? null),
        ...kinds[request.kind],
        question: null,
        sinceMs: request.askedAtMs,
      };
    });
  const needs = [...requests, ...questions.map(ofQuestion)].sort((a, b) => a.sinceMs - b.sinceMs);
  const asking = new Set(requests.flatMap((need) => (need.of === "request" ? need.threadId : [])));
  const failed: ThreadRow[] = [];
  for (const row of rows.values()) {
    if (row.state === "failed" && row.unread && !row.archived && !asking.has(row.threadId)) failed.push(row);
  }
  failed.sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  for (const { threadId, workspaceId, title, updatedAtMs } of failed) {
    needs.push({
      of: "failure",
      key: threadId,
      threadId,
      workspaceId,
      title,
      within: null,
      why: "failed",
      what: null,
      question: null,
      sinceMs: updatedAtMs,
    });
  }
  return needs;
}

function ofQuestion(asked: CellQuestion): Need {
  const { questionId, runId, scriptName, workspaceId, question, askedAtMs } = asked;
  return {
    of: "question",
    key: questionId,
    runId,
    workspaceId,
    title: scriptName,
    within: null,
    why: "answer",
    what: "script",
    question,
    sinceMs: askedAtMs,
  };
}

/**
 * The one after what is looked at, around the end; null: nothing waits. `key`: of the request or the question that is shown.
 * Without one, `threadId` says which thread is.
 */
export function nextNeed(
  needs: readonly Need[],
  looking: { key: string | null; threadId: string | null },
): Need | null {
  const byKey = needs.findIndex(({ of, key }) => of !== "failure" && key === looking.key);
  const at =
    byKey >= 0
      ? byKey
      : needs.findIndex((need) => need.of !== "question" && need.threadId === looking.threadId);
  return needs[(at + 1) % Math.max(1, needs.length)] ?? null;
}

/** Which thread or run it is about goes with its key. */
const looksBy = [
  "of",
  "key",
  "workspaceId",
  "title",
  "within",
  "why",
  "what",
  "question",
  "sinceMs",
] as const;

export function sameNeeds(a: readonly Need[], b: readonly Need[]): boolean {
  return (
    a.length === b.length &&
    a.every((need, index) => {
      const other = b[index];
      return other !== undefined && looksBy.every((name) => need[name] === other[name]);
    })
  );
}
