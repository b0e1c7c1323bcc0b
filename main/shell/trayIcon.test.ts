import { describe, expect, it } from "vitest";
import { countBitmap, trayBitmap } from "./trayIcon";

/** Colours and opacity at a point, counted from the left and the top. */
function at(bitmap: Buffer, size: number, x: number, y: number): number[] {
  return [...bitmap.subarray((y * size + x) * 4, (y * size + x) * 4 + 4)];
}

describe("the icon in the tray", () => {
  it("for a Mac is black where there is something, and nothing elsewhere", () => {
    const bitmap = trayBitmap({ size: 18, count: 3, isTemplate: true });
    const [blue, green, red, opacity = 0] = at(bitmap, 18, 9, 10);
    expect([blue, green, red]).toEqual([0, 0, 0]);
    expect(opacity).toBeGreaterThan(150);
    expect(at(bitmap, 18, 0, 0)).toEqual([0, 0, 0, 0]);
  });

  it("elsewhere stands on a plate of its own, and has the count in a corner", () => {
    const [none, three, many] = [0, 3, 12].map((count) => trayBitmap({ size: 24, count, isTemplate: false }));
    expect(at(none ?? Buffer.alloc(0), 24, 4, 4)[3]).toBe(255);
    expect(three?.equals(none ?? Buffer.alloc(0))).toBe(false);
    expect(many?.equals(three ?? Buffer.alloc(0))).toBe(false);
    expect(many?.equals(trayBitmap({ size: 24, count: 99, isTemplate: false }))).toBe(true);
  });

  it("has colours that are never brighter than their opacity", () => {
    for (const bitmap of [trayBitmap({ size: 24, count: 7, isTemplate: false }), countBitmap(32, 4)]) {
      for (let pixel = 0; pixel < bitmap.length; pixel += 4) {
        const [blue = 0, green = 0, red = 0, opacity = 0] = bitmap.subarray(pixel, pixel + 4);
        expect(Math.max(blue, green, red)).toBeLessThanOrEqual(opacity);
      }
    }
  });
});
