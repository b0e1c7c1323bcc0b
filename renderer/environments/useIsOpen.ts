import { type RefObject, useEffect, useRef } from "react";

/** False once the dialog has gone. */
export function useIsOpen(): RefObject<boolean> {
  const open = useRef(true);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);
  return open;
}
