import type { CellLimitSettings } from "../../preload/contract/cells";
import { useApp } from "../state/appStore";
import { changeSettings } from "./change";
import { NumberRow, type NumberRowProps } from "./NumberRow";
import { SettingGroup } from "./SettingRow";

type LimitRow = Omit<NumberRowProps, "value" | "onChange">;

/** Named as the error that says that one was reached. The bounds are those of the contract. */
const rows: Record<keyof CellLimitSettings, LimitRow> = {
  memoryMiB: {
    title: "Memory of a cell",
    description: "Everything that the script holds, about 17 MiB of which are there before it begins.",
    label: "Memory of a cell in MiB",
    least: 24,
    most: 1_024,
    step: 16,
    unit: "MiB",
  },
  runTimeSeconds: {
    title: "Run time of a cell",
    description:
      "How long the script itself may compute. Waiting for a turn, a timer or an answer does not count.",
    label: "Run time of a cell in seconds",
    least: 0.1,
    most: 3_600,
    digits: 1,
    step: 5,
    unit: "seconds",
  },
  outputMiB: {
    title: "Output of a cell",
    description: "All text and images that one run may write.",
    label: "Output of a cell in MiB",
    least: 0.1,
    most: 64,
    digits: 1,
    step: 1,
    unit: "MiB",
  },
  pendingCalls: {
    title: "Pending calls of a cell",
    description: "How much one run may have asked for that is not answered yet.",
    label: "Pending calls of a cell",
    least: 1,
    most: 1_000,
    step: 8,
    unit: "calls",
  },
  cells: {
    title: "Cells at a time",
    description: "How many scripts may run at the same time in one workspace. One more is refused.",
    label: "Cells at a time",
    least: 1,
    most: 64,
    step: 1,
    unit: "cells",
  },
};

/** What one run of a script may use. */
export function CellSettings() {
  const limits = useApp((app) => app.settings.cellLimits);
  return (
    <SettingGroup title="Limits of a script's run">
      <p className="text-s text-pretty text-ink-2">
        A run that reaches one ends with an error that says which; no other run is touched, and the threads it
        has started go on. Changes count from the next run on.
      </p>
      {(Object.keys(rows) as (keyof CellLimitSettings)[]).map((name) => (
        <NumberRow
          key={name}
          {...rows[name]}
          value={limits[name]}
          onChange={(value) => changeSettings({ cellLimits: { ...limits, [name]: value } })}
        />
      ))}
    </SettingGroup>
  );
}
