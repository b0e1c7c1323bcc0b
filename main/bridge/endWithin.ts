// The end of a part of Holdfast, waited for no longer than a bound: whatever the part does, the end of Holdfast goes on.
//
// Race: the part ends just when the time is up. Either way it is over once, and what it fails with later is nobody's.

import type { Clock } from "../clock";
import { asFault } from "../fault";
import type { Log } from "../log";

/** Never rejects. */
export function endWithin(
  limitMs: number,
  part: string,
  end: () => Promise<void>,
  { clock, log }: { clock: Clock; log: Log },
): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(limitMs, () => {
      log.error("a part does not end in time", { part, limitMs });
      resolve();
    });
    // It may fail before it has promised anything.
    new Promise<void>((resolve) => resolve(end()))
      .catch((error: unknown) =>
        log.error("a part did not end as it should", { part, error: asFault(error).message }),
      )
      .finally(() => {
        timer.cancel();
        resolve();
      });
  });
}
