// Puts what is selected in a terminal into the message of the thread that is shown, as a quote; without a thread a new one is
// begun.

import { drafts } from "../composer/drafts";
import { leavePage, newThread } from "../state/navigation";
import { sendSoon } from "../state/signals";
import { shownCopy } from "../state/threadStore";
import { toast } from "../state/toasts";
import { uiStore } from "../state/uiStore";
import { withQuote } from "./quote";

export async function askCodexAbout(selected: string, workspaceId: string): Promise<void> {
  if (selected.trim() === "") {
    toast("Select something in the terminal first");
    return;
  }
  if (shownCopy() === null) await newThread(workspaceId);
  const threadKey = shownCopy()?.head.key ?? uiStore.getState().layout.threadKey;
  // What went wrong with making one was said there.
  if (threadKey === null) return;
  const draft = drafts.of(threadKey);
  draft.edit(withQuote(draft.view.text, selected));
  leavePage();
  sendSoon("focus-composer");
}
