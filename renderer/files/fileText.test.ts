import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileContent } from "../../preload/contract/finding";
import { filePlace } from "./filePlace";
import { blockAt, blocksOf, fileTextOf, lineIndex, shownLineCount, withPiece } from "./fileText";
import { namedPath } from "./namedPath";

const piece = (part: Partial<FileContent>): FileContent => ({
  path: "a",
  fullPath: "/w/a",
  text: "",
  fromByte: 0,
  nextByte: null,
  bytes: 10,
  modifiedAtMs: 1,
  ...part,
});

describe("the text of a file", () => {
  it("goes on where the piece before ended, whether that was a line end or not", () => {
    const first = fileTextOf(piece({ text: "one\ntw", nextByte: 6 }));
    const whole = withPiece(first, piece({ text: "o\nthree\n", fromByte: 6 }));
    expect(whole?.lines).toEqual(["one", "two", "three", ""]);
    expect(shownLineCount(whole?.lines ?? [])).toBe(3);
    expect(whole?.nextByte).toBe(null);
  });

  it("is not put together from two states of the file", () => {
    const first = fileTextOf(piece({ text: "one\n", nextByte: 4 }));
    expect(withPiece(first, piece({ fromByte: 4, modifiedAtMs: 2 }))).toBe(null);
    expect(withPiece(first, piece({ fromByte: 4, bytes: 11 }))).toBe(null);
    expect(withPiece(first, piece({ fromByte: 5 }))).toBe(null);
  });

  it("has each line in one block, where it is found again", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 30_000 }), { maxLength: 20 }), (lengths) => {
        const lines = lengths.map((length, at) => String(at).padEnd(length, "x"));
        const blocks = blocksOf(lines);
        expect(blocks.map(({ code }) => code).join("\n")).toBe(lines.join("\n"));
        lines.forEach((line, at) => {
          const block = blockAt(blocks, at);
          expect(block?.code.split("\n")[at - block.from]).toBe(line);
        });
      }),
    );
  });

  it("goes to the nearest line that there is", () => {
    expect([lineIndex(1, 5), lineIndex(5, 5), lineIndex(9, 5), lineIndex(0, 5)]).toEqual([0, 4, 4, 0]);
  });
});

it.each([
  ["src/a.ts", "src/a.ts", null],
  ["src/a.ts:12", "src/a.ts", 12],
  ["src/a.ts:12:3", "src/a.ts", 12],
  ["src/a.ts:12-20", "src/a.ts", 12],
  ["src/a.ts:", "src/a.ts", null],
  ["src/a.ts#L7", "src/a.ts", 7],
  ["src/a.ts#L7-L9", "src/a.ts", 7],
  ["src/a.ts:0", "src/a.ts", null],
  ["C:\\work\\a.ts:7", "C:\\work\\a.ts", 7],
])("%s is %s at line %s", (text, path, line) => {
  expect(filePlace(text)).toEqual({ path, line });
});

describe("inline code", () => {
  it.each([
    ["src/a.ts", null],
    ["src/a.ts:12", 12],
    ["./renderer/main.tsx:3:1", 3],
    ["README.md", null],
    ["/work/atlas/limits.txt", null],
    ["app.weird:4", 4],
    ["docs/Makefile.am", null],
  ])("%s names a file", (text, line) => {
    expect(namedPath(text)?.line).toBe(line);
  });

  it.each([
    "Node.js",
    "npm run test",
    "a.b()",
    "1.2.3",
    "https://example.org/a.ts",
    "@scope/name.js",
    "user.name",
    "foo:12",
    "10.0/8.5",
    "localhost:3000",
    "127.0.0.1:80",
    "--config=a.ts",
    "*.ts",
    "github.com/a/b.git",
  ])("%s names none", (text) => {
    expect(namedPath(text)).toBe(null);
  });
});
