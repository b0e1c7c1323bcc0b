// Whether something makes progress by itself. Pure.

import type { ThreadRow } from "../../preload/contract/app";

/** A turn runs that waits for nobody, or a script (by name) does. */
export function isBusy(rows: readonly Pick<ThreadRow, "state">[], scripts: readonly string[]): boolean {
  return scripts.length > 0 || rows.some(({ state }) => state === "running");
}
