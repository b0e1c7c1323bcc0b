import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type KeyContext, type KeyPress, keyMeaning } from "./keys";

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  keyCode: 0,
  isComposing: false,
  shift: false,
  mod: false,
  alt: false,
  atMs: 10_000,
  ...change,
});

const context = (change: Partial<KeyContext> = {}): KeyContext => ({
  composing: false,
  compositionEndedAtMs: null,
  enterSends: true,
  running: false,
  choices: false,
  popup: false,
  empty: false,
  recalled: false,
  stopArmed: false,
  ...change,
});

describe("Enter", () => {
  test("sends, with Shift it is a line end", () => {
    expect(keyMeaning(press("Enter"), context())).toBe("send");
    expect(keyMeaning(press("Enter", { shift: true }), context())).toBe("type");
  });

  test("with the setting that only the command key sends", () => {
    const careful = context({ enterSends: false });
    expect(keyMeaning(press("Enter"), careful)).toBe("type");
    expect(keyMeaning(press("Enter", { mod: true }), careful)).toBe("send");
  });

  test("while a turn runs queues, and steers with one more modifier", () => {
    expect(keyMeaning(press("Enter"), context({ running: true }))).toBe("send");
    expect(keyMeaning(press("Enter", { mod: true }), context({ running: true }))).toBe("steer");
    const careful = context({ running: true, enterSends: false });
    expect(keyMeaning(press("Enter", { mod: true }), careful)).toBe("send");
    expect(keyMeaning(press("Enter", { mod: true, shift: true }), careful)).toBe("steer");
  });
});

describe("input methods", () => {
  test("no key of a composition means anything, in any state", () => {
    const state = fc.record({
      enterSends: fc.boolean(),
      running: fc.boolean(),
      choices: fc.boolean(),
      popup: fc.boolean(),
      empty: fc.boolean(),
      recalled: fc.boolean(),
      stopArmed: fc.boolean(),
    });
    const key = fc.constantFrom("Enter", "Escape", "ArrowUp", "ArrowDown", "Tab");
    const how = fc.constantFrom(
      { press: { isComposing: true }, context: {} },
      { press: { keyCode: 229 }, context: {} },
      { press: {}, context: { composing: true } },
    );
    fc.assert(
      fc.property(key, state, how, (name, some, composing) => {
        expect(keyMeaning(press(name, composing.press), context({ ...some, ...composing.context }))).toBe(
          "type",
        );
      }),
    );
  });

  test("the key that ended a composition does not send, the next one does", () => {
    const ended = context({ compositionEndedAtMs: 9_990 });
    expect(keyMeaning(press("Enter"), ended)).toBe("type");
    expect(keyMeaning(press("Enter", { atMs: 10_200 }), ended)).toBe("send");
  });
});

describe("Escape", () => {
  test("twice stops a turn, once says so", () => {
    expect(keyMeaning(press("Escape"), context({ running: true }))).toBe("arm stop");
    expect(keyMeaning(press("Escape"), context({ running: true, stopArmed: true }))).toBe("stop");
  });

  test("closes the list of files before anything else", () => {
    expect(keyMeaning(press("Escape"), context({ running: true, stopArmed: true, popup: true }))).toBe(
      "close popup",
    );
  });

  test("leaves the field while nothing runs", () => {
    expect(keyMeaning(press("Escape"), context())).toBe("leave");
  });
});

describe("the list of files", () => {
  test("takes the keys that choose, but only while there is something to choose", () => {
    const open = context({ popup: true, choices: true });
    expect(keyMeaning(press("ArrowDown"), open)).toBe("next choice");
    expect(keyMeaning(press("ArrowUp"), open)).toBe("previous choice");
    expect(keyMeaning(press("Enter"), open)).toBe("choose");
    expect(keyMeaning(press("Tab"), open)).toBe("choose");
    expect(keyMeaning(press("Enter"), context({ popup: true }))).toBe("send");
    expect(keyMeaning(press("Enter", { shift: true }), open)).toBe("type");
  });
});

describe("earlier messages", () => {
  test("are called up from an empty field, and while one is shown unchanged", () => {
    expect(keyMeaning(press("ArrowUp"), context({ empty: true }))).toBe("older message");
    expect(keyMeaning(press("ArrowUp"), context({ recalled: true }))).toBe("older message");
    expect(keyMeaning(press("ArrowDown"), context({ recalled: true }))).toBe("newer message");
    expect(keyMeaning(press("ArrowUp"), context())).toBe("type");
    expect(keyMeaning(press("ArrowDown"), context({ empty: true }))).toBe("type");
  });
});
