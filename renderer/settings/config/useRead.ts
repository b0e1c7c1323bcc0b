import { useCallback, useEffect, useRef } from "react";

/** For what is asked again while an earlier answer may still be on its way: each start says whether it is the newest. */
export function useRead(): () => () => boolean {
  const newest = useRef(0);
  useEffect(
    () => () => {
      newest.current += 1;
    },
    [],
  );
  return useCallback(() => {
    newest.current += 1;
    const own = newest.current;
    return () => newest.current === own;
  }, []);
}
