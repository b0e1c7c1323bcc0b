import { expect, it } from "vitest";
import { giveKeyboard, giveKeyboardNext, onKeyboard } from "./keyboard";

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

it("goes to the next screen of a terminal that is drawn in another place, and not to the one that is there", () => {
  const heard: string[] = [];
  const leave = onKeyboard("moved", () => heard.push("before"), 0);
  giveKeyboardNext("moved", 0);
  expect(heard).toEqual([]);
  leave();
  onKeyboard("moved", () => heard.push("after"), 10)();
  expect(heard).toEqual(["after"]);
});
