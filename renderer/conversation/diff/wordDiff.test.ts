import fc from "fast-check";
import { expect, test } from "vitest";
import { pairLines, type TextRange, wordDiff } from "./wordDiff";

const cut = (text: string, ranges: TextRange[]) => ranges.map((range) => text.slice(range.start, range.end));

function changed(removed: string, added: string) {
  const diff = wordDiff(removed, added);
  return diff && [cut(removed, diff.removed), cut(added, diff.added)];
}

test("only the words that differ are marked", () => {
  expect(changed("const a = one(x);", "const a = two(x);")).toEqual([["one"], ["two"]]);
  expect(changed("  return value;", "  return value + 1;")).toEqual([[], [" + 1"]]);
  expect(changed("call(a, b)", "call(a)")).toEqual([[", b"], []]);
});

test("blanks between two changed words belong to the change", () => {
  expect(changed("let old name = value;", "let new label = value;")).toEqual([["old name"], ["new label"]]);
});

test("lines with little in common are not compared word by word", () => {
  expect(
    wordDiff("import { readFile } from 'node:fs';", "export default class Bucket extends Base {}"),
  ).toBeNull();
});

test("a change of indentation alone marks the blanks", () => {
  expect(changed("  x();", "    x();")).toEqual([["  "], ["    "]]);
});

test("very long lines are not compared", () => {
  expect(wordDiff("a ".repeat(2_000), "b ".repeat(2_000))).toBeNull();
});

test("taking the marked words out leaves the same text on both sides", () => {
  const word = fc.constantFrom("foo", "bar", "baz", " ", "(", ")", ";", "é", "🙂");
  const line = fc.array(word, { maxLength: 40 }).map((parts) => parts.join(""));
  const without = (text: string, ranges: TextRange[]) => {
    let rest = "";
    let at = 0;
    for (const range of ranges) {
      rest += text.slice(at, range.start);
      at = range.end;
    }
    return (rest + text.slice(at)).replace(/\s/g, "");
  };
  fc.assert(
    fc.property(line, line, (a, b) => {
      const diff = wordDiff(a, b);
      if (diff) expect(without(a, diff.removed)).toBe(without(b, diff.added));
    }),
  );
});

test("removed lines are paired with the added lines that follow them", () => {
  const lines = (["context", "removed", "removed", "added", "context", "added", "removed"] as const).map(
    (kind) => ({ kind }),
  );
  expect(pairLines(lines)).toEqual([{ removed: 1, added: 3 }]);
  expect(pairLines((["removed", "added", "removed", "added"] as const).map((kind) => ({ kind })))).toEqual([
    { removed: 0, added: 1 },
    { removed: 2, added: 3 },
  ]);
});
