// Reads what comes in many small pieces in few gulps. codex writes each piece of streamed text by itself, and in Electron every
// arrival is a way from the thread that waits for it to the one that reads: thousands a second, for text that is shown thirty
// times a second.
//
// Races settled here:
// - What comes alone is read at once; only what comes within a gulp of the piece before it is held, and for two gulps at most.
// - A long message comes, or a great deal of anything: it is read on without a pause, so that nothing is slowed down.
// - The line is cut while it is held: it is over for us when it is read again. Closed by us: nothing is left behind.

import type { Clock, Timer } from "../clock";

/** The part of a WebSocket that is used. */
export interface Held {
  pause(): void;
  resume(): void;
}

/** The part of the socket below it that is used. */
export interface Line {
  on(event: "data", listener: (piece: { readonly length: number }) => void): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** Well below a frame, since what it holds still has to be shown. */
export const gulpMs = 8;
/** More than that at once is no trickle: a long message is on its way, or a gulp has come. */
const smallBytes = 8 * 1024;

/**
 * For the socket below. A pause keeps the stream from handing over, not from reading: it goes on to read, piece by piece, up to
 * this mark.
 */
export const gulpOptions = { readableHighWaterMark: 1 };

/** To be called when somebody else reads it already. */
export function readInGulps(socket: Held, line: Line, clock: Clock): void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let held: Timer | null = null;
  line.on("data", ({ length }) => {
    const nowMs = clock.nowMs();
    const isAlone = nowMs - lastMs > gulpMs;
    lastMs = nowMs;
    if (isAlone || held !== null || length > smallBytes) return;
    socket.pause();
    held = clock.after(gulpMs, () => {
      held = null;
      lastMs = clock.nowMs();
      socket.resume();
    });
  });
  line.once("close", () => held?.cancel());
}
