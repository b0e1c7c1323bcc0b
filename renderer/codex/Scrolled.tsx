import type { ReactNode } from "react";
import { cx } from "../ui/cx";

/** What may be larger than its place: it scrolls, with the keyboard too. */
export function Scrolled({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to
      tabIndex={0}
      aria-label={label}
      className={cx("ring-inset overflow-auto", className)}
    >
      {children}
    </section>
  );
}
