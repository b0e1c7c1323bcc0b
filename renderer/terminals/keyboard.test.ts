import { expect, it } from "vitest";
import { giveKeyboard, onKeyboard } from "./keyboard";

it("a screen that is there takes the keyboard at once, and no other does", () => {
  const taken: string[] = [];
  const stops = [onKeyboard("a", () => taken.push("a")), onKeyboard("b", () => taken.push("b"))];
  giveKeyboard("b");
  expect(taken).toEqual(["b"]);
  for (const stop of stops) stop();
});

it("one that is drawn soon takes it then, once", () => {
  const taken: string[] = [];
  const old = onKeyboard("old", () => taken.push("old"));
  giveKeyboard("new", 1_000);
  const stop = onKeyboard("new", () => taken.push("new"), 2_000);
  stop();
  old();
  onKeyboard("new", () => taken.push("again"), 2_001)();
  expect(taken).toEqual(["new"]);
});

it("one that is drawn much later leaves the keyboard where it is by then", () => {
  const taken: string[] = [];
  giveKeyboard("late", 1_000);
  onKeyboard("late", () => taken.push("late"), 11_001)();
  expect(taken).toEqual([]);
});
