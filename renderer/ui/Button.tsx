import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx";
import { Kbd } from "./Kbd";
import { ariaKeys } from "./keys";
import { Spinner } from "./Spinner";

export type ButtonTone = "primary" | "default" | "quiet" | "danger";
export type ButtonSize = "s" | "m" | "l";

const tones: Record<ButtonTone, string> = {
  primary:
    "bg-accent text-accent-ink hover:not-aria-disabled:bg-accent-hover active:not-aria-disabled:bg-accent-hover",
  default:
    "border border-line-strong bg-raised text-ink shadow-low hover:not-aria-disabled:bg-hover active:not-aria-disabled:bg-pressed",
  quiet:
    "text-ink-2 hover:not-aria-disabled:bg-hover hover:not-aria-disabled:text-ink active:not-aria-disabled:bg-pressed",
  danger:
    "border border-line-strong bg-raised text-bad shadow-low hover:not-aria-disabled:border-bad hover:not-aria-disabled:bg-bad-soft active:not-aria-disabled:bg-bad-soft",
};

const sizes: Record<ButtonSize, string> = {
  s: "h-6 px-2 text-s gap-1",
  m: "h-(--h-control) px-3 text-m gap-1.5",
  l: "h-9 px-4 text-m gap-2",
};

export interface ButtonProps extends Omit<ComponentProps<"button">, "disabled"> {
  tone?: ButtonTone;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Shown on the button and told to assistive technology; pressing it is handled where shortcuts are. */
  shortcut?: string;
  /** Work that this button started is going on: it keeps its size, turns a ring and cannot be pressed. */
  busy?: boolean;
  /** The second press of a double click is none: by then another button may stand in this one's place. */
  once?: boolean;
  /** Stays focusable, so that the keyboard does not lose its place and the reason can be read. */
  disabled?: boolean;
}

export function Button({
  tone = "default",
  size = "m",
  icon,
  shortcut,
  busy = false,
  once = false,
  disabled = false,
  className,
  children,
  onClick,
  onKeyDown,
  type = "button",
  ...rest
}: ButtonProps) {
  const inert = busy || disabled;
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={inert || undefined}
      aria-busy={busy || undefined}
      aria-keyshortcuts={shortcut === undefined ? rest["aria-keyshortcuts"] : ariaKeys(shortcut)}
      onClick={(event) => {
        if (inert || (once && event.detail > 1)) event.preventDefault();
        else onClick?.(event);
      }}
      onKeyDown={(event) => {
        // A key that is held down presses once, and not what has taken the button's place meanwhile.
        if (event.repeat && event.key === "Enter") event.preventDefault();
        onKeyDown?.(event);
      }}
      className={cx(
        "relative inline-flex shrink-0 items-center justify-center rounded-s font-medium whitespace-nowrap transition-colors",
        tones[tone],
        sizes[size],
        disabled && "opacity-50",
        className,
      )}
    >
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner className={tone === "primary" ? "border-accent-ink/35 border-t-accent-ink" : undefined} />
        </span>
      )}
      <span className={cx("contents", busy && "*:opacity-0")}>
        {icon}
        <span>{children}</span>
        {shortcut !== undefined && <Kbd keys={shortcut} onAccent={tone === "primary"} />}
      </span>
    </button>
  );
}
