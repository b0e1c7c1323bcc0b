// Says when what was just put into the stores is on the screen. A frame callback runs before the paint, so the end of
// the frame is the task after it. A hidden window gets no frames at all: there a timer stands in, so that main is never
// left waiting for an acknowledgement.

export interface PaintSource {
  frame(callback: () => void): () => void;
  timer(callback: () => void, delayMs: number): () => void;
  hidden(): boolean;
}

const hiddenDelayMs = 100;
/** A window can stop getting frames without being told that it is hidden (covered, on another desktop). */
const coveredDelayMs = 400;

export function afterPaint(source: PaintSource, callback: () => void): () => void {
  if (source.hidden()) return source.timer(callback, hiddenDelayMs);
  let done = false;
  const finish = () => {
    if (done) return;
    done = true;
    cancelFrame();
    cancelTimer();
    cancelTask();
    callback();
  };
  let cancelTask = () => {};
  const cancelFrame = source.frame(() => {
    cancelTask = source.timer(finish, 0);
  });
  const cancelTimer = source.timer(finish, coveredDelayMs);
  return () => {
    done = true;
    cancelFrame();
    cancelTimer();
    cancelTask();
  };
}

export const windowPaint: PaintSource = {
  frame(callback) {
    const id = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(id);
  },
  timer(callback, delayMs) {
    const id = setTimeout(callback, delayMs);
    return () => clearTimeout(id);
  },
  hidden: () => document.hidden,
};
