// When a page is drawn for the first time: once what it shows is known, so that nothing else is drawn before, or after a
// moment, with words that say what it waits for.

import { appStore } from "./appStore";
import { uiStore } from "./uiStore";

/** Well before anybody wonders; a start takes less. */
const waitMs = 400;

/** Calls `draw` once. */
export function drawOnceKnown(draw: () => void): void {
  const isKnown = () => appStore.getState().shown.phase !== "connecting" && uiStore.getState().layoutKnown;
  const begin = () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
    draw();
  };
  const look = () => {
    if (isKnown()) begin();
  };
  const timer = setTimeout(begin, waitMs);
  const stops = [appStore.subscribe(look), uiStore.subscribe(look)];
  look();
}
