// The list itself: one stop for the keyboard, whose arrows go from row to row and, with Alt, move the row.

import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import type { FollowUpView } from "../../preload/contract/thread";
import { Section } from "../inspector/Section";
import { useHead, useThreadKey } from "../state/threadStore";
import { keyText } from "../ui/keys";
import { DragGhost } from "./DragGhost";
import { FollowUpEditor } from "./FollowUpEditor";
import { FollowUpRow } from "./FollowUpRow";
import { deleteFollowUp, edits, moveFollowUp } from "./followUps";
import { type Place, stepPlace, withMoves } from "./order";
import { useDragOrder } from "./useDragOrder";
import { focusRow, useKeyboardInList } from "./useKeyboardInList";
import { entryName, lineOf, whenWords } from "./words";

export interface FollowUpListProps {
  entries: readonly FollowUpView[];
  isHeld: boolean;
}

export function FollowUpList({ entries, isHeld }: FollowUpListProps) {
  const threadKey = useThreadKey();
  const threadId = useHead((head) => head.threadId);
  const running = useHead((head) => head.run !== null);
  const allEdits = edits.store((store) => store.edits);
  const list = useRef<HTMLOListElement>(null);
  const helpId = useId();
  const ids = useMemo(() => entries.map(({ clientId }) => clientId), [entries]);
  const [current, setCurrent] = useState<string | null>(null);
  const [said, setSaid] = useState({ count: 0, text: "" });
  const toEdit = useRef<string | null>(null);
  const keepFocus = useKeyboardInList(list, ids);
  const say = (text: string) => setSaid(({ count }) => ({ count: count + 1, text }));

  const move = async (clientId: string, before: Place) => {
    const wanted = withMoves(entries, [{ clientId, before }]).map((each) => each.clientId);
    const place = wanted.indexOf(clientId) + 1;
    if (await moveFollowUp(threadKey, ids, clientId, before))
      say(`Moved to place ${place} of ${ids.length}.`);
  };
  const step = (clientId: string, by: 1 | -1) => {
    const before = stepPlace(ids, clientId, by);
    if (before === undefined) {
      say(by === -1 ? "It is the first." : "It is the last.");
      return;
    }
    keepFocus(clientId);
    void move(clientId, before);
  };
  const edit = (entry: FollowUpView) => {
    toEdit.current = entry.clientId;
    edits.open(threadId ?? threadKey, entry);
  };
  const { dragged, rowHandlers } = useDragOrder({
    list,
    ids,
    onDrop: (clientId, before) => void move(clientId, before),
    onLost: () => say("What was dragged is not waiting any more."),
  });
  const draggedEntry = entries.find(({ clientId }) => clientId === dragged?.clientId);

  const press = (event: KeyboardEvent<HTMLElement>, entry: FollowUpView) => {
    const { ctrlKey, metaKey, shiftKey, altKey, key, target, currentTarget } = event;
    // A menu of the row is elsewhere on the page.
    const isInside = target instanceof Node && currentTarget.contains(target);
    if (!isInside || ctrlKey || metaKey || shiftKey || event.nativeEvent.isComposing) return;
    const by = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : null;
    if (altKey && by !== null) step(entry.clientId, by);
    else if (altKey || target !== currentTarget) return;
    else if (by !== null) focusRow(list.current, ids[ids.indexOf(entry.clientId) + by]);
    else if (key === "Home") focusRow(list.current, ids[0]);
    else if (key === "End") focusRow(list.current, ids.at(-1));
    else if (key === "Enter" || key === "F2") edit(entry);
    else if (key === "Delete") void deleteFollowUp(threadKey, entry);
    else return;
    event.preventDefault();
  };

  const stop = current !== null && ids.includes(current) ? current : ids[0];
  return (
    <Section
      title={`Waiting · ${entries.length}`}
      aside={isHeld ? undefined : <span className="text-ink-3">{whenWords(running)}</span>}
    >
      <p id={helpId} hidden>
        {keyText("alt+arrowup")} and {keyText("alt+arrowdown")} move it, Enter edits it, Delete deletes it.
      </p>
      <p aria-live="polite" className="sr-only">
        <span key={said.count}>{said.text}</span>
      </p>
      <ol ref={list} aria-label="Follow-ups" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {entries.map((entry, index) => {
          const { clientId } = entry;
          const open = allEdits.find((each) => each.clientId === clientId);
          const drop = dragged?.stays === false ? dragged.before : undefined;
          if (open) {
            return (
              <li key={clientId} data-row={clientId} aria-label={entryName(entry, index + 1, ids.length)}>
                <FollowUpEditor
                  edit={open}
                  entry={entry}
                  takesFocus={() => {
                    const takes = toEdit.current === clientId;
                    if (takes) toEdit.current = null;
                    return takes;
                  }}
                  onClosed={() => keepFocus(clientId)}
                />
              </li>
            );
          }
          return (
            <FollowUpRow
              key={clientId}
              entry={entry}
              place={index + 1}
              of={ids.length}
              running={running}
              isStop={clientId === stop}
              describedBy={helpId}
              dragging={dragged?.clientId === clientId}
              dropLine={
                drop === clientId ? "above" : drop === null && index === ids.length - 1 ? "below" : null
              }
              handlers={rowHandlers(clientId)}
              onFocus={() => setCurrent(clientId)}
              onKeyDown={(event) => press(event, entry)}
              onEdit={() => edit(entry)}
              onStep={(by) => step(clientId, by)}
            />
          );
        })}
      </ol>
      {dragged && draggedEntry && <DragGhost x={dragged.x} y={dragged.y} text={lineOf(draggedEntry)} />}
    </Section>
  );
}
