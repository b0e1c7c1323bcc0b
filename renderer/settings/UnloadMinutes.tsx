import { NumberField } from "@base-ui/react/number-field";
import { Minus, Plus } from "lucide-react";
import { useApp } from "../state/appStore";
import { changeSettings } from "./change";
import { SettingRow } from "./SettingRow";

const mostMinutes = 24 * 60;

export function UnloadMinutes() {
  const minutes = useApp((app) => app.settings.threadUnloadMinutes);
  return (
    <SettingRow
      title="Unload an idle thread after"
      description="A thread that nobody shows and that does nothing. It is loaded again when it is opened. Takes effect when codex is started next."
    >
      <NumberField.Root
        value={minutes}
        min={0}
        max={mostMinutes}
        step={5}
        format={{ maximumFractionDigits: 0 }}
        onValueCommitted={(next) =>
          next !== null && changeSettings({ threadUnloadMinutes: Math.round(next) })
        }
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
            aria-label="Minutes until an idle thread is unloaded"
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
