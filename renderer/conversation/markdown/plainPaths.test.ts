import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainPieces } from "./plainPaths";

const named = (text: string) =>
  plainPieces(text).flatMap(({ place }) =>
    place ? [`${place.path}${place.line === null ? "" : `@${place.line}`}`] : [],
  );

describe("paths among words", () => {
  it.each([
    ["I changed src/a.ts and nothing else.", ["src/a.ts"]],
    ["See src/a.ts:12, then ./x/y.md:3:4.", ["src/a.ts@12", "./x/y.md@3"]],
    ["(src/a.ts) [b/c.py] “d/e.go”", ["src/a.ts", "b/c.py", "d/e.go"]],
    ["Both src/a.ts: it was long, and README.md", ["src/a.ts", "README.md"]],
    ["/home/ada/atlas/src/a.ts:7 failed", ["/home/ada/atlas/src/a.ts@7"]],
    ["src/[id]/page.tsx", ["src/[id]/page.tsx"]],
  ])("%s", (text, paths) => {
    expect(named(text)).toEqual(paths);
  });

  it.each([
    "https://example.org/a/b.ts and http://localhost:3000/x.js",
    "ada@example.org wrote to user@host:src/a.ts",
    "example.com:8080/a.js",
    "www.example.org/a.html",
    "Node.js, and/or, 1.2.3, e.g. this, either/or",
    "https://a.b/c?file=src/a.ts",
    "~/a/b.ts",
  ])("are none in: %s", (text) => {
    expect(named(text)).toEqual([]);
  });

  it("are none in a word without an end, which takes no time", () => {
    const startedAtMs = performance.now();
    expect(named(`src/a.ts a${"].".repeat(30_000)}b README.md`)).toEqual(["src/a.ts", "README.md"]);
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });

  it("leave the text as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab/.: :12[]()\n") }), (text) => {
        expect(
          plainPieces(text)
            .map((piece) => piece.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });
});
