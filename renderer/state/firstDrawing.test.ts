import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { appStore } from "./appStore";
import { drawOnceKnown } from "./firstDrawing";
import { uiStore } from "./uiStore";

const fault = { code: "x", message: "No.", retryable: false };

beforeEach(() => {
  vi.useFakeTimers();
  appStore.setState({ shown: { phase: "connecting" } });
  uiStore.setState({ layoutKnown: false });
});
afterEach(() => void vi.useRealTimers());

test("it is drawn once, when the state and the layout are known, in whichever order", () => {
  const draw = vi.fn();
  drawOnceKnown(draw);
  uiStore.setState({ layoutKnown: true });
  expect(draw).not.toHaveBeenCalled();
  appStore.setState({ shown: { phase: "failed", fault, retrying: true } });
  expect(draw).toHaveBeenCalledTimes(1);
  uiStore.setState({ layoutKnown: true });
  vi.advanceTimersByTime(10_000);
  expect(draw).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("what is known already is drawn at once", () => {
  appStore.setState({ shown: { phase: "failed", fault, retrying: true } });
  uiStore.setState({ layoutKnown: true });
  const draw = vi.fn();
  drawOnceKnown(draw);
  expect(draw).toHaveBeenCalledTimes(1);
});

test("when main says nothing, it is drawn all the same, once", () => {
  const draw = vi.fn();
  drawOnceKnown(draw);
  vi.advanceTimersByTime(399);
  expect(draw).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  uiStore.setState({ layoutKnown: true });
  appStore.setState({ shown: { phase: "failed", fault, retrying: true } });
  expect(draw).toHaveBeenCalledTimes(1);
});
