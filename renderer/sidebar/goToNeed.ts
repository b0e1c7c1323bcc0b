// To what waits for the person: its thread or its run comes on screen, and the card shows that very request or question.

import { shownRequest, showRequest } from "../approvals/shownRequest";
import { answering, showQuestion } from "../cells/run/answering";
import type { AppCopy } from "../state/appCopy";
import { appCopy } from "../state/appStore";
import { goToRun, goToThread } from "../state/navigation";
import { shownCopy } from "../state/threadStore";
import { uiStore } from "../state/uiStore";
import { type Need, needsOf, nextNeed } from "./needs";

export function goToNeed(need: Need): void {
  switch (need.of) {
    case "question":
      showQuestion(need.key);
      goToRun(need.runId);
      return;
    case "request":
      showRequest(need.key);
      goToThread(need.workspaceId, need.threadId);
      return;
    case "failure":
      goToThread(need.workspaceId, need.threadId);
      return;
    default:
      need satisfies never;
  }
}

function needsNow({ app, rows }: AppCopy): Need[] {
  return needsOf(app.waiting, app.cellQuestions, rows);
}

/**
 * One that the shown thread or run has on its card anyway is answered where one is. While the keyboard is elsewhere, that card
 * comes first: its single keys answer only from there.
 */
export function goToNextNeed(): void {
  const copy = appCopy();
  if (!copy) return;
  const isCells = uiStore.getState().layout.page === "cells";
  const head = isCells ? null : (shownCopy()?.head ?? null);
  const { shown } = shownRequest.getState();
  const isHere = head?.requests.some(({ key }) => key === shown) ?? false;
  if (isHere && shown !== null && !document.activeElement?.closest("fieldset")) {
    showRequest(shown);
    return;
  }
  const key = isCells ? answering.getState().shown : isHere ? shown : null;
  const next = nextNeed(needsNow(copy), { key, threadId: head?.threadId ?? null });
  if (next === null) return;
  if (next.of === "request" && head?.requests.some((each) => each.key === next.key)) showRequest(next.key);
  else goToNeed(next);
}

export function somethingNeedsYou(): boolean {
  const copy = appCopy();
  return copy !== null && needsNow(copy).length > 0;
}
