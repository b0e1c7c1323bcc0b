// Reads what comes in many small pieces in few gulps. codex writes each piece of streamed text by itself, and in Electron every
// arrival is a way from the thread that waits for it to the one that reads: thousands a second, for text that is shown sixty
// times a second.
//
// Races settled here:
// - What comes alone is read at once; only what comes within a gulp of the piece before it is held, and never longer than that.
// - More comes than one read takes: it is read on without a pause, so that nothing is slowed down.
// - The line is cut while it is held: it is over for us when it is read again. Closed by us: nothing is left behind.

import type { Clock, Timer } from "../clock";

/** The part of a socket that is used. */
export interface Line {
  on(event: "data", listener: (piece: { readonly length: number }) => void): unknown;
  once(event: "close", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** Well below a frame, since what it holds still has to be shown. */
export const gulpMs = 5;
/** What Node reads at once; less means that nothing more was there. */
const wholeReadBytes = 64 * 1024;

/** To be called when somebody else reads it already. */
export function readInGulps(line: Line, clock: Clock): void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let held: Timer | null = null;
  line.on("data", ({ length }) => {
    const nowMs = clock.nowMs();
    const isAlone = nowMs - lastMs > gulpMs;
    lastMs = nowMs;
    if (isAlone || held !== null || length >= wholeReadBytes) return;
    line.pause();
    held = clock.after(gulpMs, () => {
      held = null;
      lastMs = clock.nowMs();
      line.resume();
    });
  });
  line.once("close", () => held?.cancel());
}
