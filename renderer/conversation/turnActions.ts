// What can be done from one turn of a conversation. Each says what went wrong; none throws.

import { drafts } from "../composer/drafts";
import { takeBackToComposer } from "../composer/takeBack";
import { askFirst } from "../state/confirm";
import { call } from "../state/connection";
import { goToThread } from "../state/navigation";
import { shownCopy } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { revertWords, turnsFrom, writerIn } from "./revertWords";

export async function forkFrom(turnId: string): Promise<void> {
  const head = shownCopy()?.head;
  if (!head) return;
  const made = await attempt(call("threads.fork", { threadKey: head.key, lastTurnId: turnId }));
  if (made) goToThread(head.workspaceId, made.threadKey);
}

/** Takes the turn and all after it out of the history, and puts what the person wrote in it back into the draft. */
export async function editFrom(turnId: string): Promise<void> {
  const copy = shownCopy();
  if (!copy) return;
  const amount = turnsFrom(copy, turnId);
  if (amount === 0) return;
  const threadKey = copy.head.key;
  const { text, attachments } = drafts.of(threadKey).view;
  const typed = text.trim() !== "" || attachments.length > 0;
  const commands = copy.head.leftRunning.map(({ command }) => command);
  const words = revertWords(amount, writerIn(copy, turnId), typed, commands);
  const yes = await askFirst({ ...words, tone: "danger" });
  if (!yes || !(await attempt(call("threads.revert", { threadKey, beforeTurnId: turnId })))) return;
  if (shownCopy()?.head.key === threadKey) takeBackToComposer(threadKey);
}
