import { expect, test } from "vitest";
import { actionOf, belongsToInputMethod, compositionTailMs, type FieldPress } from "./keys";

function press(key: string, part: Partial<FieldPress> = {}): FieldPress {
  return {
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    repeat: false,
    isComposing: false,
    keyCode: 13,
    timeStamp: 1_000,
    ...part,
  };
}

test("Enter sends, with Shift it is a line", () => {
  expect(actionOf(press("Enter"), true, false)).toBe("send");
  expect(actionOf(press("Enter", { shiftKey: true }), true, false)).toBe(null);
  expect(actionOf(press("Enter", { altKey: true }), true, false)).toBe(null);
});

test("without enterSends only the command key sends, each platform with its own", () => {
  expect(actionOf(press("Enter"), false, false)).toBe(null);
  expect(actionOf(press("Enter", { ctrlKey: true }), false, false)).toBe("send");
  expect(actionOf(press("Enter", { metaKey: true }), false, false)).toBe(null);
  expect(actionOf(press("Enter", { metaKey: true }), false, true)).toBe("send");
});

test("the command key with Shift steers", () => {
  expect(actionOf(press("Enter", { ctrlKey: true, shiftKey: true }), true, false)).toBe("steer");
  expect(actionOf(press("Enter", { metaKey: true, shiftKey: true }), false, true)).toBe("steer");
});

test("a key that is held down sends once and writes no lines after it", () => {
  expect(actionOf(press("Enter", { repeat: true }), true, false)).toBe("swallow");
  expect(actionOf(press("Enter", { repeat: true }), false, false)).toBe(null);
  expect(actionOf(press("Enter", { repeat: true, shiftKey: true }), true, false)).toBe(null);
});

test("while an input method composes, no key is ours", () => {
  expect(belongsToInputMethod(press("Enter", { isComposing: true }), -1)).toBe(true);
  expect(belongsToInputMethod(press("Escape", { isComposing: true }), -1)).toBe(true);
  expect(belongsToInputMethod(press("Enter", { keyCode: 229 }), -1)).toBe(true);
  expect(belongsToInputMethod(press("Enter"), Number.NEGATIVE_INFINITY)).toBe(false);
});

test("the key that ended a composition is its end, one pressed after it is not", () => {
  expect(belongsToInputMethod(press("Enter"), 1_000 - compositionTailMs + 1)).toBe(true);
  expect(belongsToInputMethod(press("Enter"), 1_000 - compositionTailMs)).toBe(false);
  expect(belongsToInputMethod(press("a"), 999)).toBe(false);
});
