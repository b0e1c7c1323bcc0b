import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import { cx } from "./cx";

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  description?: string;
}

export interface SelectProps<Value extends string> {
  /** The accessible name. */
  label: string;
  value: Value;
  options: readonly SelectOption<Value>[];
  onChange: (value: Value) => void;
  /** `quiet`: without an edge until the pointer is on it, for tool rows. */
  tone?: "default" | "quiet";
  side?: "top" | "bottom";
  disabled?: boolean;
  className?: string;
}

export function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
  tone = "default",
  side = "bottom",
  disabled = false,
  className,
}: SelectProps<Value>) {
  const shown = options.find((option) => option.value === value)?.label ?? value;
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled}
      modal={false}
    >
      <Base.Trigger
        aria-label={`${label}: ${shown}`}
        className={cx(
          "inline-flex h-(--h-control) min-w-0 items-center gap-1.5 rounded-s px-2 text-m transition-colors",
          tone === "default"
            ? "justify-between border border-field-line bg-raised hover:bg-hover"
            : "h-6 text-s text-ink-2 hover:bg-hover hover:text-ink data-popup-open:bg-hover",
          "data-disabled:opacity-50",
          className,
        )}
      >
        <Base.Value className="truncate">{shown}</Base.Value>
        <Base.Icon>
          <ChevronDown aria-hidden size={14} className="text-ink-3" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner
          side={side}
          sideOffset={4}
          collisionPadding={8}
          alignItemWithTrigger={false}
          className="z-50 outline-none"
        >
          <Base.Popup
            aria-label={label}
            className="max-h-(--available-height) max-w-90 min-w-(--anchor-width) overflow-y-auto rounded-m border border-line bg-raised p-1 text-ink shadow-pop outline-none transition-opacity duration-75 data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="flex min-h-7 gap-2 rounded-s px-2 py-1 outline-none data-highlighted:bg-hover"
              >
                <span className="grid h-5 w-4 shrink-0 place-items-center">
                  <Base.ItemIndicator>
                    <Check size={14} className="text-accent" />
                  </Base.ItemIndicator>
                </span>
                <span className="grid min-w-0">
                  <Base.ItemText>{option.label}</Base.ItemText>
                  {option.description !== undefined && (
                    <span className="text-s text-pretty text-ink-3">{option.description}</span>
                  )}
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
