import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx";
import { Said } from "./Said";

export interface TextFieldProps extends Omit<ComponentProps<"input">, "onChange" | "value"> {
  label: string;
  /** The label is told to assistive technology only; the placeholder or what stands around it says it to the eye. */
  hideLabel?: boolean;
  value: string;
  onChange: (value: string) => void;
  description?: ReactNode;
  error?: string | null;
  mono?: boolean;
  /** Stands inside the field, before and after the text. */
  before?: ReactNode;
  after?: ReactNode;
}

export function TextField({
  label,
  hideLabel = false,
  value,
  onChange,
  description,
  error,
  mono = false,
  before,
  after,
  className,
  ...rest
}: TextFieldProps) {
  const id = useId();
  const describedBy = [description !== undefined && `${id}-d`, error && `${id}-e`].filter(Boolean).join(" ");
  return (
    <div className={cx("grid gap-1", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-s font-medium text-ink"}>
        {label}
      </label>
      <div
        className={cx(
          "flex h-(--h-control) items-center gap-1.5 rounded-s border bg-raised px-2 text-ink-3",
          "focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus",
          error ? "border-bad" : "border-field-line",
        )}
      >
        {before}
        <input
          autoComplete="off"
          spellCheck={false}
          {...rest}
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          className={cx(
            "min-w-0 flex-1 bg-transparent text-ink outline-none focus-visible:outline-none",
            mono ? "font-mono text-s" : "text-m",
          )}
        />
        {after}
      </div>
      {description !== undefined && (
        <p id={`${id}-d`} className="text-s text-ink-3">
          {description}
        </p>
      )}
      {error && (
        <p id={`${id}-e`} role="alert" className="text-s text-bad">
          <Said>{error}</Said>
        </p>
      )}
    </div>
  );
}
