import { useEffect, useRef, useState } from "react";

/** `value`, at most once every `pauseMs`; at once when there is no pause. The last value always arrives. */
export function useThrottled<Value>(value: Value, pauseMs: number): Value {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    latest.current = value;
    if (pauseMs === 0 || Object.is(shown, value) || timer.current !== null) return;
    timer.current = setTimeout(() => {
      timer.current = null;
      setShown(() => latest.current);
    }, pauseMs);
  }, [value, shown, pauseMs]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return pauseMs === 0 ? value : shown;
}
