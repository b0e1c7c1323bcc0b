import { describe, expect, test } from "vitest";
import { insertAtCursor, insertPath, mentionAt } from "./mention";

const at = (marked: string) => {
  const cursor = marked.indexOf("|");
  return mentionAt(marked.replace("|", ""), cursor);
};

describe("where a mention is", () => {
  test.each([
    ["@|", { start: 0, query: "" }],
    ["look at @src/li|", { start: 8, query: "src/li" }],
    ["(@a|)", { start: 1, query: "a" }],
    ["line\n@b|", { start: 5, query: "b" }],
    ["@ab|cd", { start: 0, query: "ab" }],
  ])("%s", (marked, mention) => {
    expect(at(marked)).toEqual(mention);
  });

  test.each(["mail@example.org|", "@a b|", "no mention|", "@@|", "a@|"])("not in %s", (marked) => {
    expect(at(marked)).toBeNull();
  });

  test("not while text is selected, and not in a very long word", () => {
    expect(mentionAt("@abc", 1, 3)).toBeNull();
    expect(mentionAt(`x @${"a".repeat(500)}`, 503)).toBeNull();
    expect(mentionAt(`${"a".repeat(400)}@${"b".repeat(119)}`, 520)).toBeNull();
  });
});

describe("choosing a file", () => {
  test("puts its path there, with one blank behind it", () => {
    expect(insertPath("see @bu", { start: 4, query: "bu" }, "src/bucket.ts")).toEqual({
      text: "see src/bucket.ts ",
      cursor: 18,
    });
    expect(insertPath("see @bu now", { start: 4, query: "bu" }, "a.ts")).toEqual({
      text: "see a.ts now",
      cursor: 9,
    });
    expect(insertPath("@x", { start: 0, query: "x" }, "my file.md").text).toBe('"my file.md" ');
  });

  test("dropped files go to the cursor", () => {
    expect(insertAtCursor("see", 3, ["/a/b.ts", "/c d"])).toEqual({
      text: 'see /a/b.ts "/c d" ',
      cursor: 19,
    });
    expect(insertAtCursor("a b", 2, ["x"]).text).toBe("a x b");
  });
});
