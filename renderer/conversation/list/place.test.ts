import { expect, test } from "vitest";
import { anchorAt, anchorOf, Folds, type Place, Places, sizesAround } from "./place";

const place = (change: Partial<Place> = {}): Place => ({
  following: false,
  anchorKey: "b",
  anchorOffsetPx: 50,
  sizes: [],
  ...change,
});

const drawn = (topPx: number) => [
  { key: "a", topPx, bottomPx: topPx + 100 },
  { key: "b", topPx: topPx + 100, bottomPx: topPx + 400 },
  { key: "c", topPx: topPx + 400, bottomPx: topPx + 420 },
];

test("the anchor is the row under the top edge", () => {
  expect(anchorAt(drawn(44), null)).toEqual({ key: "a", offsetPx: -44 });
  expect(anchorAt(drawn(-150), null)).toEqual({ key: "b", offsetPx: 50 });
  expect(anchorAt(drawn(-9_000), null)).toEqual({ key: "c", offsetPx: 8_600 });
  expect(anchorAt([], null)).toBeNull();
});

test("what was come back to stays the anchor, to the fraction, while it stands where it stood", () => {
  const cameBackTo = { key: "b", offsetPx: 50.4 };
  expect(anchorAt(drawn(-150), cameBackTo)).toBe(cameBackTo);
  expect(anchorAt(drawn(-152), cameBackTo)).toEqual({ key: "b", offsetPx: 52 });
  expect(anchorAt(drawn(-450), cameBackTo)).toEqual({ key: "c", offsetPx: 50 });
});

test("one comes back to the anchor, unless the end was followed or there was none", () => {
  expect(anchorOf(place())).toEqual({ key: "b", offsetPx: 50 });
  expect(anchorOf(place({ following: true }))).toBeNull();
  expect(anchorOf(place({ anchorKey: null }))).toBeNull();
  expect(anchorOf(undefined)).toBeNull();
});

test("sizes are kept of the first rows and of those around a place, however many were drawn", () => {
  const keys = Array.from({ length: 9_000 }, (_, index) => `k${index}`);
  const sizes = sizesAround(keys, 4_000, (key) => (key === "k4001" ? undefined : 70));
  expect(sizes).toHaveLength(149);
  expect(sizes[0]).toEqual(["k0", 70]);
  expect(sizes[50]).toEqual(["k3950", 70]);
  expect(sizes.at(-1)).toEqual(["k4049", 70]);
  expect(sizesAround(keys, 8_999, () => 70).at(-1)).toEqual(["k8999", 70]);
  expect(sizesAround(keys, 0, () => 70)).toHaveLength(50);
  expect(sizesAround(keys, 60, () => 70)).toHaveLength(110);
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
  folds.set("item", "x", true);
  expect(folds.get("item", "x")).toBe(true);
  expect(folds.get("item", "y")).toBeUndefined();
  for (let index = 0; index < 3_100; index++) folds.set("item", `k${index}`, false);
  expect(folds.get("item", "x")).toBeUndefined();
  expect(folds.get("item", "k3099")).toBe(false);
});

test("what is revealed is unfolded, whatever was folded before, until it is folded by hand", () => {
  const folds = new Folds();
  let told = 0;
  folds.subscribe(() => told++);
  folds.set("item", "output", false);
  folds.set("item-2", "output", false);
  folds.reveal("item");
  expect(folds.get("item", "output")).toBe(true);
  expect(folds.get("item", "diff")).toBe(true);
  expect(folds.get("item-2", "output")).toBe(false);
  folds.set("item", "output", false);
  expect(folds.get("item", "output")).toBe(false);
  expect(folds.isRevealed("item")).toBe(true);
  expect(told).toBe(4);
  for (let index = 0; index < 300; index++) folds.reveal(`r${index}`);
  expect(folds.isRevealed("item")).toBe(false);
});
