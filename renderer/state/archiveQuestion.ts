// What is asked before a thread is archived: codex ends whatever goes on in it then, and in its agents. Pure.

import type { ThreadRow } from "../../preload/contract/app";
import type { Rows } from "./appCopy";
import type { ConfirmQuestion } from "./confirm";
import { parentsOf } from "./parentsOf";
import { busyStates, leftRunningWords } from "./words";

export interface ArchiveQuestion {
  /** Null: nothing goes on. */
  question: ConfirmQuestion | null;
  /** A turn is cut off. */
  isBusy: boolean;
}

export function archiveQuestion(rows: Rows, row: ThreadRow): ArchiveQuestion {
  const below = [...rows.values()].filter(({ threadId }) =>
    parentsOf(rows, threadId).some((above) => above.threadId === row.threadId),
  );
  const itself = busyStates.has(row.state);
  const agents = below.filter(({ threadId, state }) => threadId !== row.threadId && busyStates.has(state));
  const left = leftRunningWords([row, ...below].flatMap(({ leftRunning }) => leftRunning ?? []));
  const who = itself ? "It is" : agents.length === 1 ? "An agent of it is" : "Agents of it are";
  const what = itself || agents.length < 2 ? "What it is doing is" : "What they are doing is";
  const isBusy = itself || agents.length > 0;
  const atWork = `${who} still at work. ${what} stopped first; nothing that was written is undone.`;
  if (!isBusy && left === null) return { question: null, isBusy };
  const question: ConfirmQuestion = {
    title: `Stop and archive “${row.title}”?`,
    text: [isBusy && atWork, left].filter(Boolean).join("\n\n"),
    confirmLabel: "Stop and archive",
    tone: "danger",
  };
  return { question, isBusy };
}
