// What waits for the turn to end, in the order in which it is sent: written, changed, moved, sent at once, deleted. What
// could not be delivered stands apart, and so does what was typed for one that has gone meanwhile.

import { ListEnd } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useHead, useThreadKey } from "../state/threadStore";
import { EmptyState } from "../ui/EmptyState";
import { FollowUpList } from "./FollowUpList";
import { edits, moves } from "./followUps";
import { GoneEdit } from "./GoneEdit";
import { HeldNotice } from "./HeldNotice";
import { NewFollowUp } from "./NewFollowUp";
import { withMoves } from "./order";
import { UndeliveredFollowUps } from "./UndeliveredFollowUps";
import { useUndoKey } from "./useUndoKey";
import { keeperWords } from "./words";

export function FollowUps() {
  const threadKey = useThreadKey();
  const threadId = useHead((head) => head.threadId);
  const followUps = useHead((head) => head.followUps);
  const { entries: told, held } = followUps;
  const keeper = keeperWords(
    followUps,
    useHead((head) => head.demo),
  );
  const usable = useHead((head) => !head.archived && head.fault === null);
  const submissions = useHead((head) => head.submissions);
  const pending = moves.store((store) => store.pending);
  const isLoaded = useHead((head) => head.residency === "loaded");
  const allEdits = edits.store((store) => store.edits);

  const entries = useMemo(() => {
    const ours = pending.filter((each) => each.threadKey === threadKey);
    return withMoves(told, ours);
  }, [told, pending, threadKey]);
  const undelivered = useMemo(() => submissions.filter(({ mode }) => mode === "queue"), [submissions]);
  const gone = useMemo(() => {
    // What waits is known of a loaded thread.
    if (!isLoaded) return [];
    const waiting = new Set(told.map(({ clientId }) => clientId));
    const ours = allEdits.filter((edit) => edit.threadKey === threadKey || edit.threadKey === threadId);
    return ours.filter(({ clientId }) => !waiting.has(clientId));
  }, [allEdits, threadKey, threadId, told, isLoaded]);
  useEffect(() => {
    if (isLoaded) void edits.restore(threadId ?? threadKey, told);
  }, [threadId, threadKey, told, isLoaded]);

  const panel = useRef<HTMLDivElement>(null);
  useUndoKey(panel, threadKey);

  const nothing = entries.length === 0 && undelivered.length === 0 && gone.length === 0;
  return (
    <div ref={panel} className="grid grid-cols-[minmax(0,1fr)] gap-3.5 px-4 py-3.5">
      {held !== null && entries.length > 0 && <HeldNotice reason={held} />}
      {gone.map((edit) => (
        <GoneEdit key={edit.clientId} edit={edit} />
      ))}
      {nothing && (
        <EmptyState compact icon={<ListEnd aria-hidden size={20} />} title="No follow-ups">
          What you queue while a turn runs waits here, and is sent in order when the turn ends.
        </EmptyState>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {entries.length > 0 && <FollowUpList entries={entries} isHeld={held !== null} />}
        {threadId !== null && usable && (
          <NewFollowUp
            key={threadId}
            threadId={threadId}
            filesSide={entries.length > 5 ? "above" : "below"}
          />
        )}
        {entries.length > 0 && keeper !== null && <p className="text-xs text-pretty text-ink-3">{keeper}</p>}
      </div>
      {undelivered.length > 0 && <UndeliveredFollowUps submissions={undelivered} />}
    </div>
  );
}
