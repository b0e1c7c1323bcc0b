// When the pointer was last moved by hand. The browser also reports moves when the page shifts under a resting pointer;
// those leave its place on the screen as it was, and do not count.

let at = { x: Number.NaN, y: Number.NaN };
let movedAtMs = 0;

window.addEventListener(
  "pointermove",
  (event) => {
    if (event.screenX === at.x && event.screenY === at.y) return;
    at = { x: event.screenX, y: event.screenY };
    movedAtMs = event.timeStamp;
  },
  { capture: true, passive: true },
);

/** By the clock of events. */
export function aimedAtMs(): number {
  return movedAtMs;
}
