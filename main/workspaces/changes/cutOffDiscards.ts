// Discarding and bringing back, on record while it goes on, in the middle of which Holdfast may die: files may be in the store
// by then that are not replaced yet. The next start brings back what a discard had moved, goes on with what was being brought
// back, and says so. Where a file has been written since, nothing is moved, and that is said.

import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { NoticeView } from "../../../preload/contract/app";
import { asFault } from "../../fault";
import type { NewCleanup } from "../../ledger/cleanupsLedger";
import type { Discards } from "./discards";
import type { ChangesRepository } from "./repository";

export const discardCleanupKind = "discard";

export interface DiscardSubject {
  does: "discard" | "bring back";
  discardId: string;
  workspaceId: string;
  root: string;
}

export function discardCleanup(subject: DiscardSubject): NewCleanup {
  const what =
    subject.does === "discard" ? "Changes were being discarded" : "Changes were being brought back";
  return {
    // Each attempt has its own: one that is taken up may wait for its turn behind another.
    id: `${subject.does}:${subject.discardId}:${randomUUID()}`,
    kind: discardCleanupKind,
    subject,
    reason: `${what} when Holdfast went away.`,
  };
}

/** Null: there is nothing to be said. Never rejects. */
export async function settleDiscard(
  repository: ChangesRepository,
  discards: Discards,
  { does, discardId, root }: DiscardSubject,
): Promise<Omit<NoticeView, "id"> | null> {
  const place = basename(root);
  const isDiscard = does === "discard";
  try {
    const state = discards.stateOf(discardId);
    if (state === "none" || (isDiscard && state === "done")) return null;
    await discards.undo(repository, discardId);
    return {
      tone: "info",
      text: isDiscard
        ? `Discarding in ${place} was cut off when Holdfast went away. The changes are as they were.`
        : `What was discarded in ${place} is brought back: Holdfast went away in the middle of it.`,
      hint: null,
      detail: null,
    };
  } catch (error) {
    const { message } = asFault(error);
    const what = isDiscard ? "Discarding" : "Bringing back what was discarded";
    return {
      tone: "warning",
      text: `${what} in ${place} was cut off when Holdfast went away. ${message}`,
      hint: "Nothing is lost: “Discarded changes…” on the page Changes has what was moved.",
      detail: root,
    };
  }
}
