// The limits of a cell as the person sets them, in the units of the runtime.

import type { CellLimitSettings } from "../../../preload/contract/cells";
import type { CellLimits } from "../runtime/limits";

const mib = 1024 * 1024;

export function limitsOf(settings: CellLimitSettings): CellLimits {
  return {
    memoryBytes: Math.round(settings.memoryMiB * mib),
    runTimeMs: Math.round(settings.runTimeSeconds * 1000),
    outputBytes: Math.round(settings.outputMiB * mib),
    pendingCalls: settings.pendingCalls,
    cells: settings.cells,
  };
}
