import { expect, it } from "vitest";
import { afterPaint } from "./afterPaint";
import { FakePaint } from "./testPort";

function watched(paint: FakePaint) {
  const state = { calls: 0 };
  const cancel = afterPaint(paint, () => {
    state.calls += 1;
  });
  return { state, cancel };
}

it("comes in the task after the frame, once", () => {
  const paint = new FakePaint();
  const { state } = watched(paint);
  paint.runFrames();
  expect(state.calls).toBe(0);
  paint.runTimers(0);
  expect(state.calls).toBe(1);
  paint.runTimers(10_000);
  expect(state.calls).toBe(1);
});

it("comes without a frame in a hidden window, and in one that gets no frames", () => {
  const hidden = new FakePaint();
  hidden.isHidden = true;
  const first = watched(hidden);
  expect(hidden.frames).toHaveLength(0);
  hidden.runTimers(100);
  expect(first.state.calls).toBe(1);

  const covered = new FakePaint();
  const second = watched(covered);
  covered.runTimers(399);
  expect(second.state.calls).toBe(0);
  covered.runTimers(400);
  expect(second.state.calls).toBe(1);
  expect(covered.frames).toHaveLength(0);
});

it.each(["before the frame", "between the frame and its end"])("does not come when cancelled %s", (when) => {
  const paint = new FakePaint();
  const { state, cancel } = watched(paint);
  if (when !== "before the frame") paint.runFrames();
  cancel();
  paint.runFrames();
  paint.runTimers(10_000);
  expect(state.calls).toBe(0);
  expect(paint.timers).toHaveLength(0);
});
