import { ChevronDown, TriangleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../ui/cx";
import { Hint } from "../ui/Hint";
import { rankAttribute } from "./PillRow";

/** Which pills keep their words longest where there is little room; see PillRow.tsx. */
export const pillRanks = {
  place: 6,
  plan: 5,
  model: 4,
  where: 3,
  sandbox: 2,
  approvals: 1,
  code: 0,
} as const;

export interface MenuChipProps extends ComponentProps<"button"> {
  what: string;
  rank: keyof typeof pillRanks;
  /** What is known of what is chosen, for its hint. */
  detail?: string | null;
  /** Said beside it, and in colour. */
  caution?: string | null;
  /** Where there is no room for words it stands alone. */
  icon: ReactNode;
  children: string;
}

/** The button of a menu: what it chooses is in its name, what is chosen is on it. */
export function MenuChip({
  what,
  rank,
  detail = null,
  caution = null,
  icon,
  children,
  ...rest
}: MenuChipProps) {
  const name = `${what}: ${children}${caution === null ? "" : `, ${caution}`}`;
  return (
    <Hint text={detail === null ? name : `${name} (${detail})`} side="top">
      <button
        {...rest}
        {...{ [rankAttribute]: pillRanks[rank] }}
        type="button"
        aria-label={name}
        className={cx(
          "group/pill inline-flex h-6 min-w-7 max-w-60 shrink-0 items-center justify-center gap-1 rounded-full border px-2 text-s transition-colors data-collapsed:px-1 data-tight:px-1.5",
          caution !== null
            ? "border-transparent bg-warn-soft text-warn hover:border-warn/40"
            : "border-line text-ink-2 hover:border-line-strong hover:text-ink data-popup-open:border-line-strong data-popup-open:text-ink",
        )}
      >
        <span className="grid shrink-0 place-items-center">{icon}</span>
        <span className="truncate group-data-collapsed/pill:hidden">{children}</span>
        {caution !== null && (
          <TriangleAlert aria-hidden size={12} className="shrink-0 group-data-collapsed/pill:hidden" />
        )}
        <ChevronDown
          aria-hidden
          size={12}
          className={cx(
            "shrink-0 group-data-collapsed/pill:hidden group-data-tight/pill:hidden",
            caution === null && "text-ink-3",
          )}
        />
      </button>
    </Hint>
  );
}
