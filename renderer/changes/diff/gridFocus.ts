// The keyboard goes from one difference to the next one, which is not on the screen yet when that is asked for.

export type Arrival = "first change" | "last change" | "as it is";

const waitsMs = 5_000;
let wanted: { arrival: Arrival; untilMs: number } | null = null;

/** The next difference that comes on screen, if that is soon, has the keyboard. */
export function focusNextGrid(arrival: Arrival, nowMs = performance.now()): void {
  wanted = { arrival, untilMs: nowMs + waitsMs };
}

/** For a difference that has come on screen. Null: it is not to have the keyboard. */
export function takeGridFocus(nowMs = performance.now()): Arrival | null {
  const taken = wanted;
  wanted = null;
  return taken !== null && nowMs <= taken.untilMs ? taken.arrival : null;
}
