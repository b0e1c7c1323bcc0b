// What a window shows of a thread's follow-ups, and what codex's queue says of our own messages.

import type { FollowUpsView, FollowUpView } from "../../../preload/contract/thread";
import type { Outgoing } from "../outgoing";
import { writtenIn } from "../userInput";
import type { QueueState } from "./queueMachine";

interface Shown {
  queue: QueueState;
  messages: readonly Outgoing[];
  /** Client ids of what is being edited, moved or the like. */
  changing: ReadonlySet<string>;
  /** codex shows it as part of the conversation already. */
  isSaid(clientId: string): boolean;
}

export function viewFollowUps(shown: Shown): FollowUpsView {
  const { queue } = shown;
  const entries = viewEntries(shown);
  return {
    entries,
    held: entries.length > 0 && queue.run === "idle" ? queue.hold : null,
    keeper: keeperOf(queue),
  };
}

export function keeperOf({ codexHasQueue, isKeptHere, here }: QueueState): FollowUpsView["keeper"] {
  return codexHasQueue && !isKeptHere && here.length === 0 ? "codex" : "holdfast";
}

/** It is known to wait in codex's queue, or was there when that was last known. */
export function isInCodex(queue: QueueState, outgoing: Outgoing): boolean {
  if (outgoing.underWay || outgoing.state === "undelivered" || outgoing.seenInTurn !== null) return false;
  if (queue.inCodex.some(({ clientId }) => clientId === outgoing.submission.clientId)) return true;
  const isUpToDate = queue.isListed && queue.listing === "none";
  return outgoing.way === "queue" && outgoing.state === "sent" && !isUpToDate;
}

function viewEntries({ queue, messages, changing, isSaid }: Shown): FollowUpView[] {
  const ours = new Map(messages.map((outgoing) => [outgoing.submission.clientId, outgoing]));
  const shown = new Map<string, FollowUpView>();
  const show = (clientId: string, state: FollowUpView["state"], written?: { input: readonly unknown[] }) => {
    const own = ours.get(clientId);
    const { text, attachments } = own?.submission ?? writtenIn(written?.input ?? []);
    const isChanging = changing.has(clientId) && state === "queued";
    shown.set(clientId, {
      clientId,
      text,
      attachments,
      state: isChanging ? "changing" : state,
      ...(own?.byRun && { byRun: own.byRun }),
    });
  };
  for (const clientId of queue.here) {
    if (!ours.get(clientId)?.underWay) show(clientId, "queued");
  }
  for (const entry of queue.inCodex) {
    const own = ours.get(entry.clientId);
    // It has come back, or is being sent in another way.
    const isElsewhere = own !== undefined && (own.state === "undelivered" || own.way !== "queue");
    if (!isSaid(entry.clientId) && !isElsewhere) show(entry.clientId, "queued", entry);
  }
  for (const outgoing of messages) {
    const { clientId } = outgoing.submission;
    if (shown.has(clientId) || isSaid(clientId) || outgoing.way !== "queue") continue;
    if (isInCodex(queue, outgoing)) show(clientId, "queued");
    else if (outgoing.state === "sending" || (outgoing.state === "recorded" && outgoing.underWay))
      show(clientId, "sending");
  }
  return [...shown.values()];
}
