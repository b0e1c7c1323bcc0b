import { expect, test } from "vitest";
import { anchorAt, Folds, type Place, Places, topFor } from "./place";

const rows = [
  { key: "a", start: 0, end: 100 },
  { key: "b", start: 100, end: 400 },
  { key: "c", start: 400, end: 420 },
];

const place = (change: Partial<Place> = {}): Place => ({
  following: false,
  anchorKey: "b",
  anchorOffsetPx: 50,
  sizes: [],
  ...change,
});

test("the anchor is the row under the top edge", () => {
  expect(anchorAt(rows, 0)).toEqual({ anchorKey: "a", anchorOffsetPx: 0 });
  expect(anchorAt(rows, 150)).toEqual({ anchorKey: "b", anchorOffsetPx: 50 });
  expect(anchorAt(rows, 9_000)).toEqual({ anchorKey: "c", anchorOffsetPx: 8_600 });
  expect(anchorAt([], 10)).toEqual({ anchorKey: null, anchorOffsetPx: 0 });
});

test("coming back puts the anchor where it was, however much is before it now", () => {
  expect(topFor(place(), (key) => (key === "b" ? 1_100 : null))).toBe(1_150);
  expect(topFor(place({ anchorKey: "gone" }), () => null)).toBeNull();
  expect(topFor(place({ anchorKey: null }), () => 0)).toBeNull();
  expect(topFor(place({ anchorOffsetPx: -20 }), () => 0)).toBe(0);
});

test("the threads shown longest ago are forgotten first", () => {
  const places = new Places();
  for (let index = 0; index < 45; index++) places.put(`t${index}`, place());
  expect(places.get("t0")).toBeUndefined();
  expect(places.get("t44")).toBeDefined();
  places.put("t10", place({ following: true }));
  for (let index = 45; index < 80; index++) places.put(`t${index}`, place());
  expect(places.get("t10")?.following).toBe(true);
});

test("folds are remembered, within bounds", () => {
  const folds = new Folds();
  folds.set("x", true);
  expect(folds.get("x")).toBe(true);
  expect(folds.get("y")).toBeUndefined();
  for (let index = 0; index < 3_100; index++) folds.set(`k${index}`, false);
  expect(folds.get("x")).toBeUndefined();
  expect(folds.get("k3099")).toBe(false);
});
