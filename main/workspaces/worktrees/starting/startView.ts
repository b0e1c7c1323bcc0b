// A thread that is to begin in a worktree, as windows see it; and the same without a thread, for somebody who has only asked
// for a worktree and waits for its set-up.

import { randomUUID } from "node:crypto";
import type { WorktreeStartView } from "../../../../preload/contract/worktrees";
import type { NewWorktreeStart, WorktreeStartRecord } from "../../../ledger/worktreeStartsLedger";
import type { StartState } from "./startMachine";

const shownText = 4_000;
const shownTitle = 120;

/** False: the person has only asked for the worktree. Of one whose message was given back it is not known. */
export function hasMessage({ text, attachments }: Pick<NewWorktreeStart, "text" | "attachments">): boolean {
  return text !== "" || attachments.length > 0;
}

export function noMessage(): Pick<NewWorktreeStart, "clientId" | "text" | "attachments" | "settings"> {
  const settings = { model: null, effort: null, sandbox: null, approvalPolicy: null };
  return { clientId: randomUUID(), text: "", attachments: [], settings };
}

export function viewOf(start: WorktreeStartRecord<StartState>, hasSetup: boolean): WorktreeStartView {
  const { startId, threadKey, workspaceId, worktreeWorkspaceId, branch, text, attachments, state } = start;
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  return {
    startId,
    threadKey,
    workspaceId,
    worktreeWorkspaceId,
    branch,
    title: line.length > shownTitle ? `${line.slice(0, shownTitle - 1)}…` : line,
    text: text.length > shownText ? `${text.slice(0, shownText)}…` : text,
    attachments,
    hasMessage: hasMessage(start),
    hasSetup,
    state: state.phase === "setting up" ? { phase: state.phase, sinceMs: state.sinceMs } : state,
  };
}

/** What keeps its worktree, and the one that it is made from. */
export function workWords({ title, branch, state, hasMessage }: WorktreeStartView): string {
  if (hasMessage) return `the thread “${title || "New thread"}”, which is still to start`;
  const setup = `the set-up of the worktree “${branch}”`;
  return state.phase === "stopped" ? `${setup}, which has stopped and waits for you` : setup;
}
