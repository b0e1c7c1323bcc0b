import { ChevronDown, TriangleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../ui/cx";

export interface MenuChipProps extends ComponentProps<"button"> {
  what: string;
  /** Said beside it, and in colour. */
  caution?: string | null;
  icon?: ReactNode;
  /** So much of it is to be read before the chips beside it are: they give way first. */
  leastCharacters?: number;
  children: string;
}

/** The button of a menu: what it chooses is in its name, what is chosen is on it. */
export function MenuChip({ what, caution = null, icon, leastCharacters, children, ...rest }: MenuChipProps) {
  return (
    <button
      {...rest}
      type="button"
      style={
        leastCharacters === undefined
          ? undefined
          : { minWidth: `calc(${Math.min(leastCharacters, children.length)}ch + 36px)` }
      }
      aria-label={`${what}: ${children}${caution === null ? "" : `, ${caution}`}`}
      className={cx(
        "inline-flex h-6 min-w-7 items-center gap-1 rounded-full border px-2 text-s transition-colors",
        leastCharacters === undefined ? "shrink-[1000]" : "max-w-48 shrink",
        caution !== null
          ? "border-transparent bg-warn-soft text-warn hover:border-warn/40"
          : "border-line text-ink-2 hover:border-line-strong hover:text-ink data-popup-open:border-line-strong data-popup-open:text-ink",
      )}
    >
      {caution === null ? icon : <TriangleAlert aria-hidden size={12} className="shrink-0" />}
      <span className="truncate">{children}</span>
      <ChevronDown
        aria-hidden
        size={12}
        className={cx("hidden shrink-0 @lg:block", caution === null && "text-ink-3")}
      />
    </button>
  );
}
