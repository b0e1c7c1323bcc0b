// A file that is looked at goes into the message that is being written, as the list behind "@" puts one there.

import { drafts } from "../composer/drafts";
import { writtenPath } from "../composer/mention";
import { sendSoon } from "../state/signals";
import { shownCopy } from "../state/threadStore";
import { uiStore } from "../state/uiStore";

/** A thread of this workspace is on screen, and takes a message. */
export function canMention(workspaceId: string): boolean {
  const head = shownCopy()?.head;
  return (
    head !== undefined &&
    head.workspaceId === workspaceId &&
    !head.archived &&
    uiStore.getState().layout.page === "threads"
  );
}

export function mentionFile(path: string, fullPath: string): void {
  const head = shownCopy()?.head;
  if (!head) return;
  const draft = drafts.of(head.key);
  const { text } = draft.view;
  const between = text === "" || /\s$/.test(text) ? "" : " ";
  draft.edit(`${text}${between}${writtenPath(path)}`);
  draft.attach([{ kind: "mention", path: fullPath, name: path }]);
  sendSoon("focus-composer");
}
