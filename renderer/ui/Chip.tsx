import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx";

const tones = {
  plain: "border-line text-ink-2",
  accent: "border-transparent bg-accent-soft text-accent",
  warn: "border-transparent bg-warn-soft text-warn",
  bad: "border-transparent bg-bad-soft text-bad",
  ok: "border-transparent bg-ok-soft text-ok",
};

export interface ChipProps extends ComponentProps<"span"> {
  tone?: keyof typeof tones;
  mono?: boolean;
  icon?: ReactNode;
}

/** A small fact beside a name. Its text is cut with an ellipsis where there is no room. */
export function Chip({ tone = "plain", mono = false, icon, className, children, ...rest }: ChipProps) {
  return (
    <span
      {...rest}
      className={cx(
        "inline-flex h-[22px] min-w-0 items-center gap-1 rounded-full border px-2",
        tones[tone],
        mono ? "font-mono text-xs" : "text-s",
        className,
      )}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}
