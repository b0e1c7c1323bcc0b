// When a card last appeared or moved, by the clock of events. What can move it: its own drawing, a scroll, a change of
// size around it. Each of them only compares the place with the one before; nothing runs while nothing happens.

import { type RefObject, useLayoutEffect, useRef } from "react";

export function useMovedAt(card: RefObject<HTMLElement | null>, requestKey: string): RefObject<number> {
  const movedAt = useRef(performance.now());
  const place = useRef<{ key: string; x: number; y: number; width: number; height: number } | null>(null);

  const look = useRef(() => {});
  look.current = () => {
    const element = card.current;
    if (!element) return;
    const { x, y, width, height } = element.getBoundingClientRect();
    const before = place.current;
    const same =
      before !== null &&
      before.key === requestKey &&
      Math.abs(before.x - x) < 1 &&
      Math.abs(before.y - y) < 1 &&
      Math.abs(before.width - width) < 1 &&
      Math.abs(before.height - height) < 1;
    if (same) return;
    place.current = { key: requestKey, x, y, width, height };
    movedAt.current = performance.now();
  };

  useLayoutEffect(() => look.current());
  useLayoutEffect(() => {
    const element = card.current;
    if (!element) return;
    const moved = () => look.current();
    const sizes = new ResizeObserver(moved);
    for (
      let each: HTMLElement | null = element;
      each !== null && each !== document.body;
      each = each.parentElement
    ) {
      sizes.observe(each);
      // What stands above it in the same column pushes it down without changing its own size.
      for (const sibling of each.parentElement?.children ?? []) sizes.observe(sibling);
    }
    window.addEventListener("scroll", moved, { capture: true, passive: true });
    return () => {
      sizes.disconnect();
      window.removeEventListener("scroll", moved, { capture: true });
    };
  }, [card]);

  return movedAt;
}
