import { describe, expect, it } from "vitest";
import { ariaKeys, type KeyPress, keyNames, keyText, pressMatches } from "./keys";

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe("a press", () => {
  it.each([
    ["mod+n", press("n", { ctrlKey: true }), false, true],
    ["mod+n", press("n", { metaKey: true }), true, true],
    ["mod+n", press("n", { metaKey: true }), false, false],
    ["mod+n", press("n", { ctrlKey: true }), true, false],
    ["mod+n", press("n"), false, false],
    ["mod+n", press("N", { ctrlKey: true, shiftKey: true }), false, false],
    ["mod+n", press("n", { ctrlKey: true, altKey: true }), false, false],
    ["mod+n", press("n", { ctrlKey: true, metaKey: true }), false, false],
    ["mod+shift+p", press("P", { ctrlKey: true, shiftKey: true }), false, true],
    ["mod+b", press("b", { ctrlKey: true }), false, true],
    ["mod+shift+b", press("b", { ctrlKey: true }), false, false],
    ["/", press("/"), false, true],
    // "/" is Shift+7 on some keyboards, "?" is Shift+ß there: the character is what counts.
    ["/", press("/", { shiftKey: true }), false, true],
    ["?", press("?", { shiftKey: true }), false, true],
    ["mod+,", press(",", { ctrlKey: true }), false, true],
    ["f6", press("F6"), false, true],
    ["f6", press("F6", { shiftKey: true }), false, false],
    ["shift+f6", press("F6", { shiftKey: true }), false, true],
    ["mod+pagedown", press("PageDown", { ctrlKey: true }), false, true],
    ["ctrl+`", press("`", { ctrlKey: true, code: "Backquote" }), false, true],
    ["ctrl+`", press("`", { ctrlKey: true, code: "Backquote" }), true, true],
    ["ctrl+`", press("`", { metaKey: true, code: "Backquote" }), true, false],
    ["ctrl+`", press("~", { ctrlKey: true, shiftKey: true, code: "Backquote" }), false, false],
    ["ctrl+shift+`", press("~", { ctrlKey: true, shiftKey: true, code: "Backquote" }), false, true],
    // On this key is an accent, or "^".
    ["ctrl+`", press("Dead", { ctrlKey: true, code: "Backquote" }), false, true],
    // Cyrillic т is on the key of N.
    ["mod+n", press("т", { ctrlKey: true, code: "KeyN" }), false, true],
    ["mod+n", press("т", { ctrlKey: true, code: "KeyM" }), false, false],
    // With Option, N is the accent of ñ on a Mac.
    ["mod+alt+n", press("Dead", { metaKey: true, altKey: true, code: "KeyN" }), true, true],
    ["mod+alt+n", press("Dead", { metaKey: true, altKey: true, code: "KeyE" }), true, false],
    // A Latin letter is itself, wherever its key is: Dvorak has b on the key of N.
    ["mod+n", press("b", { ctrlKey: true, code: "KeyN" }), false, false],
  ])("%s, %#", (shortcut, key, mac, matches) => {
    expect(pressMatches(key, shortcut, mac)).toBe(matches);
  });
});

it("writes keys as they are printed on the keyboard", () => {
  expect(keyText("mod+shift+n", false)).toBe("Ctrl+Shift+N");
  expect(keyText("mod+shift+n", true)).toBe("⇧⌘N");
  expect(keyText("mod+alt+n", true)).toBe("⌥⌘N");
  expect(keyText("mod+pagedown", false)).toBe("Ctrl+PgDn");
  expect(keyNames("tab", false)).toEqual(["Tab"]);
  expect(keyNames("enter", true)).toEqual(["↩"]);
  expect(keyText("?", false)).toBe("?");
  expect(keyText("mod+click", false)).toBe("Ctrl+Click");
  expect(keyText("mod+ ", false)).toBe("Ctrl+Space");
  expect(keyText("escape", true)).toBe("Esc");
  expect(keyText("shift+f10", false)).toBe("Shift+F10");
});

it("tells assistive technology in its own words", () => {
  expect(ariaKeys("mod+shift+n", false)).toBe("Control+Shift+N");
  expect(ariaKeys("mod+,", true)).toBe("Meta+,");
});
