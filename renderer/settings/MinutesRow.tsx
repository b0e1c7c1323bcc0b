import { NumberField } from "@base-ui/react/number-field";
import { Minus, Plus } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { SettingRow } from "./SettingRow";

const mostMinutes = 24 * 60;

export interface MinutesRowProps {
  title: string;
  description: ReactNode;
  /** The accessible name of the field. */
  label: string;
  minutes: number;
  /** What one press of a button adds or takes. */
  step: number;
  /** How many digits of a part of a minute count; none by default. */
  digits?: number;
  onChange: (minutes: number) => void;
}

/** A setting in minutes: typed, or with the two buttons. It takes effect with Enter and when it is left. */
export function MinutesRow({
  title,
  description,
  label,
  minutes,
  step,
  digits = 0,
  onChange,
}: MinutesRowProps) {
  const scale = 10 ** digits;
  const typed = useRef<number | null>(minutes);
  const commit = (next: number | null) => {
    if (next === null) return;
    const rounded = Math.round(Math.min(Math.max(next, 0), mostMinutes) * scale) / scale;
    if (rounded !== minutes) onChange(rounded);
  };
  return (
    <SettingRow title={title} description={description}>
      <NumberField.Root
        value={minutes}
        min={0}
        max={mostMinutes}
        step={step}
        smallStep={1 / scale}
        format={{ maximumFractionDigits: digits }}
        onValueChange={(next) => {
          typed.current = next;
        }}
        onValueCommitted={commit}
        className="flex items-center gap-2"
      >
        <NumberField.Group className="flex h-(--h-control) items-center rounded-s border border-field-line bg-raised text-ink-2">
          <NumberField.Decrement
            aria-label="Less"
            className="grid h-full w-7 place-items-center rounded-s hover:bg-hover"
          >
            <Minus size={13} />
          </NumberField.Decrement>
          <NumberField.Input
            aria-label={label}
            // The field itself takes what was typed only when it is left.
            onKeyDown={(event) => event.key === "Enter" && commit(typed.current)}
            className="w-12 bg-transparent text-center text-ink tabular outline-none"
          />
          <NumberField.Increment
            aria-label="More"
            className="grid h-full w-7 place-items-center rounded-s hover:bg-hover"
          >
            <Plus size={13} />
          </NumberField.Increment>
        </NumberField.Group>
        <span className="text-ink-2">minutes</span>
      </NumberField.Root>
    </SettingRow>
  );
}
