import { NumberField } from "@base-ui/react/number-field";
import { Minus, Plus } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { type Bounds, boundNumber } from "./bounds";
import { SettingRow } from "./SettingRow";

export interface NumberRowProps extends Bounds {
  title: string;
  description: ReactNode;
  /** The accessible name of the field. */
  label: string;
  value: number;
  /** What one press of a button adds or takes. */
  step: number;
  onChange: (value: number) => void;
}

/**
 * A setting that is a number: typed, or with the two buttons. It takes effect with Enter and when it is left. What is out of
 * bounds becomes the nearest that can be set, and that is said.
 */
export function NumberRow({ title, description, label, value, step, onChange, ...bounds }: NumberRowProps) {
  /** While it is being typed; null: it is as it is set. */
  const [typed, setTyped] = useState<number | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const saidId = useId();
  const { least, most, digits = 0, unit } = bounds;
  const commit = (next: number | null) => {
    setTyped(null);
    if (next === null) return;
    const bounded = boundNumber(next, bounds);
    setSaid(bounded.said);
    if (bounded.value !== value) onChange(bounded.value);
  };
  return (
    <SettingRow title={title} description={description}>
      <div className="grid justify-items-end gap-1">
        <NumberField.Root
          value={typed ?? value}
          min={least}
          max={most}
          // What is typed is bounded here, so that it can be said.
          allowOutOfRange
          step={step}
          smallStep={1 / 10 ** digits}
          format={{ maximumFractionDigits: digits }}
          onValueChange={(next) => {
            setTyped(next);
            setSaid(null);
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
              aria-describedby={said === null ? undefined : saidId}
              // The field itself takes what was typed only when it is left.
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.currentTarget.blur();
                event.currentTarget.focus();
              }}
              className="w-12 bg-transparent text-center text-ink tabular outline-none"
            />
            <NumberField.Increment
              aria-label="More"
              className="grid h-full w-7 place-items-center rounded-s hover:bg-hover"
            >
              <Plus size={13} />
            </NumberField.Increment>
          </NumberField.Group>
          <span className="w-14 text-ink-2">{unit}</span>
        </NumberField.Root>
        {said !== null && (
          <p id={saidId} role="status" className="max-w-60 text-right text-s text-pretty text-warn">
            {said}
          </p>
        )}
      </div>
    </SettingRow>
  );
}
