import { expect, test } from "vitest";
import { escapeMeans } from "./escapeStops";

const scene = { isEmpty: true, canStop: true, isAsked: false };
const press = { repeat: false };

test("the first Escape in the empty field asks, the second stops", () => {
  expect(escapeMeans(scene, press)).toBe("ask");
  expect(escapeMeans({ ...scene, isAsked: true }, press)).toBe("stop");
});

test("one that is held down stops nothing", () => {
  expect(escapeMeans({ ...scene, isAsked: true }, { repeat: true })).toBe("held");
});

test("with something written, or nothing that could be stopped, Escape means what it always means", () => {
  for (const isAsked of [false, true]) {
    expect(escapeMeans({ ...scene, isAsked, isEmpty: false }, press)).toBe(null);
    expect(escapeMeans({ ...scene, isAsked, canStop: false }, press)).toBe(null);
    expect(escapeMeans({ ...scene, isAsked, canStop: false }, { repeat: true })).toBe(null);
  }
});
