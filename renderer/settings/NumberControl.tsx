import { Minus, Plus } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { cx } from "../ui/cx";
import { amount, type Bounds, readNumber, stepped } from "./bounds";

export interface NumberControlProps extends Bounds {
  /** The accessible name of the field. */
  label: string;
  value: number;
  /** What one press of a button adds or takes. */
  step: number;
  onChange: (value: number) => void;
  /** What was entered cannot be set: why, to be said beside the field. Null: nothing is wrong. */
  onRefused: (said: string | null) => void;
  /** Of what is said then. */
  errorId: string;
  refused: boolean;
}

/**
 * A number: typed, or with the two buttons or the arrow keys. It takes effect with Enter and when it is left. What cannot be
 * set stays in the field, to be corrected, while the old value stays in force; Escape brings that back.
 */
export function NumberControl({
  label,
  value,
  step,
  onChange,
  onRefused,
  errorId,
  refused,
  ...bounds
}: NumberControlProps) {
  /** While it is being typed, or could not be taken; null: it is as it is set. */
  const [typed, setTyped] = useState<string | null>(null);
  const { digits = 0, unit } = bounds;
  const shown = value.toLocaleString("en", { maximumFractionDigits: digits });
  const take = (next: number) => {
    setTyped(null);
    onRefused(null);
    if (next !== value) onChange(next);
  };
  const commit = () => {
    if (typed === null) return;
    const read = readNumber(typed, bounds);
    if (read.ok) take(read.value);
    else onRefused(`${read.said} ${amount(value, unit)} stays in force.`);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") commit();
    else if (event.key === "ArrowUp") take(stepped(value, step, bounds));
    else if (event.key === "ArrowDown") take(stepped(value, -step, bounds));
    else if (event.key === "Escape" && typed !== null) {
      // Not for the dialog, which would close.
      event.stopPropagation();
      setTyped(null);
      onRefused(null);
    } else return;
    event.preventDefault();
  };
  const button = "grid h-full w-7 place-items-center rounded-s hover:bg-hover disabled:opacity-45";
  return (
    <div className="flex items-center gap-2">
      <div
        className={cx(
          "flex h-(--h-control) items-center rounded-s border bg-raised text-ink-2",
          "focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus",
          refused ? "border-bad" : "border-field-line",
        )}
      >
        <button
          type="button"
          // The field has the arrow keys for it.
          tabIndex={-1}
          aria-label={`Less: ${label}`}
          disabled={value <= bounds.least}
          onClick={() => take(stepped(value, -step, bounds))}
          className={button}
        >
          <Minus aria-hidden size={13} />
        </button>
        <input
          type="text"
          inputMode="decimal"
          autoComplete="off"
          aria-label={label}
          aria-invalid={refused || undefined}
          aria-describedby={refused ? errorId : undefined}
          value={typed ?? shown}
          onChange={(event) => {
            setTyped(event.target.value);
            if (refused) onRefused(null);
          }}
          onKeyDown={press}
          onBlur={commit}
          className="w-14 bg-transparent text-center text-ink tabular outline-none focus-visible:outline-none"
        />
        <button
          type="button"
          tabIndex={-1}
          aria-label={`More: ${label}`}
          disabled={value >= bounds.most}
          onClick={() => take(stepped(value, step, bounds))}
          className={button}
        >
          <Plus aria-hidden size={13} />
        </button>
      </div>
      <span className="w-14 text-ink-2">{unit}</span>
    </div>
  );
}
