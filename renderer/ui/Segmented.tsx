import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";

export interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** One of a few, all of them in view. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next);
        if (chosen) onChange(chosen.value);
      }}
      className="flex rounded-s border border-line bg-panel p-0.5"
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          className="flex h-6 items-center rounded-xs px-3 text-s text-ink-2 transition-colors hover:text-ink data-checked:bg-raised data-checked:font-medium data-checked:text-ink data-checked:shadow-low"
        >
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
