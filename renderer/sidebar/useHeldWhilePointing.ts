// "Nothing moves under the pointer": while someone points at a list, what would move in it is held back. A pointer that
// only lies there does not hold anything for ever: it has to have moved a moment ago.

import { useEffect, useMemo, useRef } from "react";

const restMs = 2_000;

export interface PointingHandlers {
  onPointerMove: () => void;
  onPointerDown: () => void;
  onPointerLeave: () => void;
}

export function useHeldWhilePointing(hold: (held: boolean) => void): PointingHandlers {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const held = useRef(hold);
  held.current = hold;
  const handlers = useMemo(() => {
    const release = () => {
      if (timer.current === null) return;
      clearTimeout(timer.current);
      timer.current = null;
      held.current(false);
    };
    const touch = () => {
      if (timer.current === null) held.current(true);
      else clearTimeout(timer.current);
      timer.current = setTimeout(release, restMs);
    };
    return { release, onPointerMove: touch, onPointerDown: touch, onPointerLeave: release };
  }, []);
  useEffect(() => handlers.release, [handlers]);
  const { release: _release, ...props } = handlers;
  return props;
}
