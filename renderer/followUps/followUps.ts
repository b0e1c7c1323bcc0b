// The follow-ups of this window: what is being edited, what is being moved, and what is done with one at a press.

import type { FollowUpView } from "../../preload/contract/thread";
import { drafts } from "../composer/drafts";
import type { DraftContents } from "../composer/mergeDrafts";
import { goToLatest } from "../conversation/list/latest";
import { call } from "../state/connection";
import { sendSoon } from "../state/signals";
import { shownCopy, threadStore } from "../state/threadStore";
import { attempt, dismissToast, toast, toastStore } from "../state/toasts";
import { FollowUpEdits, type OpenEdit } from "./edits";
import { FollowUpMoves } from "./moves";
import { type Place, samePlace } from "./order";

export const edits = new FollowUpEdits(
  {
    get: (threadKey) => call("drafts.get", { threadKey }),
    put: (change) => call("drafts.put", change),
    park: (threadKey) => call("drafts.park", { threadKey }),
    send: (message) => call("messages.send", message),
    edit: (change) => call("followUps.edit", change),
  },
  {
    nowMs: () => performance.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  },
  { writer: crypto.randomUUID(), newClientId: () => crypto.randomUUID() },
);

// `visibilitychange` does not fire when a window is closed; this does.
window.addEventListener("pagehide", () => edits.flushAll());

function entriesOf(threadKey: string): readonly FollowUpView[] | null {
  const head = shownCopy()?.head;
  return head && (head.key === threadKey || head.threadId === threadKey) ? head.followUps.entries : null;
}

export const moves = new FollowUpMoves({
  main: { move: (move) => call("followUps.move", move) },
  entriesOf,
  after: (ms, run) => void setTimeout(run, ms),
});

threadStore.subscribe(({ shown }, { shown: before }) => {
  if (shown.phase !== "shown" || before.phase !== "shown") return;
  if (shown.copy.head.followUps !== before.copy.head.followUps) moves.heard(shown.copy.head.key);
});

function sayGone(): void {
  toast("It is not waiting any more", {
    hint: "It has been sent or deleted meanwhile; nothing was changed.",
  });
}

/** False: it stays where it was, and the person has been told why. */
export async function moveFollowUp(
  threadKey: string,
  ids: readonly string[],
  clientId: string,
  before: Place,
): Promise<boolean> {
  const outcome = await attempt(moves.move(threadKey, ids, clientId, before));
  if (outcome === "gone") sayGone();
  return outcome === "changed";
}

export async function sendFollowUpNow(threadKey: string, clientId: string): Promise<void> {
  const answer = await attempt(call("followUps.sendNow", { threadKey, clientId }));
  if (answer?.outcome === "gone") sayGone();
  if (answer?.outcome === "changed") goToLatest(threadKey);
}

export async function continueFollowUps(threadKey: string): Promise<void> {
  await attempt(call("followUps.resume", { threadKey }));
}

export async function deleteFollowUp(threadKey: string, entry: FollowUpView): Promise<void> {
  const ids = (entriesOf(threadKey) ?? []).map(({ clientId }) => clientId);
  const answer = await attempt(call("followUps.delete", { threadKey, clientId: entry.clientId }));
  if (answer?.outcome === "gone") sayGone();
  if (answer?.outcome !== "changed") return;
  const undo = () => {
    deleted = deleted.filter((each) => each.undo !== undo);
    void putBack(threadKey, ids, entry);
  };
  const toastId = toast("Follow-up deleted", { actions: [{ label: "Undo", run: undo }], shownMs: undoMs });
  deleted = [...deleted, { threadKey, toastId, undo }];
}

/** Time to see what was deleted, and to think about it. */
const undoMs = 12_000;
/** What can be put back, the newest last. */
let deleted: readonly { threadKey: string; toastId: number; undo: () => void }[] = [];

/** Takes the last deletion in this thread back, while its notice is there. False: there is none. */
export function undoDelete(threadKey: string): boolean {
  const open = new Set(toastStore.getState().toasts.map(({ id }) => id));
  deleted = deleted.filter(({ toastId }) => open.has(toastId));
  const last = deleted.findLast((each) => each.threadKey === threadKey);
  if (!last) return false;
  dismissToast(last.toastId);
  last.undo();
  return true;
}

/** Under a new client id: what codex has deleted under the old one is done with. */
async function putBack(threadKey: string, ids: readonly string[], entry: FollowUpView): Promise<void> {
  const clientId = crypto.randomUUID();
  const { text, attachments } = entry;
  const sent = await attempt(
    call("messages.send", { threadKey, clientId, text, attachments, mode: "queue" }),
  );
  if (!sent || !(await untilWaiting(threadKey, clientId))) return;
  const others = (entriesOf(threadKey) ?? []).map((each) => each.clientId).filter((id) => id !== clientId);
  const before = samePlace(ids, entry.clientId, others);
  if (before !== null) await moveFollowUp(threadKey, [...others, clientId], clientId, before);
}

const queuedWithinMs = 10_000;

/** Until it is in the queue. False: it never came there (it was taken up at once), or the thread is not shown any more. */
function untilWaiting(threadKey: string, clientId: string): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      const entries = entriesOf(threadKey);
      if (entries?.some((each) => each.clientId === clientId && each.state === "queued")) end(true);
      else if (entries === null) end(false);
    };
    const end = (waits: boolean) => {
      stop();
      clearTimeout(timer);
      resolve(waits);
    };
    const timer = setTimeout(() => end(false), queuedWithinMs);
    const stop = threadStore.subscribe(look);
    look();
  });
}

/** Gives the edit up; what was typed can be had back for a moment. */
export function cancelEdit(edit: OpenEdit): void {
  const given = edits.cancel(edit.clientId);
  if (given === null) return;
  toast("The edit was discarded", {
    actions: [{ label: "Bring it back", run: () => edits.reopen(edit, given) }],
  });
}

/** What was typed for an entry that has gone goes into the message that is being written. */
export function moveEditToComposer(threadKey: string, edit: OpenEdit): void {
  const composer = drafts.of(threadKey);
  const { text, attachments } = edit.draft.view;
  const given: DraftContents = edits.cancel(edit.clientId) ?? { text, attachments };
  composer.edit([composer.view.text, given.text].filter((part) => part !== "").join("\n\n"));
  composer.attach(given.attachments);
  composer.flush();
  sendSoon("focus-composer");
}
