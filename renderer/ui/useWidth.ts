import { type RefObject, useEffect, useRef, useState } from "react";

/** How wide a box is drawn; `firstPx` until it has been. */
export function useWidth(firstPx: number): { box: RefObject<HTMLDivElement | null>; widthPx: number } {
  const box = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(firstPx);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidthPx(entry.contentRect.width));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, widthPx };
}
