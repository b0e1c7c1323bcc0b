// What needs the person and what is at work, in short: for the tray. Pure.

import type { ThreadRow } from "../../preload/contract/app";
import type { CellQuestion } from "../../preload/contract/cells";
import type { Request } from "../../preload/contract/requests";
import { firstWords, oneLine } from "../plainText";
import type { Place } from "./attention";
import { wordsOfRequest } from "./attentionWords";

export interface OutlookEntry {
  label: string;
  place: Place;
}

export interface Outlook {
  /** The longest first. */
  needsYou: OutlookEntry[];
  /** The newest first. */
  running: OutlookEntry[];
}

const longestLabel = 70;

export function outlookOf(
  waiting: readonly Request[],
  questions: readonly CellQuestion[],
  rows: readonly ThreadRow[],
): Outlook {
  const byId = new Map(rows.map((row) => [row.threadId, row]));
  const asks = waiting
    .filter(({ answering }) => !answering)
    .map((request) => {
      const { key, threadId, agentName, askedAtMs } = request;
      const row = byId.get(threadId);
      const title = agentName ?? row?.title ?? "An agent";
      const place: Place =
        row === undefined
          ? { kind: "app" }
          : { kind: "thread", workspaceId: row.workspaceId, threadId, requestKey: key };
      return { label: labelOf(`${title}: ${wordsOfRequest(request)}`), place, askedAtMs };
    });
  const asked = questions.map(({ questionId, runId, scriptName, question, askedAtMs }) => ({
    label: labelOf(`${scriptName}: Asks: ${question}`),
    place: { kind: "run", runId, questionId } as const,
    askedAtMs,
  }));
  const running = rows
    .filter(({ state, parentThreadId }) => state === "running" && parentThreadId === null)
    .sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  return {
    needsYou: [...asks, ...asked]
      .sort((a, b) => a.askedAtMs - b.askedAtMs)
      .map(({ label, place }) => ({ label, place })),
    running: running.map(({ title, workspaceId, threadId }) => ({
      label: labelOf(title),
      place: { kind: "thread", workspaceId, threadId, requestKey: null },
    })),
  };
}

function labelOf(text: string): string {
  return firstWords(oneLine(text), longestLabel);
}
