import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx";
import { Hint, type Side } from "./Hint";
import { ariaKeys } from "./keys";

const sizes = { xs: "size-5", s: "size-6", m: "size-(--h-control)" };

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children" | "disabled"> {
  /** The accessible name, and the words of the tooltip. */
  label: string;
  icon: ReactNode;
  shortcut?: string;
  size?: keyof typeof sizes;
  tone?: "quiet" | "primary" | "danger";
  side?: Side;
  disabled?: boolean;
}

const tones = {
  quiet:
    "text-ink-2 hover:not-aria-disabled:bg-hover hover:not-aria-disabled:text-ink active:not-aria-disabled:bg-pressed data-popup-open:bg-hover aria-pressed:text-ink",
  primary: "bg-accent text-accent-ink hover:not-aria-disabled:bg-accent-hover",
  danger: "text-bad hover:not-aria-disabled:bg-bad-soft",
};

export function IconButton({
  label,
  icon,
  shortcut,
  size = "m",
  tone = "quiet",
  side,
  disabled = false,
  className,
  onClick,
  type = "button",
  ...rest
}: IconButtonProps) {
  return (
    <Hint text={label} shortcut={shortcut} side={side}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        aria-disabled={disabled || undefined}
        aria-keyshortcuts={shortcut === undefined ? undefined : ariaKeys(shortcut)}
        onClick={(event) => {
          if (disabled) event.preventDefault();
          else onClick?.(event);
        }}
        className={cx(
          "inline-grid shrink-0 place-items-center rounded-s transition-colors",
          tones[tone],
          sizes[size],
          disabled && "opacity-45",
          className,
        )}
      >
        {icon}
      </button>
    </Hint>
  );
}
