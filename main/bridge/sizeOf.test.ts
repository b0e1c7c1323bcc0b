import { describe, expect, it } from "vitest";
import { sizeOf } from "./sizeOf";

describe("the size of a message", () => {
  it("grows with its text, its bytes and its entries", () => {
    expect(sizeOf("x".repeat(1000))).toBeGreaterThanOrEqual(2000);
    expect(sizeOf({ deep: [{ text: "x".repeat(1000) }] })).toBeGreaterThanOrEqual(2000);
    expect(sizeOf(new Uint8Array(1000))).toBeGreaterThanOrEqual(1000);
    expect(sizeOf(new Map([["key", "x".repeat(1000)]]))).toBeGreaterThanOrEqual(2000);
    expect(sizeOf(Array.from({ length: 1000 }, () => 0))).toBeGreaterThan(1000);
    expect(sizeOf(null)).toBeLessThan(100);
  });

  it("is found out no further than the limit, also of an endless value", () => {
    const endless: { self?: unknown } = {};
    endless.self = endless;
    expect(sizeOf(endless, 10_000)).toBeLessThan(11_000);
  });
});
