import { describe, expect, it } from "vitest";
import { clamp, splitterKey } from "./Splitter";

const at = (valuePx: number, pane: "left" | "right" | "bottom" = "left") => ({
  valuePx,
  minPx: 200,
  maxPx: 480,
  usualPx: 268,
  pane,
});
const key = (name: string, shiftKey = false) => ({ key: name, shiftKey });

describe("a splitter under the keyboard", () => {
  it("moves where the arrow points", () => {
    expect(splitterKey(key("ArrowRight"), at(300))).toBe(308);
    expect(splitterKey(key("ArrowLeft"), at(300))).toBe(292);
    expect(splitterKey(key("ArrowRight"), at(300, "right"))).toBe(292);
    expect(splitterKey(key("ArrowLeft", true), at(300, "right"))).toBe(364);
  });

  it("stays within its limits", () => {
    expect(splitterKey(key("ArrowLeft", true), at(210))).toBe(200);
    expect(splitterKey(key("ArrowRight", true), at(470))).toBe(480);
    expect(splitterKey(key("Home"), at(300))).toBe(200);
    expect(splitterKey(key("End"), at(300))).toBe(480);
  });

  it("goes back to the usual width, and leaves other keys alone", () => {
    expect(splitterKey(key("Enter"), at(400))).toBe(268);
    expect(splitterKey(key("Tab"), at(400))).toBeNull();
  });
});

it("keeps the least where there is no room for the most", () => {
  expect(clamp(300, 200, 150)).toBe(200);
});
