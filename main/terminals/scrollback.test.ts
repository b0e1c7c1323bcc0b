import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Scrollback } from "./scrollback";

const text = (scrollback: Scrollback) => Buffer.from(scrollback.read().bytes).toString();

describe("scrollback", () => {
  it("is everything that was printed, while that is not too much", () => {
    const scrollback = new Scrollback(100);
    scrollback.add(Buffer.from("one\ntwo"));
    scrollback.add(Buffer.from("\nthree"));
    expect(text(scrollback)).toBe("one\ntwo\nthree");
    expect(scrollback.read().from).toBe(0);
    expect(scrollback.end).toBe(13);
  });

  it("begins with a whole line once the oldest has gone", () => {
    const scrollback = new Scrollback(10);
    scrollback.add(Buffer.from("first\nsecond\nthird\n"));
    expect(text(scrollback)).toBe("third\n");
    expect(scrollback.read().from).toBe(13);
  });

  it("begins with a whole character where there are no lines", () => {
    const scrollback = new Scrollback(10);
    scrollback.add(Buffer.from("ääääääääääx"));
    expect(text(scrollback)).toBe("ääääx");
  });

  it("of whatever is printed in whatever pieces, keeps the end, within its bound, and says how much came before", () => {
    const piece = fc.oneof(
      fc.array(fc.constantFrom("a", "ü", "\n", "line\n"), { maxLength: 40 }).map((parts) => parts.join("")),
      fc
        .record({ unit: fc.constantFrom("x", "many lines\n"), count: fc.integer({ min: 1, max: 40_000 }) })
        .map(({ unit, count }) => unit.repeat(count)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom(1, 1000, 100_000), (pieces, limit) => {
        const scrollback = new Scrollback(limit);
        for (const each of pieces) scrollback.add(Buffer.from(each));
        const all = Buffer.from(pieces.join(""));
        const { bytes, from } = scrollback.read();
        expect(scrollback.end).toBe(all.length);
        expect(from + bytes.length).toBe(all.length);
        expect(Buffer.from(bytes).equals(all.subarray(from))).toBe(true);
        expect(bytes.length).toBeLessThanOrEqual(limit);
        // No more is left out than the rest of a line.
        const tail = all.subarray(Math.max(0, all.length - limit));
        const nextLine = tail.subarray(0, 16 * 1024).indexOf("\n") + 1;
        const isWhole = all.length <= limit;
        const most = isWhole ? 0 : nextLine > 0 ? nextLine : 3;
        expect(tail.length - bytes.length).toBeLessThanOrEqual(most);
      }),
      { numRuns: 150 },
    );
  });
});
