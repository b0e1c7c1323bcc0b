import { type RefObject, useLayoutEffect } from "react";

/** Tells the page how high the composer is, as `--h-composer`: what floats above the window keeps clear of it. */
export function useToldHeight(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() => style.setProperty("--h-composer", `${element.offsetHeight}px`));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      style.removeProperty("--h-composer");
    };
  }, [box]);
}
