import { Switch as Base } from "@base-ui/react/switch";
import { type ReactNode, useId } from "react";

export interface SwitchProps {
  label: string;
  /** The label is told to assistive technology only. */
  hideLabel?: boolean;
  description?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A setting that is on or off and takes effect at once. */
export function Switch({ label, hideLabel = false, description, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-4">
      <div className="grid flex-1">
        <label id={`${id}-l`} htmlFor={id} className={hideLabel ? "sr-only" : "text-m font-medium"}>
          {label}
        </label>
        {description !== undefined && (
          <p id={`${id}-d`} className="text-s text-ink-3">
            {description}
          </p>
        )}
      </div>
      <Base.Root
        id={id}
        aria-labelledby={`${id}-l`}
        aria-describedby={description === undefined ? undefined : `${id}-d`}
        checked={checked}
        onCheckedChange={(value) => onChange(value)}
        className="mt-0.5 flex h-4 w-7 shrink-0 rounded-full bg-field-line p-0.5 transition-colors data-checked:bg-accent"
      >
        <Base.Thumb className="size-3 rounded-full bg-raised shadow-low transition-transform data-checked:translate-x-3 data-checked:bg-accent-ink" />
      </Base.Root>
    </div>
  );
}
