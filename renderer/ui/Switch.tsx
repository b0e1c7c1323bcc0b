import { Switch as Base } from "@base-ui/react/switch";

export interface SwitchControlProps {
  /** The accessible name. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** On or off, at once. What it is about stands beside it. */
export function SwitchControl({ label, checked, onChange }: SwitchControlProps) {
  return (
    <Base.Root
      aria-label={label}
      checked={checked}
      onCheckedChange={(value) => onChange(value)}
      className="flex h-4 w-7 shrink-0 rounded-full bg-field-line p-0.5 transition-colors data-checked:bg-accent"
    >
      <Base.Thumb className="size-3 rounded-full bg-raised shadow-low transition-transform data-checked:translate-x-3 data-checked:bg-accent-ink" />
    </Base.Root>
  );
}
