import { expect, test } from "vitest";
import { folderKey } from "./folderKeys";

const names = ["app", "Archive", "bin", "lib"];
const plain = (key: string) => ({ key, modified: false });

test("the arrows move within the list and stop at its ends", () => {
  expect(folderKey(plain("ArrowDown"), 0, names, true)).toEqual({ does: "move", to: 1 });
  expect(folderKey(plain("ArrowDown"), 3, names, true)).toEqual({ does: "nothing" });
  expect(folderKey(plain("ArrowUp"), 0, names, true)).toEqual({ does: "nothing" });
  expect(folderKey(plain("Home"), 2, names, true)).toEqual({ does: "move", to: 0 });
  expect(folderKey(plain("End"), 0, names, true)).toEqual({ does: "move", to: 3 });
});

test("to the right is into a folder, to the left is out of it, where there is one above", () => {
  expect(folderKey(plain("ArrowRight"), 2, names, true)).toEqual({ does: "open" });
  expect(folderKey(plain("ArrowLeft"), 2, names, true)).toEqual({ does: "up" });
  expect(folderKey(plain("Backspace"), 2, names, true)).toEqual({ does: "up" });
  expect(folderKey(plain("ArrowLeft"), 2, names, false)).toEqual({ does: "nothing" });
});

test("an empty folder can be left, and nothing else", () => {
  expect(folderKey(plain("ArrowLeft"), 0, [], true)).toEqual({ does: "up" });
  for (const key of ["ArrowDown", "ArrowRight", "Home", "End", "a"])
    expect(folderKey(plain(key), 0, [], true)).toEqual({ does: "nothing" });
});

test("a letter goes to the next folder that begins with it, around the end", () => {
  expect(folderKey(plain("a"), 0, names, true)).toEqual({ does: "move", to: 1 });
  expect(folderKey(plain("a"), 1, names, true)).toEqual({ does: "move", to: 0 });
  expect(folderKey(plain("L"), 0, names, true)).toEqual({ does: "move", to: 3 });
  expect(folderKey(plain("z"), 0, names, true)).toEqual({ does: "nothing" });
});

test("what is pressed with a modifier is for somebody else, and Enter and Space press the folder itself", () => {
  expect(folderKey({ key: "a", modified: true }, 0, names, true)).toEqual({ does: "nothing" });
  expect(folderKey(plain("Enter"), 0, names, true)).toEqual({ does: "nothing" });
  expect(folderKey(plain(" "), 0, names, true)).toEqual({ does: "nothing" });
});
