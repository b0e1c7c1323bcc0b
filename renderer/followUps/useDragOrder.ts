// Dragging a row of a list to another place with the pointer.
//
// Races, and what settles each:
// - The list changes under the drag: where it would come to stand is looked up again in the rows as they are then, with the
//   pointer where it was; a row that has gone ends its drag.
// - The pointer is let go outside the window, or the system takes it (a gesture, another window): capture brings the former
//   to the row, and the latter ends the drag without moving anything.

import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { dropPlace, type Place, type RowBox, standsThere } from "./order";

export interface Dragged {
  clientId: string;
  /** Where it would come to stand. */
  before: Place;
  /** It would stay where it is. */
  stays: boolean;
  x: number;
  y: number;
}

interface Held {
  clientId: string;
  pointerId: number;
  x: number;
  y: number;
  row: HTMLElement;
  isDragging: boolean;
}

/** A press that moves less than this is a click. */
const dragFromPx = 4;
const edgePx = 36;
const scrolledPx = 9;

export interface DragOrderOptions {
  list: RefObject<HTMLElement | null>;
  ids: readonly string[];
  onDrop: (clientId: string, before: Place) => void;
  /** The dragged row has gone. */
  onLost: () => void;
}

/** Rows are the elements of the list with `data-row`. What is in a row with `data-no-drag` is not held by it. */
export function useDragOrder({ list, ids, onDrop, onLost }: DragOrderOptions) {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const held = useRef<Held | null>(null);
  const now = useRef({ ids, onDrop, onLost });
  now.current = { ids, onDrop, onLost };

  const look = () => {
    const drag = held.current;
    if (!drag?.isDragging || !list.current) return null;
    const before = dropPlace(rowBoxes(list.current), drag.clientId, drag.y);
    const stays = standsThere(now.current.ids, drag.clientId, before);
    const next: Dragged = { clientId: drag.clientId, before, stays, x: drag.x, y: drag.y };
    setDragged(next);
    return next;
  };
  const end = () => {
    held.current = null;
    setDragged(null);
  };
  const lookAgain = useRef(look);
  lookAgain.current = look;

  useLayoutEffect(() => {
    const drag = held.current;
    if (!drag?.isDragging) return;
    if (ids.includes(drag.clientId)) lookAgain.current();
    else {
      held.current = null;
      setDragged(null);
      now.current.onLost();
    }
  }, [ids]);

  const isDragging = dragged !== null;
  useEffect(() => {
    if (!isDragging) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      held.current = null;
      setDragged(null);
    };
    window.addEventListener("keydown", press, { capture: true });
    const scroller = scrollerOf(list.current);
    let frame = requestAnimationFrame(function scroll() {
      const { top, bottom } = scroller?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      const y = held.current?.y ?? top + edgePx;
      const by = y < top + edgePx ? -scrolledPx : y > bottom - edgePx ? scrolledPx : 0;
      const from = scroller?.scrollTop;
      if (by !== 0) scroller?.scrollBy(0, by);
      if (scroller?.scrollTop !== from) lookAgain.current();
      frame = requestAnimationFrame(scroll);
    });
    return () => {
      window.removeEventListener("keydown", press, { capture: true });
      cancelAnimationFrame(frame);
    };
  }, [isDragging, list]);

  return {
    dragged,
    /** For each row. */
    rowHandlers: (clientId: string) => ({
      onPointerDown(event: PointerEvent<HTMLElement>) {
        const { target } = event;
        if (event.button !== 0 || !event.isPrimary || !(target instanceof Element)) return;
        // A menu of the row is elsewhere on the page.
        if (!event.currentTarget.contains(target) || target.closest("[data-no-drag]")) return;
        // A finger on the text scrolls; on the grip it drags.
        if (event.pointerType === "touch" && !target.closest("[data-grip]")) return;
        const { pointerId, clientX: x, clientY: y, currentTarget: row } = event;
        held.current = { clientId, pointerId, x, y, row, isDragging: false };
      },
      onPointerMove({ pointerId, buttons, clientX, clientY }: PointerEvent<HTMLElement>) {
        const drag = held.current;
        if (drag?.pointerId !== pointerId) return;
        if (buttons === 0) {
          end();
          return;
        }
        if (!drag.isDragging) {
          if (Math.hypot(clientX - drag.x, clientY - drag.y) < dragFromPx) return;
          drag.isDragging = true;
          drag.row.setPointerCapture(pointerId);
        }
        drag.x = clientX;
        drag.y = clientY;
        look();
      },
      onPointerUp({ pointerId, clientX, clientY }: PointerEvent<HTMLElement>) {
        const drag = held.current;
        if (drag?.pointerId !== pointerId) return;
        drag.x = clientX;
        drag.y = clientY;
        const dropped = look();
        end();
        if (dropped && !dropped.stays) now.current.onDrop(dropped.clientId, dropped.before);
      },
      onPointerCancel: end,
      onLostPointerCapture: end,
    }),
  };
}

function rowBoxes(list: HTMLElement): RowBox[] {
  return [...list.querySelectorAll<HTMLElement>("[data-row]")].map((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return { clientId: row.dataset.row ?? "", top, bottom };
  });
}

function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let each = element?.parentElement ?? null; each; each = each.parentElement) {
    if (/(auto|scroll)/.test(getComputedStyle(each).overflowY)) return each;
  }
  return null;
}
